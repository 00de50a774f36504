//! How fast a debate goes. Injected time costs nothing; real time is hurried, so that nobody waits for a test.

use std::time::Duration;

use serde_json::{Value, json};

/// How fast a debate goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// All times that players choose are divided by it.
    pub hurry: u32,
    /// In so many of a hundred calls an agent says how long it waits; else the hub chooses.
    pub timed: u64,
    /// No lease is longer, in seconds.
    pub longest_lease: u64,
    /// No debate takes longer, whatever its players do.
    pub most: Duration,
    /// After the end, everyone hears of it within this time.
    pub farewell: Duration,
}

impl Pace {
    /// For injected time.
    pub(super) const CALM: Self = Self {
        hurry: 1,
        timed: 50,
        longest_lease: 900,
        most: Duration::from_hours(24),
        farewell: Duration::from_hours(1),
    };

    /// For real time. Its limits are for the slowest machine: they are reached only when something is wrong.
    #[cfg(unix)]
    pub(super) const HURRIED: Self = Self {
        hurry: 50,
        timed: 100,
        longest_lease: 3,
        most: Duration::from_mins(5),
        farewell: Duration::from_mins(1),
    };

    /// The argument of a tool for a wait of so many seconds.
    pub(super) fn wait(self, seconds: u64) -> Value {
        if self.hurry == 1 {
            return json!(seconds);
        }
        json!((Duration::from_secs(seconds) / self.hurry).as_secs_f64())
    }

    /// The rule of a room for so many seconds: it knows whole ones only.
    pub(super) fn lease(self, seconds: u64) -> u64 {
        (seconds / u64::from(self.hurry)).clamp(1, self.longest_lease)
    }
}
