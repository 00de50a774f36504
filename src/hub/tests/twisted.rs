//! Journals in memory that behave badly in one way, and well in all others.

use std::fmt::Debug;
use std::ops::Deref;
use std::path::Path;

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
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
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
