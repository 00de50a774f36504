//! Who has the floor, and who comes next.

use std::collections::BTreeMap;

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
pub(super) struct Queue {
    /// In the order of turns. A place at the head is numbered one below the first, one at the tail one above
    /// the last.
    places: BTreeMap<i64, Place>,
    /// Where each one stands, so that a word to a thousand costs no search for each of them.
    numbers: BTreeMap<Handle, i64>,
}

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
        let place = self.numbers.get(handle).and_then(|number| self.places.get_mut(number));
        if let Some(place) = place {
            place.mentions += mentions;
        } else {
            let last = self.places.last_key_value().map_or(0, |(number, _)| *number);
            self.put_at(last + 1, handle, mentions);
        }
    }

    fn put_first(&mut self, handle: &Handle) {
        let mentions = self.take(handle).unwrap_or(0) + 1;
        let first = self.places.first_key_value().map_or(0, |(number, _)| *number);
        self.put_at(first - 1, handle, mentions);
    }

    fn put_at(&mut self, number: i64, handle: &Handle, mentions: u32) {
        self.numbers.insert(handle.clone(), number);
        self.places.insert(number, Place { handle: handle.clone(), mentions });
    }

    /// Takes so many of its mentions back: without any, it stands in the queue no more.
    pub(super) fn lessen(&mut self, handle: &Handle, mentions: u32) {
        let Some(place) = self.numbers.get(handle).and_then(|number| self.places.get_mut(number)) else {
            return;
        };
        place.mentions = place.mentions.saturating_sub(mentions);
        if place.mentions == 0 {
            self.take(handle);
        }
    }

    /// How many of its mentions nobody has answered.
    pub(super) fn mentions(&self, handle: &Handle) -> u32 {
        let place = self.numbers.get(handle).and_then(|number| self.places.get(number));
        place.map_or(0, |place| place.mentions)
    }

    /// Takes one out; gives its number of mentions.
    pub(super) fn take(&mut self, handle: &Handle) -> Option<u32> {
        let number = self.numbers.remove(handle)?;
        self.places.remove(&number).map(|place| place.mentions)
    }

    /// Everyone in it, the next one first.
    pub(super) fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.places.values().map(|place| &place.handle)
    }

    pub(super) fn contains(&self, handle: &Handle) -> bool {
        self.numbers.contains_key(handle)
    }
}
