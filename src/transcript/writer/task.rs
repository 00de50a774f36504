//! The task of a writer: waits for changes, brings the desk up to date, and tries again after trouble.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Sleep;

use super::desk::{Desk, Done};
use super::shared::Shared;
use super::{History, HistoryError, Now, ScribeEvent};
use crate::transcript::view::{Entry, Head};

/// How many entries are read from the log at a time.
const PAGE: usize = 200;
/// So long after the last write nobody is about to write into a version that was replaced.
const LINGER: Duration = Duration::from_secs(10);
const FIRST_RETRY: Duration = Duration::from_millis(250);
const LONGEST_RETRY: Duration = Duration::from_secs(5);

pub(super) struct Task {
    shared: Arc<Shared>,
    /// At the desk; away while it works, and lost if that panics.
    desk: Option<Desk>,
    /// Makes a desk that knows nothing.
    new_desk: Box<dyn Fn() -> Desk + Send + Sync>,
    path: PathBuf,
    history: Arc<dyn History>,
    now: Now,
    events: mpsc::UnboundedSender<ScribeEvent>,
}

/// Why the note is not up to date.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("`{}` cannot be written: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error("the log ends at {0}, before what was told")]
    LogIsBehind(u64),
    #[error("writing the note has failed; it is rebuilt")]
    Broken,
    #[error("the parts of the note vanish as they are written")]
    PartsVanish,
}

impl Task {
    pub(super) fn new(
        shared: Arc<Shared>,
        path: PathBuf,
        new_desk: Box<dyn Fn() -> Desk + Send + Sync>,
        history: Arc<dyn History>,
        now: Now,
        events: mpsc::UnboundedSender<ScribeEvent>,
    ) -> Self {
        Self { shared, desk: None, new_desk, path, history, now, events }
    }

    /// Works until the writer is closed.
    pub(super) async fn run(mut self, pause: Duration) {
        let mut retry = FIRST_RETRY;
        let pausing = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(pausing);
        while self.is_wanted().await {
            self.pause(pausing.as_mut()).await;
            let is_last = self.shared.is_closing();
            let Some((head, backlog)) = self.shared.take() else { continue };
            let outcome = self.attempt(&head, backlog).await;
            if outcome.is_ok() {
                retry = FIRST_RETRY;
                pausing.set(tokio::time::sleep(pause));
            } else {
                self.shared.want_again();
                pausing.set(tokio::time::sleep(retry));
                retry = (retry * 2).min(LONGEST_RETRY);
            }
            self.report(outcome);
            if is_last {
                break;
            }
        }
        self.let_go().await;
        self.shared.ended();
    }

    /// Waits until there is something to write. Gives whether there is: else the writer is closed.
    async fn is_wanted(&mut self) -> bool {
        loop {
            if self.shared.has_wish() {
                return true;
            }
            if self.shared.is_closing() {
                return false;
            }
            if !self.desk.as_ref().is_some_and(Desk::holds_old) {
                self.shared.changed().await;
            } else if tokio::time::timeout(LINGER, self.shared.changed()).await.is_err() {
                self.let_go().await;
            }
        }
    }

    /// Lets go of the versions that were replaced, and keeps what came into them late.
    async fn let_go(&mut self) {
        let now = (self.now)();
        if let Err(trouble) = self.at_desk(move |desk| desk.let_go(0, now)).await {
            tracing::warn!(%trouble, "what was typed late is not kept yet");
        }
    }

    /// Spaces the writes, unless one is urgent; and the attempts, also then.
    async fn pause(&self, mut pause: Pin<&mut Sleep>) {
        let is_in_trouble = self.shared.trouble().is_some();
        while !self.shared.is_closing() && (is_in_trouble || self.shared.missing().is_none()) {
            tokio::select! {
                () = &mut pause => return,
                () = self.shared.changed() => {}
            }
        }
    }

    /// Brings the files up to date.
    async fn attempt(&mut self, head: &Head, mut backlog: Vec<Entry>) -> Result<(), Trouble> {
        if backlog.first().is_none_or(|entry| entry.seq() > self.last_seq() + 1) {
            backlog.clear();
        }
        if self.catch_up(head, backlog).await? == Done::UpToDate {
            return Ok(());
        }
        self.at_desk(|desk| {
            desk.forget();
            Ok(())
        })
        .await?;
        match self.catch_up(head, Vec::new()).await? {
            Done::UpToDate => Ok(()),
            Done::PartsAreGone => Err(Trouble::PartsVanish),
        }
    }

    /// Has the next entries taken, and what the desk lacks then, which is read from the log; then the note is written.
    async fn catch_up(&mut self, head: &Head, mut entries: Vec<Entry>) -> Result<Done, Trouble> {
        loop {
            let (of, now) = (head.clone(), (self.now)());
            if let Some(done) = self.at_desk(move |desk| desk.take(&entries, &of, now)).await? {
                return Ok(done);
            }
            entries = self.history.page(self.last_seq(), PAGE).await?;
            entries.retain(|entry| entry.seq() <= head.last_seq);
            if entries.iter().all(|entry| entry.seq() <= self.last_seq()) {
                return Err(Trouble::LogIsBehind(self.last_seq()));
            }
        }
    }

    /// Lets the desk do something that blocks.
    async fn at_desk<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Desk) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Trouble> {
        let mut desk = self.desk.take().unwrap_or_else(|| (self.new_desk)());
        let worked = tokio::task::spawn_blocking(move || {
            let result = work(&mut desk);
            (desk, result)
        });
        let (desk, result) = worked.await.map_err(|_| Trouble::Broken)?;
        self.desk = Some(desk);
        self.tell_kept();
        result.map_err(|source| Trouble::Disk { path: self.path.clone(), source })
    }

    fn last_seq(&self) -> u64 {
        self.desk.as_ref().map_or(0, Desk::last_seq)
    }

    fn report(&mut self, outcome: Result<(), Trouble>) {
        match outcome {
            Ok(()) => {
                let writes = self.desk.as_ref().map_or(0, Desk::writes);
                if self.shared.reached(self.last_seq(), writes) {
                    self.tell(ScribeEvent::Writable);
                }
            }
            Err(trouble) => {
                let why = trouble.to_string();
                if self.shared.failed(&why) {
                    self.tell(ScribeEvent::Unwritable(why));
                }
            }
        }
    }

    fn tell_kept(&mut self) {
        let kept = self.desk.as_mut().map(Desk::take_kept).unwrap_or_default();
        for file in kept {
            self.tell(ScribeEvent::Kept(file));
        }
    }

    fn tell(&self, event: ScribeEvent) {
        // Without a listener there is nobody to tell.
        let _ = self.events.send(event);
    }
}
