//! A few read-only connections, used by one read each at a time, on threads that may block.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::{rows, schema};
use crate::journal::error::{Closed, cause};
use crate::journal::{CopyError, JournalError, Recorded, StreamId, Version};

/// Reads at the same time. More would only wait for the disk together.
const READERS: u32 = 4;

/// How a connection is opened.
type Open = fn(&Path) -> rusqlite::Result<Connection>;

/// The read-only connections.
#[derive(Debug)]
pub(super) struct Readers {
    pool: Arc<Pool>,
    /// One permit for each connection; closed with the journal.
    permits: Arc<Semaphore>,
}

#[derive(Debug)]
struct Pool {
    path: PathBuf,
    open: Open,
    /// Open and not in use.
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// No connection is opened before it is needed.
    pub(super) fn new(path: &Path) -> Self {
        Self::opened_by(path, schema::open_for_reading)
    }

    /// As [`Readers::new`], with another way to open the file.
    pub(super) fn opened_by(path: &Path, open: Open) -> Self {
        Self {
            pool: Arc::new(Pool { path: path.to_owned(), open, idle: Mutex::default() }),
            permits: Arc::new(Semaphore::new(READERS as usize)),
        }
    }

    pub(super) async fn read(
        &self,
        stream: StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.use_one(move |connection| rows::read(connection, &stream, after, limit)).await
    }

    pub(super) async fn streams(&self) -> Result<Vec<StreamId>, JournalError> {
        self.use_one(|connection| rows::streams(connection).map_err(JournalError::unavailable)).await
    }

    /// Copies the journal. The connection for that is its own: one that only reads may not write the copy either.
    pub(super) async fn copy_to(&self, file: &Path) -> Result<u64, CopyError> {
        let unreadable = |source| CopyError::Unreadable { source };
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| unreadable(cause(Closed)))?;
        let (path, file) = (self.pool.path.clone(), file.to_owned());
        let copying = tokio::task::spawn_blocking(move || {
            let copied = super::copy(&path, &file);
            drop(permit);
            copied
        });
        copying.await.map_err(|error| unreadable(cause(error)))?
    }

    /// Works with one connection, once one is free.
    pub(super) async fn use_one<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, JournalError> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| JournalError::unavailable(Closed))?;
        let pool = Arc::clone(&self.pool);
        let reading = tokio::task::spawn_blocking(move || {
            let found = pool.use_one(work);
            // Held until here, also when nobody waits for the read any more.
            drop(permit);
            found
        });
        reading.await.map_err(JournalError::unavailable)?
    }

    /// Waits for the reads that run, and closes the connections.
    pub(super) async fn close(&self) {
        let all = self.permits.acquire_many(READERS).await;
        self.permits.close();
        self.pool.idle().clear();
        drop(all);
    }
}

impl Pool {
    fn use_one<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let idle = self.idle().pop();
        let connection =
            idle.map_or_else(|| (self.open)(&self.path), Ok).map_err(JournalError::unavailable)?;
        // After an error the connection is given up: the next read starts with a fresh one.
        let found = work(&connection)?;
        self.idle().push(connection);
        Ok(found)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
