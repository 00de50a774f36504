//! The one thread that writes: it commits all appends that wait, together.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream, StreamExt};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{is_damage, rows, schema};
use crate::journal::error::{Closed, cause};
use crate::journal::event::kept;
use crate::journal::memory::announced;
use crate::journal::{AppendError, Appended, NewEvent, SUBSCRIBER_BACKLOG, StreamId, Version};

/// Appends in one commit, and appends that may wait for the next one.
const BATCH: usize = 256;

type Outcome = Result<Version, AppendError>;

/// The writing thread, and the way to it.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` only while it is dropped.
    requests: Option<mpsc::Sender<Request>>,
    /// Weak: the announcements end with the thread.
    announcements: broadcast::WeakSender<Appended>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// One append, as the writer needs it.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) stream: StreamId,
    pub(super) expected: Version,
    pub(super) events: Vec<NewEvent>,
    /// Microseconds since 1970.
    pub(super) at: i64,
}

enum Request {
    Append(Append, oneshot::Sender<Outcome>),
    Erase(StreamId, oneshot::Sender<Result<u64, AppendError>>),
    Close,
    /// Tests look into the connection, and make its disk full.
    #[cfg(test)]
    Inspect(Box<dyn FnOnce(&Connection) + Send>),
}

impl Append {
    pub(super) fn new(stream: StreamId, expected: Version, events: Vec<NewEvent>, at: DateTime<Utc>) -> Self {
        Self { stream, expected, events, at: kept(at).timestamp_micros() }
    }
}

impl Writer {
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (requests, waiting) = mpsc::channel(BATCH);
        let announcements = broadcast::Sender::new(SUBSCRIBER_BACKLOG);
        let weak = announcements.downgrade();
        let work = Work { connection, announcements, keeps_erased: false };
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(move || work.run(waiting))?;
        Ok(Self { requests: Some(requests), announcements: weak, thread: Mutex::new(Some(thread)) })
    }

    pub(super) async fn append(&self, append: Append) -> Outcome {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Append(append, answer)).await.map_err(AppendError::unavailable)?;
        answered.await.unwrap_or_else(|_| Err(AppendError::unavailable(Closed)))
    }

    pub(super) async fn erase(&self, stream: StreamId) -> Result<u64, AppendError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Erase(stream, answer)).await.map_err(AppendError::unavailable)?;
        answered.await.unwrap_or_else(|_| Err(AppendError::unavailable(Closed)))
    }

    pub(super) fn subscribe(&self) -> BoxStream<'static, Appended> {
        let open = self.announcements.upgrade();
        open.map_or_else(|| stream::empty().boxed(), |announcements| announced(&announcements))
    }

    /// Waits until all that was asked before is written and the file is closed.
    pub(super) async fn close(&self) {
        // An error says that the thread has ended already.
        let _ = self.send(Request::Close).await;
        if let Some(thread) = self.take_thread() {
            // A panic of the thread was printed when it happened.
            let _ = tokio::task::spawn_blocking(|| thread.join()).await;
        }
    }

    #[cfg(test)]
    pub(super) async fn inspect<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> T + Send + 'static,
    ) -> T {
        let (answer, answered) = oneshot::channel();
        let inspect = move |connection: &Connection| answer.send(look(connection)).ok().unwrap();
        self.send(Request::Inspect(Box::new(inspect))).await.ok().unwrap();
        answered.await.unwrap()
    }

    async fn send(&self, request: Request) -> Result<(), Closed> {
        let requests = self.requests.as_ref().ok_or(Closed)?;
        requests.send(request).await.map_err(|_| Closed)
    }

    fn take_thread(&self) -> Option<JoinHandle<()>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The thread ends when nobody can ask it any more.
        self.requests.take();
        if let Some(thread) = self.take_thread() {
            let _ = thread.join();
        }
    }
}

/// What the thread owns.
struct Work {
    connection: Connection,
    announcements: broadcast::Sender<Appended>,
    /// Whether the log beside the file may still hold what was erased.
    keeps_erased: bool,
}

/// Why a commit failed.
enum Failure {
    /// It did not even begin, and would not for any append.
    Begin(rusqlite::Error),
    /// Some append, or the disk, was at fault.
    Inside(rusqlite::Error),
}

