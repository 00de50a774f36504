//! Journals in memory that behave badly in one way, and well in all others.

use std::fmt::Debug;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;

use crate::journal::{
    AppendError, Appended, CopyError, Journal, JournalError, MemoryJournal, NewEvent, Recorded, StreamId,
    Version,
};

/// How a journal behaves badly. What is not told otherwise it does as it should.
#[async_trait]
pub(super) trait Twist: Debug + Default + Send + Sync {
    /// Whether the disk takes nothing for this stream now, of which so much is stored.
    fn refuses(&self, _stream: &StreamId, _stored: Version) -> bool {
        false
    }

    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        if self.refuses(stream, expected) {
            return Err(no_space());
        }
        inner.append(stream, expected, events, at).await
    }

    async fn read(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        inner.read(stream, after, limit).await
    }

    async fn erase(&self, inner: &MemoryJournal, stream: &StreamId) -> Result<u64, AppendError> {
        inner.erase(stream).await
    }
}

/// What a full disk says.
pub(super) fn no_space() -> AppendError {
    AppendError::Unavailable { source: Arc::new(io::Error::other("no space")) }
}

/// Nothing is stored of a room while this is set.
#[derive(Debug, Default)]
pub(super) struct NoRooms(pub AtomicBool);

impl Twist for NoRooms {
    fn refuses(&self, stream: &StreamId, _: Version) -> bool {
        self.0.load(Ordering::SeqCst) && stream.as_str().starts_with("room/")
    }
}

/// A journal with a twist.
#[derive(Debug, Default)]
pub(super) struct Twisted<T> {
    pub inner: MemoryJournal,
    twist: T,
}

impl<T> Deref for Twisted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.twist
    }
}

#[async_trait]
impl<T: Twist> Journal for Twisted<T> {
    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        self.twist.append(&self.inner, stream, expected, events, at).await
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.twist.read(&self.inner, stream, after, limit).await
    }

    async fn streams(&self) -> Result<Vec<StreamId>, JournalError> {
        self.inner.streams().await
    }

    async fn erase(&self, stream: &StreamId) -> Result<u64, AppendError> {
        self.twist.erase(&self.inner, stream).await
    }

    async fn copy_to(&self, file: &Path) -> Result<u64, CopyError> {
        self.inner.copy_to(file).await
    }

    fn subscribe(&self) -> BoxStream<'static, Appended> {
        self.inner.subscribe()
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
