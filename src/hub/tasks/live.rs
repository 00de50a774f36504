//! One task in memory, and the one way to change it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard, watch};

use super::places::Places;
use super::seen::Seen;
use super::starts::Starts;
use super::{TaskState, plain};
use crate::hub::codec::{self, Stored};
use crate::hub::error::HubError;
use crate::hub::pages;
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};
use crate::room::Now;
use crate::task::{Event, Record, Refusal, Task};

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
    /// Where its records lie, as far as its log was read.
    places: PlainMutex<Places>,
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
            places: PlainMutex::default(),
            inside,
        })
    }

    /// Takes note of how the task is now, and gives since when it is so.
    pub(super) fn observe(&self, state: &TaskState, now: Now) -> Seen {
        let mut seen = plain(&self.seen);
        let seen = seen.get_or_insert_with(|| Seen::found(state, now));
        seen.observe(state, now);
        *seen
    }

    /// The task is made now: its first turn begins.
    pub(super) fn begin(&self, state: &TaskState, now: Now) {
        *plain(&self.seen) = Some(Seen::begun(state, now.mono));
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

    /// Records from `since` on, at most `limit`. Whoever locks the task first finds where they lie.
    pub(super) async fn read(
        &self,
        journal: &dyn Journal,
        since: u64,
        limit: usize,
    ) -> Result<Vec<Record>, HubError> {
        let mut after = plain(&self.places).before(since);
        let mut records = Vec::new();
        while records.len() < limit {
            let wanted = limit - records.len();
            let page = journal.read(&self.stream, after, wanted).await;
            let page = page.map_err(|error| unread(&self.id, error))?;
            let events = codec::decode::<Event>(&self.stream, &page);
            let events = events.map_err(|error| unread(&self.id, error))?;
            records.extend(events.into_iter().filter_map(|(event, _)| match event {
                Event::RecordPublished(record) => Some(*record),
                Event::TaskCreated(_) | Event::AgentReported(_) => None,
            }));
            match page.last() {
                Some(last) if page.len() == wanted => after = last.version,
                _ => break,
            }
        }
        Ok(records)
    }

    /// Applies one event, which lies here.
    fn apply(&self, task: &mut Task, event: &Event, place: Version) {
        task.apply(event);
        if let Event::RecordPublished(record) = event {
            plain(&self.places).add(record.version, place);
        }
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

    /// Lets the task decide, and stores what it says. Gives what happened: nothing, if it is known.
    pub(super) async fn decide(
        &mut self,
        decide: impl Fn(&Task) -> Result<Vec<Event>, Refusal>,
        now: DateTime<Utc>,
    ) -> Result<Vec<Event>, HubError> {
        for _ in 0..TRIES {
            let events = decide(&self.inside.task)?;
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
                let before = self.inside.version;
                self.inside.version = version;
                self.inside.is_behind = false;
                for (number, event) in (1..).zip(events) {
                    self.live.apply(&mut self.inside.task, event, before.plus(number));
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
            for (event, place) in codec::decode::<Event>(&live.stream, page)? {
                live.apply(&mut self.inside.task, &event, place);
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
