//! One task in memory, and the one way to change it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard, watch};

use super::TaskState;
use super::starts::{Seen, Starts};
use crate::hub::codec::{self, Stored};
use crate::hub::error::HubError;
use crate::hub::pages;
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};
use crate::room::Now;
use crate::task::{Event, Publish, Record, Task};

/// How often a decision is tried again when others append to the same task.
const TRIES: usize = 16;

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind)
    }
}

/// One task in memory.
#[derive(Debug)]
pub(super) struct LiveTask {
    pub id: String,
    pub stream: StreamId,
    /// Changes with everything that happens.
    pub changes: watch::Sender<u64>,
    /// What was started for it. Locked after the task itself.
    pub starts: Mutex<Starts>,
    seen: PlainMutex<Option<Seen>>,
    /// The turn of which whoever waits for its role was told; 0 is none, and others are one more than they are.
    told: AtomicU64,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    task: Task,
    version: Version,
    /// Something may have been appended that is not applied.
    is_behind: bool,
}

/// A locked task.
pub(super) struct Locked<'a> {
    journal: &'a dyn Journal,
    live: &'a LiveTask,
    inside: MutexGuard<'a, Inside>,
}

impl LiveTask {
    pub(super) fn new(id: String, stream: StreamId) -> Arc<Self> {
        let inside = Mutex::new(Inside { is_behind: true, ..Inside::default() });
        Arc::new(Self {
            id,
            stream,
            changes: watch::Sender::new(0),
            starts: Mutex::default(),
            seen: PlainMutex::default(),
            told: AtomicU64::new(0),
            inside,
        })
    }

    /// Takes note of how the task is now, and gives since when it is so.
    pub(super) fn observe(&self, state: &TaskState, now: Now) -> Seen {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (state.turn, state.version);
        let seen = seen.get_or_insert_with(|| Seen::found(place, state.last_activity, now));
        seen.observe(place, now.mono);
        *seen
    }

    /// The task is made now: its first turn begins.
    pub(super) fn begin(&self, state: &TaskState, now: Now) {
        let begun = Seen::begun((state.turn, state.version), now.mono);
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
    }

    /// Whoever waited for the role whose turn it is was told.
    pub(super) fn tell_turn(&self, turn: u64) {
        self.told.store(turn + 1, Ordering::SeqCst);
    }

    /// Whether somebody who waited for the role was told that it is this turn.
    pub(super) fn is_turn_told(&self, turn: u64) -> bool {
        self.told.load(Ordering::SeqCst) == turn + 1
    }

    /// Locks the task; it knows all that is in its log by then.
    pub(super) async fn lock<'a>(&'a self, journal: &'a dyn Journal) -> Result<Locked<'a>, HubError> {
        let mut locked = Locked { journal, live: self, inside: self.inside.lock().await };
        if locked.inside.is_behind {
            locked.catch_up().await?;
        }
        Ok(locked)
    }

    /// Records from `since` on, at most `limit`.
    pub(super) async fn read(
        &self,
        journal: &dyn Journal,
        since: u64,
        limit: usize,
    ) -> Result<Vec<Record>, HubError> {
        // The first event tells that the task was made; each after it is one record.
        let page = journal.read(&self.stream, Version(since.max(1)), limit).await;
        let page = page.map_err(|error| unread(&self.id, error))?;
        let events = codec::decode::<Event>(&self.stream, &page).map_err(|error| unread(&self.id, error))?;
        let records = events.into_iter().filter_map(|(event, _)| match event {
            Event::RecordPublished(record) => Some(*record),
            Event::TaskCreated(_) => None,
        });
        Ok(records.collect())
    }
}

impl Locked<'_> {
    pub(super) fn task(&self) -> &Task {
        &self.inside.task
    }

    /// Whether it was ever made.
    pub(super) fn is_made(&self) -> bool {
        self.inside.version != Version::EMPTY
    }

    /// Publishes a record. Gives what happened: nothing, if it was published before.
    pub(super) async fn publish(
        &mut self,
        publish: Publish,
        now: DateTime<Utc>,
    ) -> Result<Vec<Event>, HubError> {
        for _ in 0..TRIES {
            let events = self.inside.task.publish(publish.clone(), now)?;
            if self.commit(&events, now).await? {
                return Ok(events);
            }
        }
        Err(HubError::NotStored(AppendError::Conflict { actual: self.inside.version }))
    }

    /// Stores events, then applies them. Gives `false` when somebody else had appended: decide again.
    ///
    /// **Invariant (stored before told).**
    pub(super) async fn commit(&mut self, events: &[Event], now: DateTime<Utc>) -> Result<bool, HubError> {
        if events.is_empty() {
            return Ok(true);
        }
        let encoded = events.iter().map(codec::encode).collect();
        // If the caller goes away while the disk works, whoever locks next reads on.
        self.inside.is_behind = true;
        match self.journal.append(&self.live.stream, self.inside.version, encoded, now).await {
            Ok(version) => {
                self.inside.version = version;
                self.inside.is_behind = false;
                for event in events {
                    self.inside.task.apply(event);
                }
                self.live.changes.send_modify(|changes| *changes += 1);
                Ok(true)
            }
            Err(AppendError::Conflict { .. }) => self.catch_up().await.map(|()| false),
            Err(AppendError::Damaged { version, detail, .. }) => {
                Err(HubError::TaskDamaged { task: self.live.id.clone(), version, detail })
            }
            Err(error) => Err(HubError::NotStored(error)),
        }
    }

    async fn catch_up(&mut self) -> Result<(), HubError> {
        let (journal, live) = (self.journal, self.live);
        let read = pages::read_on(journal, &live.stream, self.inside.version, |page| {
            for (event, _) in codec::decode::<Event>(&live.stream, page)? {
                self.inside.task.apply(&event);
            }
            self.inside.version = page.last().map_or(self.inside.version, |last| last.version);
            Ok(ControlFlow::Continue(()))
        });
        read.await.map_err(|error| unread(&live.id, error))?;
        self.inside.is_behind = false;
        live.changes.send_modify(|changes| *changes += 1);
        Ok(())
    }
}

fn unread(task: &str, error: JournalError) -> HubError {
    match error {
        JournalError::Damaged { version, detail, .. } => {
            HubError::TaskDamaged { task: task.to_owned(), version, detail }
        }
        error @ JournalError::Unavailable { .. } => HubError::NotReadable(error),
    }
}
