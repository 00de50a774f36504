//! Whose turn is it? One conversation, as a pure state machine.
//!
//! No clock, no disk, no network, no chance: `now` comes in, events go out. [`Room::decide`] reads,
//! [`Room::apply`] writes, and nothing else changes a room.

mod handle;
mod mention;
mod message;
mod names;
mod now;
mod policy;

pub use handle::{Handle, InvalidHandle};
pub use mention::{Mentions, mentions};
pub use message::{Message, Sender, Via};
pub use names::Names;
pub use now::Now;
pub use policy::{Barrier, FloorRule, Identity, Language, Policy, Wake};

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
