//! How long nothing has happened in a room.
//!
//! It is counted on monotonic time: a clock that is set forward archives no room, and one that is set back keeps
//! none for ever. Only what was before the room was loaded is told by the wall clock, because nothing else knows it.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::room::Now;

/// Since when nothing has happened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Silence {
    /// How long it had lasted when the room was loaded.
    before: Duration,
    /// When something happened last, or the room was loaded.
    since: Duration,
}

impl Silence {
    /// Something happens now.
    pub(super) fn broken(now: Duration) -> Self {
        Self { before: Duration::ZERO, since: now }
    }

    /// The room is loaded now, and this was the last that happened in it. What seems to lie in the future, because
    /// the clock was set back, has just happened.
    pub(super) fn loaded(last: DateTime<Utc>, now: Now) -> Self {
        let before = (now.wall - last).to_std().unwrap_or_default();
        Self { before, since: now.mono }
    }

    /// How long it has lasted.
    pub(super) fn length(self, now: Duration) -> Duration {
        self.before + now.saturating_sub(self.since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_the_future_has_just_happened() {
        let now = Now { wall: DateTime::UNIX_EPOCH, mono: Duration::from_secs(5) };
        let silence = Silence::loaded(DateTime::UNIX_EPOCH + Duration::from_hours(9), now);
        assert_eq!(silence.length(now.mono), Duration::ZERO);
        let silence = Silence::loaded(DateTime::UNIX_EPOCH - Duration::from_hours(9), now);
        assert_eq!(silence.length(now.mono + Duration::from_hours(1)), Duration::from_hours(10));
    }
}
