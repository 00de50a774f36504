//! One writer per note: it brings the file up to date with the room, whatever happens to the file.
//!
//! The hub tells what is new and goes on; a task of its own writes. Many changes during one write cost one more.
//! The task needs no memory of its own: what it lacks (at the start, after trouble, when the parts have gone) it
//! reads from the log, page by page.
//!
//! **Invariant (counts only grow):** a reader who reads the note first and then its parts, and counts entries by
//! their number, never sees fewer than before: a part is on disk before its entries leave the note.

mod desk;
mod shared;
mod task;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use self::desk::Desk;
use self::shared::Shared;
use self::task::Task;
use super::body::VaultLinks;
use super::book::Limits;
use super::view::{Entry, Head};

/// How a note is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// When entries move to a part.
    pub limits: Limits,
    /// What `[[links]]` and `#tags` in messages do.
    pub links: VaultLinks,
    /// Least time between two writes of what is not urgent.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limits: Limits::default(), links: VaultLinks::default(), pause: Duration::from_millis(250) }
    }
}

/// Reads the entries of a room from its log.
#[async_trait]
pub trait History: Send + Sync {
    /// The entries after number `after`, the oldest first, at most `limit`; fewer, to keep a page small; none,
    /// when there are no more. Numbers grow without a gap.
    async fn page(&self, after: u64, limit: usize) -> Result<Vec<Entry>, HistoryError>;
}

/// The log could not be read.
#[derive(Debug, thiserror::Error)]
#[error("the log cannot be read: {0}")]
pub struct HistoryError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Gives the time; for the names of kept versions only.
pub type Now = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// What the hub should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScribeEvent {
    /// Somebody had changed the note, or a part. Their version is in this file.
    Kept(PathBuf),
    /// The note cannot be written; it is tried again. Told once, until it is written again.
    Unwritable(String),
    /// The note is written again.
    Writable,
}

/// The note does not hold what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The last write has failed; it is tried again.
    #[error("{0}")]
    Trouble(String),
    /// The writer has ended.
    #[error("the note is no longer written")]
    Ended,
}

/// What a writer works with.
pub struct Start {
    /// The note, as [`super::Folders`] gave it.
    pub path: PathBuf,
    /// How it is written.
    pub settings: Settings,
    /// The room as it is now.
    pub head: Head,
    /// The entries of the room.
    pub history: Arc<dyn History>,
    /// The time.
    pub now: Now,
    /// Where events go. Unbounded, because there are few: one kept version in ten minutes, and one change
    /// between writable and not per attempt.
    pub events: mpsc::UnboundedSender<ScribeEvent>,
}

/// The writer of one note. Clones are the same writer; it ends when it is closed, or with the last of them.
#[derive(Clone)]
pub struct Scribe {
    owner: Arc<Owner>,
}

struct Owner {
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Scribe {
    /// Starts the writer. The note is made, or rebuilt if it differs from the log. Needs a tokio runtime.
    #[must_use]
    pub fn start(start: Start) -> Self {
        let Start { path, settings, head, history, now, events } = start;
        let shared = Arc::new(Shared::new(head.clone()));
        let new_desk = {
            let path = path.clone();
            // By the time of a second desk, after a fault of the first, the log has grown and the note with it.
            let logged = AtomicU64::new(head.last_seq);
            Box::new(move || {
                Desk::new(path.clone(), settings, &head, logged.swap(u64::MAX, Ordering::Relaxed))
            })
        };
        let task = Task::new(Arc::clone(&shared), path, new_desk, history, now, events);
        let task = tokio::spawn(task.run(settings.pause));
        Self { owner: Arc::new(Owner { shared, task: Mutex::new(Some(task)) }) }
    }

    /// Tells what has changed: the room as it is now, and the entries that are new. Never blocks.
    pub fn update(&self, head: Head, new: Vec<Entry>) {
        self.owner.shared.update(head, new);
    }

    /// Has entry `seq` written at once. Never blocks.
    pub fn hurry(&self, seq: u64) {
        self.owner.shared.hurry(seq);
    }

    /// Resolves when the files hold entry `seq`, or cannot. It is written at once, also if the caller gives up.
    pub async fn written(&self, seq: u64) -> Result<(), Unwritable> {
        self.owner.shared.written(seq).await
    }

    /// The newest entry that is to be written at once, if the files lack it.
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.owner.shared.missing()
    }

    /// Why the note cannot be written now, in words.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        self.owner.shared.trouble()
    }

    /// Whether all that was told is in the files, and they can be written.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.owner.shared.is_settled()
    }

    /// How often the note itself was put in place by this writer.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.owner.shared.writes()
    }

    /// Writes what is left, and ends the writer.
    pub async fn close(&self) {
        self.owner.shared.close();
        let mut task = self.owner.task.lock().await;
        if let Some(task) = task.as_mut() {
            // A task that was aborted or has failed has ended too.
            let _ = task.await;
        }
        *task = None;
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(task) = self.task.get_mut() {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests;
