//! A few read-only connections, used by one read each at a time, on threads that may block.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::{rows, schema};
use crate::journal::error::Closed;
use crate::journal::{JournalError, Recorded, StreamId, Version};

/// Reads at the same time. More would only wait for the disk together.
const READERS: u32 = 4;

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
    /// Open and not in use.
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// No connection is opened before it is needed.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            pool: Arc::new(Pool { path: path.to_owned(), idle: Mutex::default() }),
            permits: Arc::new(Semaphore::new(READERS as usize)),
        }
    }

    pub(super) async fn read(
        &self,
        stream: StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| JournalError::unavailable(Closed))?;
        let pool = Arc::clone(&self.pool);
        let reading = tokio::task::spawn_blocking(move || {
            let events = pool.read(&stream, after, limit);
            // Held until here, also when nobody waits for the read any more.
            drop(permit);
            events
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
    fn read(&self, stream: &StreamId, after: Version, limit: usize) -> Result<Vec<Recorded>, JournalError> {
        let idle = self.idle().pop();
        let connection = idle
            .map_or_else(|| schema::open_for_reading(&self.path), Ok)
            .map_err(JournalError::unavailable)?;
        // After an error the connection is given up: the next read starts with a fresh one.
        let events = rows::read(&connection, stream, after, limit)?;
        self.idle().push(connection);
        Ok(events)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
