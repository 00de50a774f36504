//! What clients are shown of a puzzle.

use chrono::{DateTime, Utc};

use super::event::Cause;
use super::pending::Pending;
use super::refusal::Refusal;
use super::state::State;
use crate::room::Handle;

/// What clients are shown of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The dotted path of the present state.
    pub current_state: String,
    /// What anybody can do in it.
    pub available_actions: Vec<String>,
    /// How many events there were.
    pub version: u64,
    /// What the puzzle is called.
    pub name: String,
    /// The questions that wait.
    pub pending: Vec<Waiting>,
    /// Since when the present state lasts.
    pub since: DateTime<Utc>,
    /// Whether the machine has ended.
    pub is_final: bool,
    /// Whether it was removed.
    pub is_removed: bool,
    /// Why nothing can be done any more, if its machine is not accepted by this version.
    pub fault: Option<String>,
}

/// A question that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its id.
    pub guard_id: String,
    /// What waits for it.
    pub action: String,
    /// Who acts.
    pub actor: Option<Handle>,
    /// Who is still asked. Nobody: the actor has to act once more.
    pub asks: Vec<Handle>,
    /// How many of them have to agree.
    pub needed: usize,
    /// What they are asked.
    pub question: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// When it is refused if it is not settled.
    pub expires: Option<DateTime<Utc>>,
}

pub(super) fn snapshot(state: &State) -> Snapshot {
    Snapshot {
        current_state: state.path().to_owned(),
        available_actions: if state.is_removed { Vec::new() } else { state.actions() },
        version: state.version,
        name: state.about.name.clone(),
        pending: state.pendings.iter().map(Waiting::of).collect(),
        since: state.place.since().unwrap_or(state.about.at),
        is_final: state.machine.is_final(state.place.current),
        is_removed: state.is_removed,
        fault: state.fault.clone().map(|fault| Refusal::NotAccepted { fault }.to_string()),
    }
}

impl Waiting {
    /// How a question stands.
    #[must_use]
    pub fn of(pending: &Pending) -> Self {
        Self {
            guard_id: pending.id.clone(),
            action: pending.cause.name(),
            actor: pending.actor.clone(),
            asks: pending.still_asked(),
            needed: pending.still_needed(),
            question: pending.question.clone(),
            since: pending.since,
            expires: pending.expires,
        }
    }
}

impl Cause {
    /// What it is called in answers.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Action(action) => action.clone(),
            Self::Timer { ms, .. } => format!("after {ms} ms"),
        }
    }
}
