//! Who has the floor, and who comes next.

use std::collections::VecDeque;

use chrono::{DateTime, Utc};

use super::Handle;
use super::event::{FloorReason, QueueEnd};

/// Who has the floor.
///
/// **Invariant (one floor):** at most one participant holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Floor {
    /// Somebody has it.
    Held(Turn),
    /// The turn is over, and it is not decided yet who comes next. An open room never stays in this state.
    Vacant,
    /// Nobody has it: whoever speaks first takes it.
    Free,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose.
    pub handle: Handle,
    /// Its number: per room, from 1.
    pub number: u64,
    /// Why it came.
    pub reason: FloorReason,
    /// How many mentions it answers.
    pub mentions: u32,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// Who waits for the floor: first in, first out, by the first unanswered mention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Queue(VecDeque<Place>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    handle: Handle,
    mentions: u32,
}

impl Queue {
    /// Puts handles in, in this order. Who stands in it already keeps its place at the tail, moves at the head.
    pub(super) fn put(&mut self, handles: &[Handle], end: QueueEnd) {
        match end {
            QueueEnd::Tail => handles.iter().for_each(|handle| self.put_last(handle, 1)),
            QueueEnd::Head => handles.iter().rev().for_each(|handle| self.put_first(handle)),
        }
    }

    /// Puts one in behind all others, with so many mentions.
    pub(super) fn put_last(&mut self, handle: &Handle, mentions: u32) {
        if let Some(place) = self.0.iter_mut().find(|place| place.handle == *handle) {
            place.mentions += mentions;
        } else {
            self.0.push_back(Place { handle: handle.clone(), mentions });
        }
    }

    fn put_first(&mut self, handle: &Handle) {
        let mentions = self.take(handle).unwrap_or(0) + 1;
        self.0.push_front(Place { handle: handle.clone(), mentions });
    }

    /// Takes one out; gives its number of mentions.
    pub(super) fn take(&mut self, handle: &Handle) -> Option<u32> {
        let at = self.0.iter().position(|place| place.handle == *handle)?;
        self.0.remove(at).map(|place| place.mentions)
    }

    /// Everyone in it, the next one first.
    pub(super) fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.0.iter().map(|place| &place.handle)
    }

    pub(super) fn contains(&self, handle: &Handle) -> bool {
        self.handles().any(|queued| queued == handle)
    }
}
