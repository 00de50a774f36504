//! Whose turn is it in a piece of work? One task: an append-only log of records, and what follows from it.
//!
//! Where a task stands is never stored: [`effect`] says what one record does, and the state is the fold. A record is
//! never refused because it does not fit; it is kept, with a warning. What only a person may do is decided here too:
//! a decision that nobody vouches for is kept as a proposal, and moves nothing.
//!
//! No clock, no disk, no network, no chance, as in [`room`](crate::room).

mod command;
mod decide;
mod effect;
pub mod event;
mod flow;
mod record;
mod refusal;
mod report;
mod state;
#[cfg(test)]
mod tests;
pub mod turns;

use chrono::{DateTime, Utc};

use crate::room::Handle;

pub use command::{Create, Publish, Report};
pub use decide::open;
pub use effect::{Effect, Entry, effect};
pub use event::Event;
pub use flow::{Flow, Gate, Role, Status, WaitingFor};
pub use record::{Commits, Content, Decision, Payload, Record, Standing, Verdict};
pub use refusal::Refusal;
pub use report::{Activity, Reported};
pub use state::{Proposal, Warning, WarningCode};

use state::State;

/// The id of the task that holds notes and decisions of the whole project. It has versions, and no status.
pub const PROJECT: &str = "project";

/// One task.
///
/// **Invariant (replay is identity):** it is the fold of its events, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Task {
    state: State,
}

impl Task {
    /// Turns a record that somebody wants to publish into events, or says why not. No events: it was published before.
    ///
    /// **Invariant (decide changes nothing).**
    pub fn publish(&self, publish: Publish, now: DateTime<Utc>) -> Result<Vec<Event>, Refusal> {
        decide::publish(&self.state, publish, now)
    }

    /// Turns what an agent tells of its turn into events, or says why it does not count. No events: it is known.
    ///
    /// **Invariant (decide changes nothing).**
    pub fn report(&self, report: &Report, now: DateTime<Utc>) -> Result<Vec<Event>, Refusal> {
        decide::report(&self.state, report, now)
    }

    /// Applies one event.
    ///
    /// **Invariant (apply never fails):** events are facts.
    pub fn apply(&mut self, event: &Event) {
        self.state.apply(event);
    }

    /// What was told of it when it was made.
    #[must_use]
    pub fn made(&self) -> &event::Created {
        &self.state.made
    }

    /// Where it stands; the project stands nowhere.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.state.status()
    }

    /// How many records it has.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// Who has to act; the project waits for nobody.
    #[must_use]
    pub fn waiting_for(&self) -> Option<WaitingFor> {
        self.state.waiting_for()
    }

    /// Whether a person has to look at its warnings.
    #[must_use]
    pub fn needs_attention(&self) -> bool {
        !self.state.warnings.is_empty()
    }

    /// What did not fit, and nobody has acknowledged.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.state.warnings
    }

    /// The decisions that wait for a person: the newest of everybody who proposes one, the newest last. A person answers
    /// them with a decision, or by taking note; whoever has proposed one takes it back with a note that has `ack`.
    #[must_use]
    pub fn proposals(&self) -> &[Proposal] {
        &self.state.proposals
    }

    /// Whether a person has vouched for work in it, which others have to approve.
    #[must_use]
    pub fn is_work_of(&self, person: &Handle) -> bool {
        self.state.has_vouched_for_work(person)
    }

    /// Since when it stands where it stands.
    #[must_use]
    pub fn since(&self) -> DateTime<Utc> {
        self.state.since
    }

    /// The record with which the present turn began, 0 if that was its making: since then the same role, or a person,
    /// has to do the same.
    #[must_use]
    pub fn turn(&self) -> u64 {
        self.state.turn
    }

    /// When the present turn began.
    #[must_use]
    pub fn turn_since(&self) -> DateTime<Utc> {
        self.state.turn_since
    }

    /// What the agent whose turn it is has told last. A record answers it, but for that it works.
    #[must_use]
    pub fn reported(&self) -> Option<&Reported> {
        self.state.report.as_ref()
    }

    /// The newest record of the role whose turn it is, if it has published something in it.
    #[must_use]
    pub fn published(&self) -> Option<u64> {
        self.state.published
    }

    /// The newest record of a person; 0 is its making.
    #[must_use]
    pub fn heard_person(&self) -> u64 {
        self.state.heard_person
    }

    /// When its last record came.
    #[must_use]
    pub fn last_activity(&self) -> DateTime<Utc> {
        self.state.last_activity
    }
}
