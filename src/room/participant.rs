//! One participant of a room, as far as events tell.

use chrono::{DateTime, Utc};

use super::Handle;

/// One participant of a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its handle.
    pub handle: Handle,
    /// A name for people.
    pub name: Option<String>,
    /// What kind of mind it has.
    pub kind: Kind,
    /// Whether it was declared when the room was made.
    pub is_declared: bool,
    /// Whether it stands in lists and in `@all`. `@user` is known everywhere, but listed only once it is part.
    pub is_listed: bool,
    /// Whether it is here.
    pub status: Status,
    /// Its place in lists.
    pub order: usize,
    /// When it joined first.
    pub joined_at: Option<DateTime<Utc>>,
    /// Number of the notice of its first arrival; 0 is none.
    pub(super) arrival: u64,
    /// Since when it is away.
    pub away_since: Option<DateTime<Utc>>,
    /// The last message it has acknowledged.
    pub seen: u64,
    /// The highest message it was ever given.
    pub handed: u64,
    /// Whether its turn lapsed and the mention is still unanswered: it may post once more for that turn.
    pub is_late: bool,
    /// What the room has for it alone.
    pub(super) heard: Heard,
    /// Its key, hashed.
    pub key: Option<String>,
    /// The invite that it may exchange for a key, hashed.
    pub invite: Option<String>,
}

/// The newest numbers of what concerns one participant beside what concerns all; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// A message that addresses it. Public ones count only in rooms whose waits are batched.
    pub addressed: u64,
    /// A message under its own handle.
    pub own: u64,
    /// A notice of its own lapse.
    pub lapse: u64,
    /// A notice that a puzzle asks it something, or wants it to act once more.
    pub wanted: u64,
    /// A notice that a puzzle calls it anew, or that its own action waits: news for whoever has the floor.
    pub called: u64,
}

/// What kind of mind a participant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program.
    Agent,
    /// A person.
    Human,
}

/// Whether a participant is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Declared, has not joined yet.
    Expected,
    /// Here.
    Active,
    /// Silent for too long; its place is kept.
    Away,
    /// Gone.
    Left,
}

impl Participant {
    /// Somebody of whom nothing is known yet.
    pub(super) fn new(handle: Handle, kind: Kind, order: usize) -> Self {
        Self {
            handle,
            name: None,
            kind,
            is_declared: false,
            is_listed: true,
            status: if kind == Kind::Human { Status::Active } else { Status::Expected },
            order,
            joined_at: None,
            arrival: 0,
            away_since: None,
            seen: 0,
            handed: 0,
            is_late: false,
            heard: Heard::default(),
            key: None,
            invite: None,
        }
    }

    /// Whether it is a person.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.kind == Kind::Human
    }

    /// Whether the floor may go to it. A person of the room is always here; one whom the room only knows, and
    /// who never spoke, is asked without being given the floor.
    #[must_use]
    pub fn is_here(&self) -> bool {
        self.status == Status::Active && self.is_listed
    }

    /// Whether it takes part: it has not left, and stands in lists.
    #[must_use]
    pub fn is_present_or_awaited(&self) -> bool {
        self.is_listed && self.status != Status::Left
    }

    /// Whether it is a declared agent that has not joined.
    pub(super) fn is_missing(&self) -> bool {
        self.is_declared && !self.is_human() && self.status == Status::Expected
    }

    /// Whether it has joined and not left.
    #[must_use]
    pub fn has_joined(&self) -> bool {
        matches!(self.status, Status::Active | Status::Away)
    }
}
