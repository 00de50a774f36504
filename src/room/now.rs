//! One moment, as an argument: the core reads no clock.

use std::time::Duration;

use chrono::{DateTime, Utc};

/// One moment, as two clocks show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Wall-clock time: for people. It may jump; nothing is decided by it.
    pub wall: DateTime<Utc>,
    /// Time since the hub started: for leases and time-outs. It never goes back.
    pub mono: Duration,
}
