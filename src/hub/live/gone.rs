//! A room that is deleted: whoever still holds it is told that there is no such room.

use std::sync::atomic::Ordering;

use super::{Inside, LiveRoom, Locked};

impl LiveRoom {
    /// Whether it is deleted.
    pub(in crate::hub) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::SeqCst)
    }
}

impl Locked<'_> {
    /// Lets go of everything, for good.
    pub(in crate::hub) fn bury(mut self) {
        self.live.is_gone.store(true, Ordering::SeqCst);
        *self.inside = Inside::default();
        *self.live.kept_brief() = None;
        self.live.alarm.notify_one();
        self.live.changes.happened();
        self.live.stir.stir();
    }
}
