//! The journal in one SQLite file: the default, nothing to install.
//!
//! One thread writes. It takes all appends that wait and commits them together, so that many rooms share one
//! flush of the disk. A few read-only connections read beside it; neither side waits for the other.
//!
//! The file belongs to one hub at a time, which the lock of the data folder sees to. So what this process
//! appends is all that is appended, and subscribers need no more than a channel. Even without the lock two
//! processes could not overwrite each other: versions are compared inside the transaction that writes.

mod archive;
mod copy;
mod readers;
mod repair;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;
use rusqlite::ErrorCode;

use super::error::cause;
use super::event::checked_size;
use super::{
    AppendError, Appended, Cause, CopyError, Journal, JournalError, NewEvent, Recorded, StreamId, Version,
};
pub use archive::SqliteArchive;
pub use copy::copy;
use readers::Readers;
pub use repair::{Cut, RepairError, Repaired, repair};
pub(super) use schema::with_ending;
use writer::{Append, Writer};

/// The journal in one SQLite file.
///
/// Dropping it without [`Journal::close`] waits for the writer too, and blocks the thread for that long.
#[derive(Debug)]
pub struct SqliteJournal {
    // In this order they are dropped: the writer closes last and tidies the file.
    readers: Readers,
    writer: Writer,
}

/// Why the file cannot be opened as a journal. It was not changed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// A newer turnroom wrote it.
    #[error("`{path}` has format {found}, this turnroom knows {known}; use the newer turnroom that wrote it")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that is known here.
        known: u32,
    },
    /// It is something else.
    #[error(
        "`{path}` is no journal of turnroom, or its beginning is damaged; it is left as it is: \
        move it away, or choose another folder with --data-dir"
    )]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be used as a whole: it is shorter than it should be, or its tables are damaged.
    #[error(
        "the journal `{path}` is damaged, and is left as it is; `turnroom doctor` says what can still be read, \
        and `turnroom doctor --repair` saves that into a new journal"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: Cause,
    },
    /// It is empty or gone, while the log beside it is not.
    #[error(
        "the journal `{path}` is empty, but `{path}-wal` beside it holds what was said last, and both are left as they \
        are; put a copy of the journal back, or move both away to begin anew"
    )]
    Emptied {
        /// The file.
        path: PathBuf,
    },
    /// Its disk has no space left for what a journal needs beside its file.
    #[error("the disk of the journal `{path}` is full; make space, and start the hub again")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Memory cannot be shared through files there.
    #[error("`{path}` is on a file system that cannot hold a journal; choose a local folder with --data-dir")]
    NotLocal {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read or written.
    #[error("cannot open the journal `{path}`; see that its folder can be written to and its disk has space")]
    Unavailable {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: Cause,
    },
}

impl SqliteJournal {
    /// Opens the journal in this file, and makes the file if there is none. Blocks for some milliseconds.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = schema::open(path)?;
        let writer = Writer::start(connection)
            .map_err(|error| OpenError::Unavailable { path: path.to_owned(), source: cause(error) })?;
        Ok(Self { readers: Readers::new(path), writer })
    }
}

#[async_trait]
impl Journal for SqliteJournal {
    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        checked_size(&events)?;
        self.writer.append(Append::new(stream.clone(), expected, events, at)).await
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

    async fn erase(&self, stream: &StreamId) -> Result<u64, AppendError> {
        self.writer.erase(stream.clone()).await
    }

    async fn copy_to(&self, file: &Path) -> Result<u64, CopyError> {
        self.readers.copy_to(file).await
    }

    fn subscribe(&self) -> BoxStream<'static, Appended> {
        self.writer.subscribe()
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Whether the error says that bytes in the file are not what they were.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(failure, _) => failure.code == ErrorCode::DatabaseCorrupt,
        Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) | Error::Utf8Error(..) => true,
        _ => false,
    }
}
