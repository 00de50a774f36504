//! The task of one way of telling: waits for something to tell, for the end of quiet hours, and for those who do not
//! listen.

use std::sync::Arc;
use std::time::Duration;

use chrono::Local;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::channel::{Channel, Failure};
use super::desk::Desk;
use super::notice::Notice;
use super::pace::Pace;
use super::quiet;
use crate::clock::Clock;
use crate::config::QuietHours;

/// Clocks are set, and machines sleep: the local time is looked at again after so long.
const LOOK: Duration = Duration::from_mins(1);

/// The task of one way of telling.
#[derive(Debug)]
pub(super) struct Runner {
    pub(super) channel: Box<dyn Channel>,
    pub(super) desk: Arc<Desk>,
    pub(super) quiet: Option<QuietHours>,
    pub(super) clock: Clock,
    pub(super) pace: Pace,
}

/// How those have done who are told.
#[derive(Debug, Default)]
struct Luck {
    failures: u32,
    /// Nothing is tried before.
    not_before: Duration,
}

impl Runner {
    /// Tells what is to be told until `stop` fires.
    pub(super) async fn run(self, stop: CancellationToken) {
        let mut luck = Luck::default();
        loop {
            let notice = tokio::select! {
                () = stop.cancelled() => return,
                notice = self.due(luck.not_before) => notice,
            };
            let too_late = async {
                stop.cancelled().await;
                sleep(self.pace.grace).await;
            };
            let outcome = tokio::select! {
                outcome = self.channel.tell(&notice) => outcome,
                () = too_late => return,
            };
            self.take_note(&notice, outcome, &mut luck).await;
        }
    }

    /// The next notice, when it may be told.
    async fn due(&self, not_before: Duration) -> Notice {
        loop {
            let now = self.clock.now().mono;
            let since = self.desk.outbox().since();
            let Some(since) = since else {
                self.desk.filled().await;
                continue;
            };
            if let Some(rest) = self.quiet_rest() {
                self.desk.outbox().hold();
                sleep(rest.min(LOOK)).await;
                continue;
            }
            let start = (since + self.pace.moment).max(not_before);
            if start > now {
                sleep(start.saturating_sub(now)).await;
                continue;
            }
            let next = self.desk.outbox().next();
            if let Some(notice) = next {
                return notice;
            }
        }
    }

    fn quiet_rest(&self) -> Option<Duration> {
        let local = self.clock.now().wall.with_timezone(&Local);
        quiet::rest(self.quiet?, local.time())
    }

    async fn take_note(&self, notice: &Notice, outcome: Result<(), Failure>, luck: &mut Luck) {
        let (name, now) = (self.channel.name(), self.clock.now().mono);
        match outcome {
            Err(Failure::Later { reason, after }) => {
                luck.failures += 1;
                let delay = self.pace.delay(luck.failures).max(after.unwrap_or_default());
                luck.not_before = now + delay;
                if luck.failures == 1 {
                    tracing::warn!(%reason, "`{name}` has not told a notice; it is tried again");
                } else {
                    tracing::debug!(%reason, ?delay, "`{name}` has not told a notice");
                }
                return;
            }
            Ok(()) => {}
            Err(Failure::Refused(reason)) => tracing::warn!(%reason, "`{name}` has not told a notice"),
            Err(Failure::Absent(reason)) => tracing::debug!(%reason, "`{name}` has nobody to tell"),
        }
        if luck.failures > 0 {
            tracing::info!("`{name}` tells again");
        }
        *luck = Luck::default();
        self.desk.told(notice, now).await;
    }
}