impl Work {
    fn run(mut self, mut waiting: mpsc::Receiver<Request>) {
        let mut requests = Vec::with_capacity(BATCH);
        while waiting.blocking_recv_many(&mut requests, BATCH) > 0 {
            let (mut appends, mut answers, mut erasures) = (Vec::new(), Vec::new(), Vec::new());
            for request in requests.drain(..) {
                match request {
                    Request::Append(append, answer) => {
                        appends.push(append);
                        answers.push(answer);
                    }
                    // After the appends that came before it.
                    Request::Erase(stream, answer) => erasures.push((stream, answer)),
                    // What was sent before is still received.
                    Request::Close => waiting.close(),
                    #[cfg(test)]
                    Request::Inspect(look) => look(&self.connection),
                }
            }
            let outcomes = self.write(&appends);
            self.announce(&appends, &outcomes);
            for (answer, outcome) in answers.into_iter().zip(outcomes) {
                // An error only says that nobody waits for this answer any more.
                let _ = answer.send(outcome);
            }
            // Since a reader was in the way.
            if self.keeps_erased {
                self.forget_erased();
            }
            for (stream, answer) in erasures {
                let _ = answer.send(self.erase(&stream));
            }
        }
        if let Err((_, error)) = self.connection.close() {
            tracing::warn!(%error, "the journal was not closed cleanly; nothing is lost");
        }
    }

    /// Removes a stream in one commit, and what the log beside the file still holds of it.
    fn erase(&mut self, stream: &StreamId) -> Result<u64, AppendError> {
        let erased = self.begin().and_then(|transaction| {
            let erased = rows::erase(&transaction, stream)?;
            transaction.commit().map(|()| erased)
        });
        let erased = erased.map_err(AppendError::unavailable)?;
        self.forget_erased();
        Ok(erased)
    }

    /// Empties the log beside the file; where that cannot be now, after the next writing.
    fn forget_erased(&mut self) {
        let emptied = schema::empty_log(&self.connection);
        self.keeps_erased = !matches!(emptied, Ok(true));
        if self.keeps_erased {
            let problem = emptied.err().map(tracing::field::display);
            tracing::info!(
                problem,
                "the log of the journal keeps what was erased until something is written"
            );
        }
    }

    /// Writes all of them in one commit. If that fails, each by itself: an append that is too much for the
    /// disk must not fail the small ones beside it.
    fn write(&mut self, appends: &[Append]) -> Vec<Outcome> {
        match self.commit(appends) {
            Ok(outcomes) => outcomes,
            Err(Failure::Begin(error)) => {
                let source = cause(error);
                appends.iter().map(|_| Err(AppendError::Unavailable { source: source.clone() })).collect()
            }
            Err(Failure::Inside(error)) => match appends {
                [append] => vec![Err(append.failed(error))],
                _ => appends.iter().flat_map(|append| self.write(std::slice::from_ref(append))).collect(),
            },
        }
    }

    fn commit(&mut self, appends: &[Append]) -> Result<Vec<Outcome>, Failure> {
        if appends.is_empty() {
            return Ok(Vec::new());
        }
        let transaction = self.begin().map_err(Failure::Begin)?;
        let outcomes: Vec<Outcome> = appends
            .iter()
            .map(|append| rows::append(&transaction, append))
            .collect::<rusqlite::Result<_>>()
            .map_err(Failure::Inside)?;
        transaction.commit().map_err(Failure::Inside)?;
        Ok(outcomes)
    }

    fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        if !self.connection.is_autocommit() {
            // A transaction that could not even be rolled back is still open.
            self.connection.execute_batch("ROLLBACK")?;
        }
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    fn announce(&self, appends: &[Append], outcomes: &[Outcome]) {
        for (append, outcome) in appends.iter().zip(outcomes) {
            if let (Ok(version), false) = (outcome, append.events.is_empty()) {
                let told = Appended::Events { stream: append.stream.clone(), version: *version };
                // An error only says that nobody listens.
                let _ = self.announcements.send(told);
            }
        }
    }
}

impl Append {
    fn failed(&self, error: rusqlite::Error) -> AppendError {
        if is_damage(&error) {
            let (stream, version) = (self.stream.clone(), self.expected.plus(1));
            return AppendError::Damaged { stream, version, detail: error.to_string() };
        }
        AppendError::unavailable(error)
    }
}
