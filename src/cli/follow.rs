//! Asking again and again, for commands that go on until Ctrl-C: a hub that restarts is waited for.

use std::time::Duration;

use serde_json::Value;
use tokio::time;

use super::call::Call;
use super::failure::Failure;
use super::hub::Hub;
use super::screen;
use crate::paths::DataFolder;

/// One call waits at most so long.
pub(super) const ROUND_SECONDS: f64 = 60.0;
/// Between two tries, and after an answer without news: a hub that stops gives them at once.
const PAUSE: Duration = Duration::from_millis(250);

/// A hub that is asked again and again.
pub(super) struct Follower<'a> {
    folder: &'a DataFolder,
    has_met: bool,
    is_away: bool,
}

impl<'a> Follower<'a> {
    pub(super) fn new(folder: &'a DataFolder) -> Self {
        Self { folder, has_met: false, is_away: false }
    }

    /// Asks. A hub that was there before is waited for, as long as it takes.
    pub(super) async fn ask(&mut self, call: &Call) -> Result<Value, Failure> {
        loop {
            let answer = async {
                let hub = Hub::find(self.folder)?;
                if self.is_away {
                    // It may have nothing new to tell for a while; that it is there again is news.
                    hub.call(&Call::command("status")).await?;
                    self.meet();
                }
                hub.call(call).await
            };
            match answer.await {
                Err(Failure::NoHub(_) | Failure::Unreachable { .. }) if self.has_met => self.miss(),
                Err(failure) => return Err(failure),
                Ok(answer) => {
                    self.meet();
                    return Ok(answer);
                }
            }
            Self::pause().await;
        }
    }

    /// Waits a moment before the next question.
    pub(super) async fn pause() {
        time::sleep(PAUSE).await;
    }

    fn meet(&mut self) {
        self.has_met = true;
        if std::mem::take(&mut self.is_away) {
            screen::complain("the hub is back\n");
        }
    }

    fn miss(&mut self) {
        if !std::mem::replace(&mut self.is_away, true) {
            screen::complain("the hub is away; waiting for it\n");
        }
    }
}
