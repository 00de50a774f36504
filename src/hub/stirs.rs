//! In which rooms something happened since somebody looked: for what follows all rooms at once, such as the inbox,
//! and for those who look at one room. A call that begins or ends to wait, or is given messages, stirs its room, too.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::journal::StreamId;

/// In which rooms something happened.
#[derive(Debug, Default)]
pub(super) struct Stirs {
    rooms: Mutex<Stirred>,
    /// Changes whenever something happens anywhere.
    count: watch::Sender<u64>,
}

/// The rooms since each of those who ask has asked last.
#[derive(Debug, Default)]
struct Stirred {
    for_inbox: BTreeSet<StreamId>,
    for_list: BTreeSet<StreamId>,
}

/// Tells of one room that something happened in it.
#[derive(Clone, Debug)]
pub(super) struct Stir {
    stirs: Arc<Stirs>,
    stream: StreamId,
    /// Changes whenever something happens in this room.
    here: watch::Sender<u64>,
}

impl Stirs {
    /// For one room.
    pub(super) fn of(self: &Arc<Self>, stream: StreamId) -> Stir {
        Stir { stirs: Arc::clone(self), stream, here: watch::Sender::new(0) }
    }

    /// Something happened in a room.
    fn stir(&self, stream: &StreamId) {
        let mut rooms = self.rooms();
        let Stirred { for_inbox, for_list } = &mut *rooms;
        for known in [for_inbox, for_list] {
            if !known.contains(stream) {
                known.insert(stream.clone());
            }
        }
        drop(rooms);
        self.count.send_modify(|count| *count += 1);
    }

    /// Something happened that is in no room.
    pub(super) fn stir_elsewhere(&self) {
        self.count.send_modify(|count| *count += 1);
    }

    /// The rooms since the inbox has asked last.
    pub(super) fn take(&self) -> BTreeSet<StreamId> {
        std::mem::take(&mut self.rooms().for_inbox)
    }

    /// The rooms since the list of rooms has asked last.
    pub(super) fn take_for_list(&self) -> BTreeSet<StreamId> {
        std::mem::take(&mut self.rooms().for_list)
    }

    /// Changes whenever something happens anywhere.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    fn rooms(&self) -> MutexGuard<'_, Stirred> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stir {
    /// Something happened in the room.
    pub(super) fn stir(&self) {
        self.stirs.stir(&self.stream);
        self.here.send_modify(|count| *count += 1);
    }

    /// Changes whenever something happens in this room.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.here.subscribe()
    }
}
