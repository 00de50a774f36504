//! The one place that reads the time. Everything else is told what time it is.
//!
//! Monotonic time is tokio's, so a test that pauses the runtime's time decides what time it is.

use chrono::{TimeDelta, Utc};
use tokio::time::Instant;

use crate::room::Now;

/// Reads the time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
}

impl Clock {
    /// A clock whose monotonic time starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The present moment.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the place that reads the time")]
    pub fn now(&self) -> Now {
        Now { wall: Utc::now() + shift(), mono: self.started.elapsed() }
    }
}

/// By how much the wall clock is wrong: not at all, unless a test says so.
#[cfg(not(test))]
fn shift() -> TimeDelta {
    TimeDelta::zero()
}

#[cfg(test)]
fn shift() -> TimeDelta {
    SHIFT.get()
}

#[cfg(test)]
thread_local! {
    static SHIFT: std::cell::Cell<TimeDelta> = const { std::cell::Cell::new(TimeDelta::zero()) };
}

/// Sets the wall clock of this thread forward, or back.
#[cfg(test)]
pub(crate) fn set_wall_clock(by: TimeDelta) {
    SHIFT.set(SHIFT.get() + by);
}
