//! The page of a room: its status, who is in it, the log, and what a person can do.

use std::mem;

use askama::Template;

use super::{Entry, Frame, Html, Inbox, Moment, Name, PuzzlesHere, TasksHere};

/// The page of a room.
#[derive(Clone, Debug, Template)]
#[template(path = "room.html")]
pub(in crate::web) struct RoomPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// Its id.
    pub(in crate::web) room: String,
    /// What it is about.
    pub(in crate::web) topic: String,
    /// Where its transcript lies.
    pub(in crate::web) file: String,
    /// Where it stands now.
    pub(in crate::web) status: Status,
    /// The tasks whose turns are taken in it.
    pub(in crate::web) tasks: TasksHere,
    /// The puzzles that live in it.
    pub(in crate::web) puzzles: PuzzlesHere,
    /// What waits for a person in it.
    pub(in crate::web) inbox: Inbox,
    /// Who is in it.
    pub(in crate::web) people: People,
    /// What a person can do.
    pub(in crate::web) controls: Controls,
    /// The newest entries, or those around the one that was asked for, in order.
    pub(in crate::web) entries: Vec<Entry>,
    /// Where the entries before these are.
    pub(in crate::web) older: Option<String>,
    /// The newest entry there is.
    pub(in crate::web) last_seq: u64,
    /// Where the entries after these are, when these are not the newest.
    pub(in crate::web) newer: Option<String>,
    /// Where a person speaks; not in a closed room.
    pub(in crate::web) composer: Option<Composer>,
    /// What came of it, when it is closed.
    pub(in crate::web) closed: Option<Closed>,
    /// Words that were sent when it had been closed.
    pub(in crate::web) unsaid: Option<String>,
}

impl RoomPage {
    /// The entries; before the first of a day, that day in UTC. The script divides anew by the reader's own days.
    fn dated(&self) -> impl Iterator<Item = (Option<&str>, &Entry)> {
        let mut last = None;
        self.entries.iter().map(move |entry| {
            let day = Some(entry.day());
            (if mem::replace(&mut last, day) == day { None } else { day }, entry)
        })
    }
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Stage {
    /// It waits for participants.
    Gathering,
    /// It runs.
    Open,
    /// It waits for a person.
    Paused,
    /// It is over.
    Closed,
}

impl Stage {
    /// A word for a class of the style sheet and for people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Gathering => "gathering",
            Self::Open => "open",
            Self::Paused => "paused",
            Self::Closed => "closed",
        }
    }
}

/// Where a room stands now. Its element is `#status`.
#[derive(Clone, Debug, Template)]
#[template(path = "status.html")]
pub(in crate::web) struct Status {
    /// Where it stands.
    pub(in crate::web) stage: Stage,
    /// Who has the floor.
    pub(in crate::web) floor: Option<Floor>,
    /// Who comes next, the first first.
    pub(in crate::web) queue: Vec<String>,
    /// Who has not joined, while it gathers.
    pub(in crate::web) missing: Vec<String>,
    /// Why it is paused, as a sentence.
    pub(in crate::web) paused: Option<String>,
}

/// Who has the floor.
#[derive(Clone, Debug)]
pub(in crate::web) struct Floor {
    /// Who.
    pub(in crate::web) name: Name,
    /// For how long already: [`Moment::lasting`].
    pub(in crate::web) since: Moment,
    /// How long it may still be silent: [`Moment::left`].
    pub(in crate::web) lease: Option<Moment>,
}

impl Status {
    /// What a screen reader says when it has changed.
    fn sentence(&self) -> String {
        let floor = self.floor.as_ref().map(|floor| floor.name.handle.as_str());
        let now = match (self.stage, floor) {
            (Stage::Gathering, _) => format!("Waiting for {}", named(&self.missing)),
            (Stage::Open, Some(holder)) => format!("{holder} has the floor"),
            (Stage::Open, None) => "Nobody has the floor".to_owned(),
            (Stage::Paused, _) => "The room is paused".to_owned(),
            (Stage::Closed, _) => "The room is closed".to_owned(),
        };
        let next =
            if self.queue.is_empty() { String::new() } else { format!("; next: {}", named(&self.queue)) };
        now + &next
    }
}

fn named(handles: &[String]) -> String {
    if handles.is_empty() { "participants".to_owned() } else { handles.join(", ") }
}

