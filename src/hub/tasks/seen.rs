//! How a task was seen by this hub: since when it is as it is, on monotonic time.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::TaskState;
use crate::hub::silence::Silence;
use crate::room::Now;

/// Since when a task is as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    turn: u64,
    version: u64,
    /// When the turn began; nothing if that was before this hub.
    began: Option<Duration>,
    quiet: Silence,
    /// When its agent has told something, by the wall clock and by this one.
    heard: Option<(DateTime<Utc>, Silence)>,
}

impl Seen {
    /// A task that was not seen before, but made long ago.
    pub(super) fn found(state: &TaskState, now: Now) -> Self {
        let quiet = Silence::loaded(state.last_activity, now);
        Self { turn: state.turn, version: state.version, began: None, quiet, heard: None }
    }

    /// A task whose first turn begins now.
    pub(super) fn begun(state: &TaskState, now: Duration) -> Self {
        let quiet = Silence::broken(now);
        Self { turn: state.turn, version: state.version, began: Some(now), quiet, heard: None }
    }

    /// It is like this now.
    pub(super) fn observe(&mut self, state: &TaskState, now: Now) {
        if self.turn != state.turn {
            (self.turn, self.began) = (state.turn, Some(now.mono));
        }
        if self.version != state.version {
            (self.version, self.quiet) = (state.version, Silence::broken(now.mono));
        }
        let told = state.reported.as_ref().map(|reported| reported.at);
        if self.heard.map(|(at, _)| at) != told {
            self.heard = told.map(|at| (at, Silence::loaded(at, now)));
        }
    }

    /// When the turn began; nothing if that was before this hub.
    pub(super) fn began(&self) -> Option<Duration> {
        self.began
    }

    /// How long nothing was published.
    pub(super) fn quiet(&self, now: Duration) -> Duration {
        self.quiet.length(now)
    }

    /// How long ago its agent has told something.
    pub(super) fn heard(&self, now: Duration) -> Option<Duration> {
        Some(self.heard?.1.length(now))
    }
}
