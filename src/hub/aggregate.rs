//! What decides by itself, and is kept as a stream of events of its own: a task, a puzzle. Here it is found, locked,
//! stored and read again, whatever it decides. A room has more, and its own way.

mod list;
mod log;
mod making;
mod shelf;

use std::fmt;

use super::codec::Stored;
use crate::journal::{StreamId, Version};

pub(super) use list::{List, Listed, check, check_log, is_id, is_list};
pub(super) use log::{Locked, Log};
pub(super) use making::{Kept, Making, plain};
pub(super) use shelf::{Live, Shelf};

/// What decides by itself. It is the fold of its events, and nothing else.
pub(super) trait Aggregate: Default + fmt::Debug + Send + 'static {
    /// What happens to it.
    type Event: Stored + Send + Sync;
    /// Where things lie in its stream, for those who read on from one of them.
    type Places: Default + fmt::Debug + Send;
    /// One in memory.
    type Live: Live<Self> + fmt::Debug;
    /// What it is called.
    const WHAT: &'static str;
    /// Streams of one begin so.
    const PREFIX: &'static str;
    /// The stream that lists them all.
    const LIST: &'static str;
    /// Ids that no title gives.
    const TAKEN: &'static [&'static str];
    /// So many stay in memory though nobody uses them.
    const AT_REST: usize;

    /// Applies one event.
    fn apply(&mut self, event: &Self::Event);

    /// Takes note of where an event lies.
    fn place(_places: &mut Self::Places, _event: &Self::Event, _version: Version) {}

    /// The id of the one that this event has made.
    fn made(event: &Self::Event) -> Option<&str>;

    /// What tells the request by which it was made from all others, if whoever made it gave it an id.
    fn request(event: &Self::Event) -> Option<String>;

    /// Whether a stream holds the events of one.
    fn owns(stream: &StreamId) -> bool {
        stream.as_str().starts_with(Self::PREFIX)
    }
}
