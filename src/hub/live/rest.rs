//! When a room was used last, and that it leaves memory.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::LiveRoom;

impl LiveRoom {
    /// Notes that it is called now.
    pub(in crate::hub) fn touch(&self, now: Duration) {
        // More milliseconds than fit are more than a hub can live.
        self.used.store(u64::try_from(now.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    /// When it was last called.
    pub(in crate::hub) fn used(&self) -> Duration {
        Duration::from_millis(self.used.load(Ordering::SeqCst))
    }

    /// Whether it has been in memory before, and left it after its note was whole.
    pub(in crate::hub) fn has_rested(&self) -> bool {
        self.has_rested.load(Ordering::SeqCst)
    }

    /// Notes that it leaves memory.
    pub(in crate::hub) fn rests(&self) {
        self.note.end();
        self.has_rested.store(true, Ordering::SeqCst);
    }
}
