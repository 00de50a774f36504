//! Tells people that something waits for them: on the desktop, by a webhook, by a program.
//!
//! It is told the whole of what waits, each time that changes, and tells each thing once on each way. A way is slow or
//! dead for itself: each has its own task and its own [`outbox`]. What waits no longer is not told.
//!
//! It never knows a hub, and a way that fails is never an error of the hub: the log says so.

mod channel;
mod command;
mod desk;
mod desktop;
mod news;
mod notice;
mod outbox;
mod pace;
mod quiet;
mod runner;
mod told;
mod trial;
mod webhook;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::Clock;
use crate::config::Notices;
use crate::paths::DataFolder;
use channel::Channel;
use desk::Desk;
pub use news::News;
use pace::Pace;
use runner::Runner;
pub use trial::{Outcome, Trial, try_all};

/// Tells people what waits for them.
#[derive(Debug)]
pub struct Notifier {
    desks: Vec<Arc<Desk>>,
    show_private: bool,
    clock: Clock,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Notifier {
    /// Starts a task for each way that the settings name. A way that cannot work is left out, with a warning.
    pub async fn start(settings: &Notices, folder: &DataFolder, clock: Clock) -> Self {
        let mut channels = Vec::new();
        for (name, made) in channel::all(settings, folder.path()) {
            match made {
                Ok(channel) => channels.extend(channel),
                Err(error) => tracing::warn!(%error, "nobody is told anything by `{name}`"),
            }
        }
        Self::with(channels, settings, folder, clock, Pace::default()).await
    }

    async fn with(
        channels: Vec<Box<dyn Channel>>,
        settings: &Notices,
        folder: &DataFolder,
        clock: Clock,
        pace: Pace,
    ) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let mut desks = Vec::new();
        for channel in channels {
            let desk = Arc::new(Desk::open(channel.name(), folder.notices(), clock.now().mono).await);
            desks.push(desk.clone());
            let quiet = settings.quiet_hours;
            tasks.spawn(Runner { channel, desk, quiet, clock, pace }.run(stop.clone()));
        }
        tasks.close();
        Self { desks, show_private: settings.show_private, clock, tasks, stop }
    }

    /// Everything that waits for people now, oldest first: what is new is told, what is not there any more is not.
    ///
    /// Give only what is complete: what is missing for a minute counts as answered, and is told again when it comes
    /// back.
    pub fn waiting(&self, news: Vec<News>) {
        let items: Vec<Arc<News>> =
            news.into_iter().map(|one| Arc::new(one.for_eyes(self.show_private))).collect();
        let now = self.clock.now().mono;
        for desk in &self.desks {
            desk.waiting(&items, now);
        }
    }

    /// Stops telling. What is under way gets a moment; what has not been told is told after the next start.
    pub async fn close(&self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }
}

#[cfg(test)]
mod tests;
