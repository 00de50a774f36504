//! A journal that is only looked at: for `turnroom doctor`, beside a running hub or without one.

use std::path::Path;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream, StreamExt};
use rusqlite::Connection;

use super::readers::Readers;
use super::{is_damage, schema};
use crate::journal::{
    AppendError, Appended, CopyError, Journal, JournalError, NewEvent, Recorded, StreamId, Version,
};

/// Complaints of SQLite that are told; a file that is broken all over has thousands.
const MOST_COMPLAINTS: usize = 5;

/// A journal that is only read, in whatever state its file is.
#[derive(Debug)]
pub struct SqliteArchive {
    readers: Readers,
}

/// An archive takes nothing.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this journal is only read")]
struct OnlyRead;

impl SqliteArchive {
    /// Over this file. It is opened when something is read.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { readers: Readers::opened_by(path, schema::open_what_is_left) }
    }

    /// What SQLite finds wrong with the pages of the file; nothing, if it is sound. Reads the whole file.
    pub async fn complaints(&self) -> Result<Vec<String>, JournalError> {
        self.readers.use_one(|connection| or_damage(complaints(connection))).await
    }

    /// How many events lie in the file that belong to no stream.
    pub async fn strays(&self) -> Result<u64, JournalError> {
        self.readers.use_one(|connection| strays(connection).map_err(JournalError::unavailable)).await
    }
}

/// That a check breaks off is a complaint too.
fn or_damage(found: rusqlite::Result<Vec<String>>) -> Result<Vec<String>, JournalError> {
    match found {
        Err(error) if is_damage(&error) => Ok(vec![error.to_string()]),
        found => found.map_err(JournalError::unavailable),
    }
}

fn complaints(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare(&format!("PRAGMA quick_check({MOST_COMPLAINTS})"))?;
    let lines = check.query_map((), |row| row.get::<_, String>(0))?;
    let lines: Vec<String> = lines.collect::<rusqlite::Result<_>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn strays(connection: &Connection) -> rusqlite::Result<u64> {
    let query = "SELECT count(*) FROM events WHERE (place >> 32) NOT IN (SELECT id FROM streams)";
    connection.query_row(query, (), |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

#[async_trait]
impl Journal for SqliteArchive {
    async fn append(
        &self,
        _: &StreamId,
        _: Version,
        _: Vec<NewEvent>,
        _: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        Err(AppendError::unavailable(OnlyRead))
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.readers.read(stream.clone(), after, limit).await
    }

    async fn streams(&self) -> Result<Vec<StreamId>, JournalError> {
        self.readers.streams().await
    }

    async fn erase(&self, _: &StreamId) -> Result<u64, AppendError> {
        Err(AppendError::unavailable(OnlyRead))
    }

    async fn copy_to(&self, file: &Path) -> Result<u64, CopyError> {
        self.readers.copy_to(file).await
    }

    fn subscribe(&self) -> BoxStream<'static, Appended> {
        stream::empty().boxed()
    }

    async fn close(&self) {
        self.readers.close().await;
    }
}
