//! A journal that forgets everything at the end of the process: for tests.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;

use super::error::{Closed, NoFile, cause};
use super::event::{checked_size, kept};
use super::{
    AppendError, Appended, CopyError, Journal, JournalError, NewEvent, Recorded, SUBSCRIBER_BACKLOG,
    StreamId, Version,
};

/// A journal in memory.
#[derive(Debug)]
pub struct MemoryJournal {
    /// `None` once it is closed.
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    streams: HashMap<StreamId, Vec<Recorded>>,
    announcements: broadcast::Sender<Appended>,
}

impl MemoryJournal {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        let announcements = broadcast::Sender::new(SUBSCRIBER_BACKLOG);
        Self { open: Mutex::new(Some(Open { streams: HashMap::new(), announcements })) }
    }

    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryJournal {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        checked_size(&events)?;
        let mut open = self.open();
        let open = open.as_mut().ok_or_else(|| AppendError::unavailable(Closed))?;
        let actual = Version::EMPTY.plus(open.streams.get(stream).map_or(0, Vec::len));
        if actual != expected {
            return Err(AppendError::Conflict { actual });
        }
        if events.is_empty() {
            return Ok(actual);
        }
        let version = actual.plus(events.len());
        let numbered = events.into_iter().zip(1..);
        open.streams
            .entry(stream.clone())
            .or_default()
            .extend(numbered.map(|(event, nth)| event.into_recorded(actual.plus(nth), kept(at))));
        // An error only says that nobody listens.
        let _ = open.announcements.send(Appended::Events { stream: stream.clone(), version });
        Ok(version)
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let open = self.open();
        let open = open.as_ref().ok_or_else(|| JournalError::unavailable(Closed))?;
        let events = open.streams.get(stream).map_or(&[][..], Vec::as_slice);
        let skipped = usize::try_from(after.0).unwrap_or(usize::MAX);
        Ok(events.iter().skip(skipped).take(limit).cloned().collect())
    }

    async fn streams(&self) -> Result<Vec<StreamId>, JournalError> {
        let open = self.open();
        let open = open.as_ref().ok_or_else(|| JournalError::unavailable(Closed))?;
        Ok(open.streams.keys().cloned().collect())
    }

    async fn erase(&self, stream: &StreamId) -> Result<u64, AppendError> {
        let mut open = self.open();
        let open = open.as_mut().ok_or_else(|| AppendError::unavailable(Closed))?;
        Ok(open.streams.remove(stream).map_or(0, |events| events.len() as u64))
    }

    async fn copy_to(&self, _: &Path) -> Result<u64, CopyError> {
        Err(CopyError::Unreadable { source: cause(NoFile) })
    }

    fn subscribe(&self) -> BoxStream<'static, Appended> {
        self.open().as_ref().map_or_else(|| stream::empty().boxed(), |open| announced(&open.announcements))
    }

    async fn close(&self) {
        self.open().take();
    }
}

/// What a channel of announcements tells from now on.
pub(super) fn announced(channel: &broadcast::Sender<Appended>) -> BoxStream<'static, Appended> {
    BroadcastStream::new(channel.subscribe()).map(|told| told.unwrap_or(Appended::Lagged)).boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::journal::suite::journal_suite!((MemoryJournal::new(), ()));
}
