//! What the hub and the writing task share: what is wanted, and what has been reached.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use super::Unwritable;
use crate::transcript::view::{Entry, Head};

/// Entries that wait in memory for the next write. More are read from the log.
const MAX_BACKLOG: usize = 1_000;
/// Bytes of participants' words that wait in memory.
const MAX_BACKLOG_BYTES: usize = 4 * 1024 * 1024;

pub(super) struct Shared {
    wish: Mutex<Wish>,
    /// Wakes the task. One permit is enough: the task looks at the wish.
    changed: Notify,
    progress: watch::Sender<Progress>,
}

/// What the note should show.
struct Wish {
    head: Head,
    backlog: Vec<Entry>,
    backlog_bytes: usize,
    is_new: bool,
    /// The newest entry that is to be written without a pause before it.
    urgent: Option<u64>,
    is_closing: bool,
}

/// What has been reached.
#[derive(Clone, Debug, Default)]
struct Progress {
    /// The newest entry in the files; `None` before they were first written.
    written: Option<u64>,
    writes: u64,
    trouble: Option<String>,
    has_ended: bool,
}

impl Shared {
    pub(super) fn new(head: Head) -> Self {
        let wish = Wish {
            head,
            backlog: Vec::new(),
            backlog_bytes: 0,
            is_new: true,
            urgent: None,
            is_closing: false,
        };
        Self {
            wish: Mutex::new(wish),
            changed: Notify::new(),
            progress: watch::Sender::new(Progress::default()),
        }
    }

    pub(super) fn update(&self, head: Head, new: Vec<Entry>) {
        let mut wish = self.wish();
        wish.head = head;
        wish.is_new = true;
        wish.backlog_bytes += new.iter().map(Entry::weight).sum::<usize>();
        wish.backlog.extend(new);
        if wish.backlog.len() > MAX_BACKLOG || wish.backlog_bytes > MAX_BACKLOG_BYTES {
            wish.backlog = Vec::new();
            wish.backlog_bytes = 0;
        }
        drop(wish);
        self.changed.notify_one();
    }

    /// Asks for one more attempt.
    pub(super) fn want_again(&self) {
        self.wish().is_new = true;
    }

    /// What to write, if there is anything new.
    pub(super) fn take(&self) -> Option<(Head, Vec<Entry>)> {
        let mut wish = self.wish();
        wish.backlog_bytes = 0;
        let backlog = std::mem::take(&mut wish.backlog);
        std::mem::take(&mut wish.is_new).then(|| (wish.head.clone(), backlog))
    }

    pub(super) fn has_wish(&self) -> bool {
        self.wish().is_new
    }

    pub(super) fn close(&self) {
        self.wish().is_closing = true;
        self.changed.notify_one();
    }

    pub(super) fn is_closing(&self) -> bool {
        self.wish().is_closing
    }

    /// Has entry `seq` written without a pause before it, whether somebody waits for it to the end or not.
    pub(super) fn hurry(&self, seq: u64) {
        let mut wish = self.wish();
        wish.urgent = wish.urgent.max(Some(seq));
        drop(wish);
        self.changed.notify_one();
    }

    /// The newest entry that is to be written without a pause before it, if the files lack it.
    pub(super) fn missing(&self) -> Option<u64> {
        self.wish().urgent.filter(|urgent| Some(*urgent) > self.progress.borrow().written)
    }

    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) async fn written(&self, seq: u64) -> Result<(), Unwritable> {
        let mut progress = self.progress.subscribe();
        self.hurry(seq);
        loop {
            {
                let now = progress.borrow_and_update();
                if now.written >= Some(seq) {
                    return Ok(());
                }
                if let Some(trouble) = &now.trouble {
                    return Err(Unwritable::Trouble(trouble.clone()));
                }
                if now.has_ended {
                    return Err(Unwritable::Ended);
                }
            }
            progress.changed().await.map_err(|_| Unwritable::Ended)?;
        }
    }

    pub(super) fn trouble(&self) -> Option<String> {
        self.progress.borrow().trouble.clone()
    }

    pub(super) fn is_settled(&self) -> bool {
        let wish = self.wish();
        let progress = self.progress.borrow();
        !wish.is_new && progress.trouble.is_none() && progress.written >= Some(wish.head.last_seq)
    }

    pub(super) fn writes(&self) -> u64 {
        self.progress.borrow().writes
    }

    /// Tells that the files hold entry `seq`. Gives whether that ends a trouble.
    pub(super) fn reached(&self, seq: u64, writes: u64) -> bool {
        let mut was_in_trouble = false;
        self.progress.send_modify(|progress| {
            progress.written = Some(seq);
            progress.writes = writes;
            was_in_trouble = progress.trouble.take().is_some();
        });
        was_in_trouble
    }

    /// Tells that the files cannot be written. Gives whether that is new.
    pub(super) fn failed(&self, why: &str) -> bool {
        let mut is_new = false;
        self.progress.send_modify(|progress| is_new = progress.trouble.replace(why.to_owned()).is_none());
        is_new
    }

    pub(super) fn ended(&self) {
        self.progress.send_modify(|progress| progress.has_ended = true);
    }

    /// The lock is held for a few moves of values, which cannot fail half-way.
    fn wish(&self) -> MutexGuard<'_, Wish> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
