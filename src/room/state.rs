//! What a room is, as a fold over its events. Nothing here decides; nothing here can fail.

mod apply;
mod called;
mod waits;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::calls::Calls;
use super::event::{Opened, PauseReason, PuzzleQuestion, PuzzleState};
use super::floor::{Floor, Queue, Turn};
use super::loop_guard::LoopGuard;
use super::names::Names;
use super::participant::Participant;
use super::spoken::Spoken;
use super::{Handle, Policy};

/// The fold over a room's events. Cheap to clone: decisions are tried on a copy.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// How it was made; that never changes.
    pub made: Arc<Opened>,
    pub members: BTreeMap<Handle, Arc<Participant>>,
    pub names: Arc<Names>,
    pub floor: Floor,
    pub queue: Queue,
    pub questions: Vec<Question>,
    pub phase: Phase,
    /// Since when the room has waited long for those missing.
    pub overdue: Option<DateTime<Utc>>,
    /// The pause that goes on.
    pub pause: Option<Pause>,
    pub loop_guard: LoopGuard,
    /// Number of the newest turn.
    pub turns: u64,
    /// How often the floor became free.
    pub freed: u64,
    pub last_seq: u64,
    /// Tasks that live here, as far as they were told.
    pub tasks: BTreeMap<String, TaskPlace>,
    /// Puzzles that live here, as far as they were told.
    pub puzzles: BTreeMap<String, PuzzlePlace>,
    /// What was said in public.
    pub spoken: Spoken,
    /// The newest notice that ends every wait.
    pub notice_for_all: u64,
    pub message_count: u64,
    pub last_activity: DateTime<Utc>,
}

/// How far the room knows a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaskPlace {
    /// Its newest record that was told.
    pub version: u64,
    /// Who has to act.
    pub calls: Calls,
}

/// How far the room knows a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PuzzlePlace {
    /// How much had happened to it when it was told last.
    pub version: u64,
    /// Who has to act.
    pub calls: Calls,
    /// What waits for answers.
    pub questions: Vec<PuzzleQuestion>,
    /// Whether only time moves it: a timer runs, and there is nothing to do.
    pub is_timed: bool,
    /// Who has left its turn to those whom its action waits for.
    pub lent: Vec<Handle>,
    /// Where it stands; nowhere, if it was removed.
    pub place: Option<PuzzleState>,
    /// The machine, in Mermaid's words.
    pub drawing: Option<Arc<str>>,
}

/// A person is asked something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Who is asked.
    pub human: Handle,
    /// Who asks.
    pub asker: Handle,
    /// In which message.
    pub seq: u64,
    /// When.
    pub at: DateTime<Utc>,
}

/// Why a room is paused, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Number of the notice.
    pub seq: u64,
    /// Why.
    pub reason: PauseReason,
    /// Since when.
    pub at: DateTime<Utc>,
}

/// Where a room stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It waits until enough have joined.
    Gathering,
    /// It runs.
    Open,
    /// Only a person moves it.
    Paused,
    /// It is over.
    Closed,
}

impl Phase {
    /// As a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Gathering => "gathering",
            Self::Open => "open",
            Self::Paused => "paused",
            Self::Closed => "closed",
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self {
            tasks: BTreeMap::new(),
            puzzles: BTreeMap::new(),
            made: Arc::default(),
            members: BTreeMap::new(),
            names: Arc::default(),
            floor: Floor::Free,
            queue: Queue::default(),
            questions: Vec::new(),
            phase: Phase::Gathering,
            overdue: None,
            pause: None,
            loop_guard: LoopGuard::default(),
            turns: 0,
            freed: 0,
            last_seq: 0,
            spoken: Spoken::default(),
            notice_for_all: 0,
            message_count: 0,
            last_activity: DateTime::UNIX_EPOCH,
        }
    }
}

impl State {
    pub(super) fn policy(&self) -> &Policy {
        &self.made.policy
    }

    /// A participant, if the room knows the handle.
    pub(super) fn member(&self, handle: &Handle) -> Option<&Participant> {
        self.members.get(handle).map(Arc::as_ref)
    }

    /// Everyone, in the order of lists.
    pub(super) fn in_order(&self) -> Vec<&Participant> {
        let mut members: Vec<_> = self.members.values().map(Arc::as_ref).collect();
        members.sort_by_key(|member| member.order);
        members
    }

    /// Who has the floor, as far as the queue knows; a pause hides it.
    pub(super) fn holder(&self) -> Option<&Handle> {
        self.turn().map(|turn| &turn.handle)
    }

    /// The turn that runs, or stands still while the room is paused.
    pub(super) fn turn(&self) -> Option<&Turn> {
        match &self.floor {
            Floor::Held(turn) => Some(turn),
            Floor::Vacant | Floor::Free => None,
        }
    }

    /// Who speaks next when this turn ends: the first in the queue who is here.
    pub(super) fn next_here(&self) -> Option<&Handle> {
        self.here().next()
    }

    /// Who speaks next when the holder does not: the first other one in the queue who is here.
    pub(super) fn next_but_holder(&self) -> Option<&Handle> {
        self.here().find(|handle| self.holder() != Some(handle))
    }

    /// Those in the queue who are here, the next one first.
    pub(super) fn here(&self) -> impl Iterator<Item = &Handle> {
        self.queue.handles().filter(|handle| self.member(handle).is_some_and(Participant::is_here))
    }

    /// The person who gets what nobody else can have: `@user` if it is part of the room, else the first person.
    pub(super) fn a_human(&self) -> Option<&Handle> {
        let humans =
            self.members.values().filter(|member| member.is_human() && member.is_present_or_awaited());
        humans.min_by_key(|human| (human.handle != Handle::user(), human.order)).map(|human| &human.handle)
    }
}
