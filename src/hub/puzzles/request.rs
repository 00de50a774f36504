//! What is asked about puzzles, and how they stand.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::DamagedPuzzle;
use crate::puzzle::{Demand, Event, May, Pending, Puzzle, Snapshot, Verdict, Waiting, Warning};
use crate::room::Handle;

/// How a puzzle stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleState {
    /// Its id.
    pub puzzle: String,
    /// What clients are shown.
    pub snapshot: Snapshot,
    /// What the present state is for.
    pub description: Option<String>,
    /// Whose state it is.
    pub who: Vec<Handle>,
    /// Its context.
    pub context: Arc<Map<String, Value>>,
    /// When it goes on by itself, or when a question that waits expires: whichever comes first.
    pub due: Option<DateTime<Utc>>,
    /// Whether the present state has a document.
    pub has_resource: bool,
    /// The room in which its turns are taken.
    pub room: Option<PuzzleRoom>,
    /// Who has to act once more, since what is left to ask is asked at his client. Only the hub knows: it asks programs.
    pub awaited: Vec<Handle>,
}

/// The room in which the turns of a puzzle are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleRoom {
    /// Its id when the puzzle came there.
    pub id: String,
    /// Its stream, which no other has.
    pub(super) stream: Option<String>,
    /// Whether turns can be taken in it.
    pub calls: Calls,
}

/// Whether turns can be taken in a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// They can.
    #[default]
    Here,
    /// It was closed: nobody is called there.
    Closed,
    /// It was deleted.
    Deleted,
}

/// Add a puzzle.
#[derive(Clone, Debug, Default)]
pub struct AddPuzzle {
    /// Its machine.
    pub config: Value,
    /// What it is called, if not as its machine says.
    pub name: Option<String>,
    /// Who adds it.
    pub by: Option<String>,
    /// The room in which its turns are taken; else as its machine says, or one of its own if it needs one.
    pub room: Option<String>,
    /// The maker's own id of it.
    pub request_id: Option<String>,
}

/// Act on a puzzle.
#[derive(Clone, Debug, Default)]
pub struct ActOnPuzzle {
    /// Which one.
    pub puzzle: String,
    /// What is to be done.
    pub action: String,
    /// Who acts.
    pub actor: Option<String>,
    /// The version that the actor knows.
    pub expected_version: Option<u64>,
    /// The actor's own id of it.
    pub request_id: Option<String>,
    /// What was said to the demands so far.
    pub verdicts: Vec<Verdict>,
    /// Whom the caller can ask.
    pub may: May,
}

/// What an act came to.
#[derive(Clone, Debug)]
pub enum Acted {
    /// It is done, now or before.
    Done(PuzzleState),
    /// It waits for participants.
    Pending(PuzzleState, Box<Pending>),
    /// The caller has to ask, and to act again with what was said.
    Ask(Box<Demand>),
}

/// Answer a guard.
#[derive(Clone, Debug, Default)]
pub struct AnswerGuard {
    /// Of which puzzle.
    pub puzzle: String,
    /// Which guard.
    pub guard: String,
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    pub reason: Option<String>,
    /// Who answers.
    pub by: String,
    /// The giver's own id of it.
    pub request_id: Option<String>,
}

/// List puzzles.
#[derive(Clone, Debug)]
pub struct ListPuzzles {
    /// Those after this one.
    pub after: Option<String>,
    /// How many at most.
    pub limit: usize,
}

/// Some puzzles, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct PuzzlePage {
    /// How each stands.
    pub puzzles: Vec<PuzzleState>,
    /// Those of them that cannot be read.
    pub damaged: Vec<DamagedPuzzle>,
    /// The last one that was looked at.
    pub last: Option<String>,
    /// Whether there are more.
    pub more: bool,
}

/// Wait for a puzzle.
#[derive(Clone, Debug, Default)]
pub struct WaitPuzzle {
    /// Which one.
    pub puzzle: String,
    /// Until more has happened than this; without it and without states, more than now.
    pub since: Option<u64>,
    /// Until it is in one of these.
    pub states: Vec<String>,
    /// How long at most.
    pub timeout: Option<Duration>,
}

/// Something that has happened to a puzzle.
#[derive(Clone, Debug)]
pub struct Happened {
    /// Its version with this.
    pub version: u64,
    /// What.
    pub event: Event,
}

/// A puzzle that was added.
#[derive(Clone, Debug)]
pub struct AddedPuzzle {
    /// How it stands.
    pub state: PuzzleState,
    /// What is odd about its machine.
    pub warnings: Vec<Warning>,
}

impl PuzzleState {
    /// How this one stands.
    #[must_use]
    pub fn of(puzzle: &Puzzle) -> Self {
        let about = puzzle.about();
        let state = puzzle.machine().find(puzzle.current()).map(|id| puzzle.machine().state(id));
        Self {
            puzzle: about.puzzle.clone(),
            snapshot: puzzle.snapshot(),
            description: state.and_then(|state| state.description.clone()),
            who: puzzle.who().to_vec(),
            context: Arc::clone(puzzle.context()),
            due: puzzle.due(),
            has_resource: state.is_some_and(|state| state.resource.is_some()),
            room: about.room.clone().map(|id| {
                let (stream, calls) = (about.room_stream.clone(), Calls::default());
                PuzzleRoom { id, stream, calls }
            }),
            awaited: Vec::new(),
        }
    }

    /// How a question stands by now; as it was asked, if nobody waits for it any more.
    #[must_use]
    pub fn waiting(&self, asked: &Pending) -> Waiting {
        let waiting = self.snapshot.pending.iter().find(|waiting| waiting.guard_id == asked.id);
        waiting.cloned().unwrap_or_else(|| Waiting::of(asked))
    }

    /// Whether nothing will happen to it any more: it has ended, or nothing leads on from where it stands.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let Snapshot { available_actions, pending, is_final, .. } = &self.snapshot;
        *is_final || (available_actions.is_empty() && pending.is_empty() && self.due.is_none())
    }

    /// Who has to act: whose state it is, then whoever is asked, then whose action waits for himself.
    #[must_use]
    pub fn called(&self) -> Vec<Handle> {
        if self.snapshot.is_removed {
            return Vec::new();
        }
        let asked = self.snapshot.pending.iter().flat_map(|pending| &pending.asks);
        let mut called: Vec<Handle> = Vec::new();
        for handle in self.who.iter().chain(asked).chain(&self.awaited) {
            if !called.contains(handle) {
                called.push(handle.clone());
            }
        }
        called
    }
}