/// Who is in a room. Its element is `#people`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "people.html")]
pub(in crate::web) struct People {
    /// In the order of the room.
    pub(in crate::web) people: Vec<Person>,
}

/// One participant.
#[derive(Clone, Debug)]
pub(in crate::web) struct Person {
    /// Its handle.
    pub(in crate::web) name: Name,
    /// Its name, as it was given.
    pub(in crate::web) full_name: Option<String>,
    /// What it does, as the hub knows it: `listening`, `working`, `away`, `has not joined`. Empty when all is over.
    pub(in crate::web) state: String,
    /// Since when: [`Moment::lasting`].
    pub(in crate::web) since: Option<Moment>,
    /// How many messages it has not read.
    pub(in crate::web) unread: u64,
    /// Whether it has the floor.
    pub(in crate::web) has_floor: bool,
}

/// What a person can do with a room. Its element is `#controls`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "controls.html")]
#[expect(clippy::struct_excessive_bools, reason = "each says whether a button is there")]
pub(in crate::web) struct Controls {
    /// Its id.
    pub(in crate::web) room: String,
    /// The token of the forms.
    pub(in crate::web) token: String,
    /// The person who acts.
    pub(in crate::web) person: String,
    /// Who has the floor, if it can be passed on.
    pub(in crate::web) holder: Option<String>,
    /// Who can be given the floor.
    pub(in crate::web) give_to: Vec<String>,
    /// Whether it can be paused.
    pub(in crate::web) can_pause: bool,
    /// Whether a pause can be ended.
    pub(in crate::web) can_resume: bool,
    /// Whether it can be opened without those missing.
    pub(in crate::web) can_start: bool,
    /// Who can be removed.
    pub(in crate::web) removable: Vec<String>,
    /// Whether it can be closed.
    pub(in crate::web) can_close: bool,
}

impl Controls {
    /// Whether nothing can be done.
    fn is_empty(&self) -> bool {
        let can_act = self.can_pause || self.can_resume || self.can_start || self.can_close;
        !can_act && self.holder.is_none() && self.give_to.is_empty() && self.removable.is_empty()
    }
}

/// Where a person speaks.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "composer.html")]
pub(in crate::web) struct Composer {
    /// The room.
    pub(in crate::web) room: String,
    /// The token of the form.
    pub(in crate::web) token: String,
    /// The people who may speak here; more than one gives a choice.
    pub(in crate::web) speakers: Vec<String>,
    /// Whom they may address.
    pub(in crate::web) addressees: Addressees,
    /// The message that is answered.
    pub(in crate::web) reply_to: Option<ReplyTo>,
    /// What speaking does to the turns.
    pub(in crate::web) hint: Hint,
    /// What is said where words are not verified.
    pub(in crate::web) unverified: Unverified,
    /// The same words sent again under it are the same message.
    pub(in crate::web) request_id: String,
    /// Words that were refused, so that they are not lost.
    pub(in crate::web) draft: String,
}

/// Whom a person may address. Its element is `#to`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "addressees.html")]
pub(in crate::web) struct Addressees {
    /// Their handles.
    pub(in crate::web) handles: Vec<String>,
}

/// What is said where the words of this browser are not verified: to one without script, and by the script when it has
/// no key of the page. Its element is `#unverified`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "unverified.html")]
pub(in crate::web) struct Unverified {
    /// Whether words that are not verified are refused here.
    pub(in crate::web) is_strict: bool,
}

/// What speaking does to the turns. Its element is `#hint`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "hint.html")]
pub(in crate::web) struct Hint {
    /// As a sentence.
    pub(in crate::web) sentence: String,
}

/// The message that is answered.
#[derive(Clone, Debug)]
pub(in crate::web) struct ReplyTo {
    /// Its number.
    pub(in crate::web) seq: u64,
    /// Who said it.
    pub(in crate::web) sender: String,
}

/// How a room ended.
#[derive(Clone, Debug)]
pub(in crate::web) struct Closed {
    /// Who closed it.
    pub(in crate::web) by: Option<String>,
    /// When: [`Moment::ago`].
    pub(in crate::web) at: Moment,
    /// What came of it.
    pub(in crate::web) summary: Option<Html>,
    /// How many messages it has.
    pub(in crate::web) messages: u64,
}
