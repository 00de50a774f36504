//! What can go wrong with a journal.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use super::{StreamId, Version};

/// What lies behind an error. Shared, because one cause can fail many appends at once.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Why nothing was appended.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody else appended in between.
    #[error("the stream has {actual} events by now; read on and decide again")]
    Conflict {
        /// How many events the stream has.
        actual: Version,
    },
    /// The events are larger than a journal takes.
    #[error("the events hold {size} bytes; at most {limit} can be appended at once")]
    TooLarge {
        /// Bytes of all kinds and bodies.
        size: usize,
        /// How many would be allowed.
        limit: usize,
    },
    /// The journal cannot be written now: disk full or read-only, log not reachable, closed.
    #[error("the journal cannot be written; see that its disk has space and its folder can be written to")]
    Unavailable {
        /// What happened.
        source: Cause,
    },
    /// The stream is damaged.
    #[error("stream `{stream}` is damaged at event {version}: {detail}; other streams are not affected")]
    Damaged {
        /// Which stream.
        stream: StreamId,
        /// The event that should stand there.
        version: Version,
        /// What is wrong with it.
        detail: String,
    },
}

/// Why nothing could be read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// The journal cannot be read now.
    #[error("the journal cannot be read; see that its file is there and its disk works")]
    Unavailable {
        /// What happened.
        source: Cause,
    },
    /// The stream is damaged.
    #[error("stream `{stream}` is damaged at event {version}: {detail}; other streams are not affected")]
    Damaged {
        /// Which stream.
        stream: StreamId,
        /// The first event that cannot be read.
        version: Version,
        /// What is wrong with it.
        detail: String,
    },
}

/// Why there is no copy of the journal.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CopyError {
    /// Something has this name already.
    #[error("`{}` exists, and nothing is overwritten; name a new file", .0.display())]
    Exists(PathBuf),
    /// The file cannot be written.
    #[error("`{}` cannot be written; see that its folder is there and its disk has space", path.display())]
    Unwritable {
        /// Which file.
        path: PathBuf,
        /// What happened.
        source: Cause,
    },
    /// The journal cannot be read.
    #[error("the journal cannot be copied; `turnroom doctor` says what is wrong with it")]
    Unreadable {
        /// What happened.
        source: Cause,
    },
}

/// Shares the cause of an error.
pub(super) fn cause(error: impl Error + Send + Sync + 'static) -> Cause {
    Arc::new(error)
}

/// The journal was closed, or its writer has ended.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the journal is closed")]
pub(super) struct Closed;

/// The journal has no file that could be copied.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("it lies in no file")]
pub(super) struct NoFile;

impl AppendError {
    pub(super) fn unavailable(source: impl Error + Send + Sync + 'static) -> Self {
        Self::Unavailable { source: cause(source) }
    }
}

impl JournalError {
    pub(super) fn unavailable(source: impl Error + Send + Sync + 'static) -> Self {
        Self::Unavailable { source: cause(source) }
    }
}
