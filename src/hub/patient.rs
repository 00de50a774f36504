//! Calls that wait until something has changed: one way for all of them, but for those of rooms, which can be replaced.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::caller::Caller;
use super::error::HubError;
use super::shared::Shared;

/// A call that waits: it looks, and looks again after each change, until its time is over.
pub(super) struct Patient<'a> {
    shared: &'a Shared,
    caller: &'a Caller,
    changes: watch::Receiver<u64>,
    begun: Instant,
    /// How long; nothing: as long as the client is known to wait.
    limit: Option<Duration>,
    over: Instant,
}

impl Shared {
    /// Begins to wait for changes.
    pub(super) fn patient<'a>(
        &'a self,
        caller: &'a Caller,
        limit: Option<Duration>,
        changes: watch::Receiver<u64>,
    ) -> Patient<'a> {
        let begun = Instant::now();
        let over = begun + self.longest_wait(caller, limit);
        Patient { shared: self, caller, changes, begun, limit, over }
    }
}

impl Patient<'_> {
    /// From now on a change is one that a look did not see.
    pub(super) fn looks(&mut self) {
        self.changes.borrow_and_update();
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.over
    }

    /// Sleeps until there is a change, or the time is over.
    pub(super) async fn sleep(&mut self) -> Result<(), HubError> {
        tokio::select! {
            // What is gone has no more changes; the next look says so.
            _ = self.changes.changed() => Ok(()),
            () = sleep_until(self.over) => Ok(()),
            () = self.shared.stop.cancelled() => Err(HubError::Stopping),
            () = self.caller.cancelled.cancelled() => {
                if self.limit.is_none() {
                    self.shared.given_up(self.caller.client.as_ref(), self.begun.elapsed());
                }
                Err(HubError::Cancelled)
            }
        }
    }
}
