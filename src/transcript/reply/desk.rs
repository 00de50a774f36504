//! All reply notes: who wants what of which note. Each folder has a task of its own, so that a slow disk holds up no
//! other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use super::folder::{Folder, Order};
use super::watch::Watcher;
use super::{ReplyAnswer, ReplyEvent, ReplyHead, ReplyPlace, reply_path};
use crate::transcript::writer::Now;

/// How long things take.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From a change until the file is looked at.
    pub settle: Duration,
    /// Between two looks that must find the same.
    pub again: Duration,
    /// Between two looks into a folder of which the system tells nothing.
    pub poll: Duration,
    /// After trouble with a disk.
    pub retry: Duration,
    /// So long after a write nobody is about to write into the version that was replaced.
    pub linger: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            settle: Duration::from_millis(150),
            again: Duration::from_millis(400),
            poll: Duration::from_secs(2),
            retry: Duration::from_secs(5),
            linger: Duration::from_secs(10),
        }
    }
}

/// Keeps reply notes. Clones are the same desk; it ends when it is closed, or with the last of them.
#[derive(Clone)]
pub struct ReplyDesk {
    inner: Arc<Inner>,
}

struct Inner {
    pace: Pace,
    now: Now,
    events: mpsc::UnboundedSender<ReplyEvent>,
    watcher: Arc<Watcher>,
    tasks: TaskTracker,
    open: Mutex<Open>,
}

/// What is looked after.
#[derive(Default)]
struct Open {
    is_closed: bool,
    /// Where to send orders for a folder. Unbounded: a room gives one when a question comes or goes, and when a person
    /// has answered.
    folders: HashMap<PathBuf, mpsc::UnboundedSender<Order>>,
    /// The note of each room.
    notes: HashMap<String, PathBuf>,
}

impl std::fmt::Debug for ReplyDesk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplyDesk").field("notes", &self.open().notes.len()).finish()
    }
}

impl ReplyDesk {
    /// A desk without notes. Events are few: one per answer of a person, and per kept file.
    #[must_use]
    pub fn new(pace: Pace, now: Now, events: mpsc::UnboundedSender<ReplyEvent>) -> Self {
        Self::over(Watcher::default(), pace, now, events)
    }

    /// A desk on a system that does not tell of changes.
    #[cfg(test)]
    pub(super) fn deaf(pace: Pace, now: Now, events: mpsc::UnboundedSender<ReplyEvent>) -> Self {
        Self::over(Watcher::deaf(), pace, now, events)
    }

    fn over(watcher: Watcher, pace: Pace, now: Now, events: mpsc::UnboundedSender<ReplyEvent>) -> Self {
        let (watcher, tasks, open) = (Arc::new(watcher), TaskTracker::new(), Mutex::default());
        Self { inner: Arc::new(Inner { pace, now, events, watcher, tasks, open }) }
    }

    /// Looks after a note of which it is not known what it should show: it is read, and what somebody has sent in it is
    /// told. Needs a tokio runtime.
    pub fn watch(&self, place: ReplyPlace) {
        self.order(&place.clone(), Order::Watch(place));
    }

    /// What a note should show from now on. It is made, if there is none.
    pub fn show(&self, place: ReplyPlace, head: ReplyHead) {
        self.order(&place.clone(), Order::Show(place, head, None));
    }

    /// The same; returns when the note has been looked at, with whether there is one.
    pub async fn shown(&self, place: ReplyPlace, head: ReplyHead) -> bool {
        let (tell, told) = oneshot::channel();
        self.order(&place.clone(), Order::Show(place, head, Some(tell)));
        told.await.unwrap_or(false)
    }

    /// An answer is in the room, as this message. What the room asks since then must have been shown before.
    pub fn posted(&self, answer: &ReplyAnswer, seq: u64) {
        self.told(&answer.key, |name| Order::Posted { name, request_id: answer.request_id.clone(), seq });
    }

    /// An answer was not taken. What was typed stays in the note, with the reason.
    pub fn refused(&self, answer: &ReplyAnswer, reason: String) {
        self.told(&answer.key, |name| Order::Refused { name, request_id: answer.request_id.clone(), reason });
    }

    /// Looks after the note of a room no longer.
    pub fn leave(&self, key: &str) {
        let note = self.open().notes.remove(key);
        if let Some(note) = note {
            self.send(&note, Order::Leave { name: name_of(&note), key: key.to_owned() });
        }
    }

    /// Ends all work. What is not written is written after the next start.
    pub async fn close(&self) {
        {
            let mut open = self.open();
            open.is_closed = true;
            open.folders.clear();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    fn order(&self, place: &ReplyPlace, order: Order) {
        let note = reply_path(&place.transcript);
        let known = self.open().notes.insert(place.key.clone(), note.clone());
        debug_assert!(known.is_none_or(|known| known == note), "a transcript stays where it is");
        self.send(&note, order);
    }

    fn told(&self, key: &str, order: impl FnOnce(std::ffi::OsString) -> Order) {
        let note = self.open().notes.get(key).cloned();
        if let Some(note) = note {
            self.send(&note, order(name_of(&note)));
        }
    }

    fn send(&self, note: &Path, order: Order) {
        let Some(folder) = note.parent() else { return };
        let mut open = self.open();
        if open.is_closed {
            return;
        }
        let orders = open.folders.entry(folder.to_owned()).or_insert_with(|| self.start(folder));
        // Its task ends only when the desk closes.
        let _ = orders.send(order);
    }

    fn start(&self, folder: &Path) -> mpsc::UnboundedSender<Order> {
        let Inner { pace, now, events, watcher, tasks, .. } = &*self.inner;
        let (orders, received) = mpsc::unbounded_channel();
        let task = Folder::new(folder, *pace, Arc::clone(now), events.clone(), Arc::clone(watcher));
        tasks.spawn(task.run(received));
        orders
    }

    /// The lock is held for a few moves of values, which cannot fail half-way.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.inner.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(note: &Path) -> std::ffi::OsString {
    note.file_name().unwrap_or_default().to_owned()
}
