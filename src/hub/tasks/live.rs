//! One task in memory: its log, and what this run of the hub knows of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as PlainMutex};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use super::TaskState;
use super::places::Places;
use super::seen::Seen;
use super::starts::{STARTS, Starts};
use crate::hub::aggregate::{Aggregate, Live, Log, plain};
use crate::hub::codec::Stored;
use crate::hub::error::HubError;
use crate::journal::{Journal, JournalError, StreamId, Version};
use crate::room::Now;
use crate::task::{Event, PROJECT, Record, Task};

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind)
    }
}

impl Aggregate for Task {
    type Event = Event;
    type Places = Places;
    type Live = LiveTask;
    const WHAT: &'static str = "task";
    const PREFIX: &'static str = "task-";
    const LIST: &'static str = "tasks";
    /// The notes of the project, and where the page makes a task.
    const TAKEN: &'static [&'static str] = &[PROJECT, "new"];
    /// All that are not over: what this run of the hub knows of them is in no log.
    const AT_REST: usize = usize::MAX;

    fn apply(&mut self, event: &Event) {
        Self::apply(self, event);
    }

    fn made(event: &Event) -> Option<&str> {
        match event {
            Event::TaskCreated(made) => Some(&made.task),
            Event::RecordPublished(_) | Event::AgentReported(_) => None,
        }
    }

    fn place(places: &mut Places, event: &Event, version: Version) {
        if let Event::RecordPublished(record) = event {
            places.add(record.version, version);
        }
    }

    fn request(event: &Event) -> Option<String> {
        match event {
            Event::TaskCreated(made) => made.request.as_ref().map(|(id, _)| id.clone()),
            Event::RecordPublished(_) | Event::AgentReported(_) => None,
        }
    }

    fn owns(stream: &StreamId) -> bool {
        stream.as_str().starts_with(Self::PREFIX) && !stream.as_str().ends_with(STARTS)
    }
}

/// One task in memory.
#[derive(Debug)]
pub(in crate::hub) struct LiveTask {
    pub log: Log<Task>,
    starts: Mutex<Starts>,
    seen: PlainMutex<Option<Seen>>,
    /// The turn of which whoever asked for its role was told, and when.
    told: PlainMutex<Option<(u64, Duration)>>,
    /// Whether its room may not know how far it has come.
    is_room_behind: AtomicBool,
}

impl Live<Task> for LiveTask {
    fn new(id: String, stream: StreamId) -> Arc<Self> {
        Arc::new(Self {
            log: Log::new(id, stream),
            starts: Mutex::default(),
            seen: PlainMutex::default(),
            told: PlainMutex::default(),
            is_room_behind: AtomicBool::new(false),
        })
    }

    fn log(&self) -> &Log<Task> {
        &self.log
    }
}

impl LiveTask {
    /// Locks what was started for it: after the task itself. A log of it that is damaged is damage of the task.
    pub(super) async fn starts(
        &self,
        journal: &dyn Journal,
        now: Now,
    ) -> Result<MutexGuard<'_, Starts>, HubError> {
        let mut starts = self.starts.lock().await;
        starts.load(journal, &self.log.stream, now).await.map_err(|error| match error {
            JournalError::Damaged { version, detail, .. } => HubError::LogDamaged {
                what: Task::WHAT,
                id: self.log.id.clone(),
                version,
                detail: format!("of what was started for it: {detail}"),
            },
            error @ JournalError::Unavailable { .. } => HubError::NotReadable(error),
        })?;
        Ok(starts)
    }

    /// Its room may not know how far it has come, or does; gives which it was before.
    pub(super) fn set_room_behind(&self, is_behind: bool) -> bool {
        self.is_room_behind.swap(is_behind, Ordering::SeqCst)
    }

    /// Whether its room may not know how far it has come.
    pub(super) fn is_room_behind(&self) -> bool {
        self.is_room_behind.load(Ordering::SeqCst)
    }

    /// Ends what this hub has started for it and what runs.
    pub(super) async fn end_agents(&self) {
        self.starts.lock().await.end_all();
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

    /// Whoever asked for the role whose turn it is was told, at this time.
    pub(super) fn tell_turn(&self, turn: u64, now: Duration) {
        *plain(&self.told) = Some((turn, now));
    }

    /// When somebody who asked for the role was told that it is this turn.
    pub(super) fn turn_told(&self, turn: u64) -> Option<Duration> {
        plain(&self.told).filter(|(of, _)| *of == turn).map(|(_, when)| when)
    }

    /// Records from `since` on, at most `limit`. Whoever locks the task first finds where they lie.
    pub(super) async fn read(
        &self,
        journal: &dyn Journal,
        since: u64,
        limit: usize,
    ) -> Result<Vec<Record>, HubError> {
        let mut after = plain(&self.log.places).before(since);
        let mut records = Vec::new();
        while records.len() < limit {
            let wanted = limit - records.len();
            let (events, next) = self.log.read(journal, after, wanted).await?;
            records.extend(events.into_iter().filter_map(|(event, _)| match event {
                Event::RecordPublished(record) => Some(*record),
                Event::TaskCreated(_) | Event::AgentReported(_) => None,
            }));
            let Some(next) = next else { break };
            after = next;
        }
        Ok(records)
    }
}
