//! Whose turn is it? One conversation, as a pure state machine.
//!
//! No clock, no disk, no network, no chance: `now` comes in, events go out. [`Room::decide`] reads,
//! [`Room::apply`] writes, and nothing else changes a room.

mod calls;
pub mod command;
mod decide;
mod draft;
pub mod event;
mod floor;
mod handle;
mod line;
mod loop_guard;
mod mention;
mod message;
mod names;
mod nearest;
mod need;
mod news;
mod now;
mod participant;
mod policy;
mod recent;
mod refusal;
mod requests;
mod spoken;
mod state;
mod timers;
mod unanswered;
mod view;
mod why;

use std::time::Duration;

pub use command::Command;
pub use decide::{Declared, open};
pub use event::Event;
pub use floor::Turn;
pub use handle::{Handle, InvalidHandle, fold, imitates, is_unseen};
pub use line::{is_blank, is_plain_line, one_line};
pub use mention::{Mentions, mentions};
pub use message::{About, Message, Sender, Via};
pub use names::Names;
pub use nearest::nearest;
pub use need::{Need, Needed, Stranded};
pub use news::News;
pub use now::Now;
pub use participant::{Kind, Participant, Status};
pub use policy::{Barrier, FloorRule, Identity, Language, Policy, Wake};
pub use recent::Repeat;
pub use refusal::Refusal;
pub use requests::{Requests, mark};
pub use state::{Pause, Phase, Question};
pub use timers::{Presence, Presences};
pub use why::{Act, WaitReason, Waiting, WaitsFor, Why};

use command::Post;
use recent::Recent;
use state::State;
use timers::Timers;

/// One room.
///
/// **Invariant (replay is identity):** it is the fold of its events, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Room {
    state: State,
    recent: Recent,
    timers: Timers,
}

impl Room {
    /// Turns a command into events, or says why not.
    ///
    /// **Invariant (decide changes nothing).**
    pub fn decide(&self, command: Command, now: Now) -> Result<Vec<Event>, Refusal> {
        decide::decide(&self.state, command, now)
    }

    /// Applies one event at a moment of monotonic time.
    ///
    /// **Invariant (apply never fails):** events are facts.
    pub fn apply(&mut self, event: &Event, now: Duration) {
        self.state.apply(event);
        self.recent.apply(event);
        self.timers.apply(&self.state, event, now);
    }

    /// Whether a post had been made before: by its request id, or the same words before an answer arrived.
    pub fn repeat_of(&self, post: &Post) -> Result<Option<Repeat>, Refusal> {
        self.recent.find(post)
    }

    /// When [`Room::tick`] next has something to do, in monotonic time.
    #[must_use]
    pub fn deadline(&self, presence: Presences) -> Option<Duration> {
        self.timers.deadline(&self.state, presence)
    }

    /// When the turn that runs is over, in monotonic time: the lease of an agent, or the hold of a person for whom
    /// others wait.
    #[must_use]
    pub fn turn_over(&self, presence: Presences) -> Option<Duration> {
        self.timers.turn_over(&self.state, presence)
    }

    /// The events that are due. Calling it early gives none.
    #[must_use]
    pub fn tick(&self, now: Now, presence: Presences) -> Vec<Event> {
        self.timers.tick(&self.state, now, presence)
    }
}

#[cfg(test)]
mod tests;
