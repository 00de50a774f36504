//! The outbox of one way, where those who know what waits and the task that tells it meet.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::news::News;
use super::notice::Notice;
use super::outbox::Outbox;
use super::told::ToldFile;

/// The outbox of one way.
#[derive(Debug)]
pub(super) struct Desk {
    outbox: Mutex<Outbox>,
    /// Something is to be told.
    filled: Notify,
    file: ToldFile,
}

impl Desk {
    /// With what was told before. The file lies in `folder`.
    pub(super) async fn open(channel: &str, folder: PathBuf, now: Duration) -> Self {
        let file = ToldFile::new(&folder, channel);
        let outbox = Mutex::new(Outbox::after(file.read().await, now));
        Self { outbox, filled: Notify::new(), file }
    }

    /// These things wait now, and no others.
    pub(super) fn waiting(&self, items: &[Arc<News>], now: Duration) {
        if self.outbox().waiting(items, now) {
            self.filled.notify_one();
        }
    }

    /// Comes back when something may have come. One task waits.
    pub(super) async fn filled(&self) {
        self.filled.notified().await;
    }

    /// This was told, and is never told again.
    pub(super) async fn told(&self, notice: &Notice, now: Duration) {
        let told = {
            let mut outbox = self.outbox();
            outbox.told(notice, now);
            outbox.to_keep().clone()
        };
        self.file.write(told).await;
    }

    pub(super) fn outbox(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
