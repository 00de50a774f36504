//! Who may do what now? One puzzle: a state machine that many watch and act on, with guards before its transitions.
//!
//! A machine is checked once, when it is parsed; so a puzzle never stands in a state that its machine does not have.
//! What a guard needs of others is said, not done: participants are asked by an event, a client or a program by a
//! [`Demand`] to the edge. A verdict counts only for the action, the actor and the version it was asked for.
//!
//! No clock, no disk, no network, no chance, as in [`room`](crate::room).

mod command;
mod decide;
mod effort;
pub mod event;
mod facts;
mod fault;
mod guard;
mod judge;
mod limits;
pub mod machine;
mod mermaid;
mod parse;
mod pending;
mod place;
mod refusal;
mod state;
mod view;
mod walk;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

pub use command::{Act, Add, Answer, Demand, May, Next, Outcome, Past, Programs, Step, Verdict, Whom};
pub use decide::add;
pub use event::{Cause, Event};
pub use facts::Doer;
pub use fault::{Fault, Warning};
pub use guard::{Guard, Guards, Panel, Range, Rule, Test};
pub use machine::Machine;
pub use pending::{Asked, Finding, Pending};
pub use refusal::Refusal;
pub use view::{Snapshot, Waiting};

use state::State;

use crate::room::Handle;

/// One puzzle.
///
/// **Invariant (replay is identity):** it is the fold of its events, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Puzzle {
    state: State,
}

impl Puzzle {
    /// Does something, or says what it waits for, or why not.
    ///
    /// **Invariant (decide changes nothing).**
    pub fn act(&self, act: &Act, now: DateTime<Utc>) -> Result<Step, Refusal> {
        decide::act(&self.state, act, now)
    }

    /// Takes an answer to a guard; the last that is needed lets the action go on. No events: it was given before.
    pub fn answer(&self, answer: &Answer, now: DateTime<Utc>) -> Result<Vec<Event>, Refusal> {
        decide::answer(&self.state, answer, now)
    }

    /// Removes it.
    pub fn remove(&self, by: Doer<'_>, now: DateTime<Utc>) -> Result<Event, Refusal> {
        if self.is_removed() {
            return Err(Refusal::Removed);
        }
        Ok(Event::PuzzleRemoved { by: by.handle.cloned(), verified: by.is_person_verified, at: now })
    }

    /// When [`Puzzle::tick`] next has something to do.
    #[must_use]
    pub fn due(&self) -> Option<DateTime<Utc>> {
        decide::due(&self.state)
    }

    /// What comes next by itself, after answers and when time has passed, if only programs are asked for it.
    #[must_use]
    pub fn go_on(&self, programs: &Programs, now: DateTime<Utc>) -> Option<Next> {
        decide::go_on(&self.state, programs, now)
    }

    /// Those who have to do their actions once more: what is left to ask can be asked at their clients only.
    #[must_use]
    pub fn awaited(&self, programs: &[String], now: DateTime<Utc>) -> Vec<Handle> {
        decide::awaited(&self.state, programs, now)
    }

    /// When it goes on by itself next, whether or not a question expires before.
    #[must_use]
    pub fn timer(&self) -> Option<DateTime<Utc>> {
        decide::timer(&self.state)
    }

    /// The events that are due, but for those that a program has to let pass: [`Puzzle::go_on`] has them. Calling it
    /// early gives none.
    #[must_use]
    pub fn tick(&self, now: DateTime<Utc>) -> Vec<Event> {
        decide::tick(&self.state, now)
    }

    /// Applies one event.
    ///
    /// **Invariant (apply never fails):** events are facts.
    pub fn apply(&mut self, event: &Event) {
        self.state.apply(event);
    }

    /// What was told of it when it was made.
    #[must_use]
    pub fn about(&self) -> &event::About {
        &self.state.about
    }

    /// Its machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.state.machine
    }

    /// The dotted path of its present state.
    #[must_use]
    pub fn current(&self) -> &str {
        self.state.path()
    }

    /// How many events it has.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// The version of its last move.
    #[must_use]
    pub fn entered_version(&self) -> u64 {
        self.state.entered_version
    }

    /// The questions that wait for participants, and those that wait for their actor to go on.
    #[must_use]
    pub fn pendings(&self) -> &[Pending] {
        &self.state.pendings
    }

    /// Whether it is gone.
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.state.is_removed
    }

    /// Its context.
    #[must_use]
    pub fn context(&self) -> &Arc<Map<String, Value>> {
        &self.state.place.context
    }

    /// Who gets the floor in the present state.
    #[must_use]
    pub fn who(&self) -> &[Handle] {
        self.state.machine.who(self.state.place.current)
    }

    /// What clients are shown.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        view::snapshot(&self.state)
    }

    /// The machine as text of Mermaid, the present state marked.
    #[must_use]
    pub fn mermaid(&self) -> String {
        mermaid::mermaid(&self.state.machine, self.state.place.current)
    }

    /// Of each action of the present state, whether somebody can do it now, though others may have to be asked first; or
    /// why not. This is a short look: where it costs too much to tell, the action counts as possible, and tells by itself.
    #[must_use]
    pub fn actions_for(&self, doer: Doer<'_>, now: DateTime<Utc>) -> Vec<(String, Result<(), Refusal>)> {
        if self.is_removed() { Vec::new() } else { decide::actions_for(&self.state, doer, now) }
    }
}

#[cfg(test)]
mod tests;
