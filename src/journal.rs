//! The append-only log of events: the only truth. Everything else can be made again from it.
//!
//! A journal holds streams. A stream is a list of events, numbered from 1 without gaps. Whoever appends says
//! how many events it knows; if there are more by then, nothing is stored and the answer is a conflict. No
//! more is asked of a journal, so that one shared by several hubs fits as well as one file of one hub.
//!
//! The journal knows nothing of what its events mean.
//!
//! **Invariant (stored before told):** what [`Journal::append`] answers, and what [`Journal::subscribe`]
//! tells, is durable by then.

mod error;
mod event;
mod memory;
mod place;
pub mod search;
mod sqlite;
#[cfg(test)]
mod suite;

use std::fmt::Debug;
use std::path::Path;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;

pub use error::{AppendError, Cause, CopyError, JournalError};
pub use event::{Appended, InvalidStreamId, NewEvent, Recorded, StreamId, Version};
pub use memory::MemoryJournal;
use sqlite::is_damage;
pub use sqlite::{Cut, OpenError, RepairError, Repaired, SqliteArchive, SqliteJournal, copy, repair};

/// How many bytes one append may hold: all its kinds and bodies together.
pub const MAX_APPEND_BYTES: usize = 64 << 20;

/// The kind of the event that stands where a repair could not save one.
pub const LOST: &str = "lost";

/// How many announcements a slow subscriber may be behind before it is told that it lagged.
const SUBSCRIBER_BACKLOG: usize = 4096;

/// An append-only log of many streams.
#[async_trait]
pub trait Journal: Debug + Send + Sync {
    /// Appends all `events` after `expected`, or none of them. Gives the new version. Durable on return.
    ///
    /// `at` is kept to the microsecond. No events: only the version is checked. A caller that stops waiting
    /// does not take its append back. [`AppendError::Unavailable`] means: not stored as far as is known. A
    /// log across a network may have stored it and lost the answer; then the next append is a conflict, and
    /// reading on tells.
    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError>;

    /// The events after version `after`, in order, at most `limit`. None: `after` is the end of the stream. A
    /// stream that nobody has appended to is empty.
    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError>;

    /// All streams that hold events, in any order.
    async fn streams(&self) -> Result<Vec<StreamId>, JournalError>;

    /// Removes all events of a stream for good, or none of them; gives how many there were. Durable on return. The
    /// stream is then like one that nobody has appended to. Nobody is told of it.
    async fn erase(&self, stream: &StreamId) -> Result<u64, AppendError>;

    /// Writes all that is stored by now into a new file, from which a journal can be opened again; gives its length
    /// in bytes. Appends go on meanwhile. The file is for this user only, and appears when it is whole.
    async fn copy_to(&self, file: &Path) -> Result<u64, CopyError>;

    /// Tells of everything appended anywhere after this call, by this process or another. A reader that is
    /// too slow is told that it lagged. The announcements end when the journal is closed.
    fn subscribe(&self) -> BoxStream<'static, Appended>;

    /// Finishes what was asked before, and lets go of files and connections. Later calls are answered with
    /// `Unavailable`.
    async fn close(&self);
}
