//! In which rooms something happened since somebody looked: for what follows all rooms at once, such as the inbox.
//! A call that begins or ends to wait stirs its room, too.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::journal::StreamId;

/// In which rooms something happened.
#[derive(Debug, Default)]
pub(super) struct Stirs {
    rooms: Mutex<BTreeSet<StreamId>>,
    /// Changes whenever something happens anywhere.
    count: watch::Sender<u64>,
}

/// Tells of one room that something happened in it.
#[derive(Clone, Debug)]
pub(super) struct Stir {
    stirs: Arc<Stirs>,
    stream: StreamId,
}

impl Stirs {
    /// For one room.
    pub(super) fn of(self: &Arc<Self>, stream: StreamId) -> Stir {
        Stir { stirs: Arc::clone(self), stream }
    }

    /// Something happened in a room.
    pub(super) fn stir(&self, stream: &StreamId) {
        let mut rooms = self.rooms();
        if !rooms.contains(stream) {
            rooms.insert(stream.clone());
        }
        drop(rooms);
        self.count.send_modify(|count| *count += 1);
    }

    /// The rooms since the last time.
    pub(super) fn take(&self) -> BTreeSet<StreamId> {
        std::mem::take(&mut *self.rooms())
    }

    /// Changes whenever something happens anywhere.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    fn rooms(&self) -> MutexGuard<'_, BTreeSet<StreamId>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stir {
    /// Something happened in the room.
    pub(super) fn stir(&self) {
        self.stirs.stir(&self.stream);
    }
}
