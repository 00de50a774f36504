//! Opens and closes the rooms: journal, search index and hub are put together here.

use std::io;
use std::path;
use std::sync::Arc;

use super::ServeOptions;
use crate::hub::{Hub, Limits, Settings};
use crate::journal::search::{SearchError, SqliteSearch};
use crate::journal::{self, JournalError, SqliteJournal};

/// Why the rooms cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] journal::OpenError),
    /// The list of rooms cannot be read.
    #[error(transparent)]
    Rooms(#[from] JournalError),
    /// The search index cannot be opened.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A folder for transcripts has no path.
    #[error("a folder of `--transcripts` is no path; leave it out, or name another")]
    Folder(#[from] io::Error),
}

/// The hub of a data folder.
pub(super) async fn open(options: &ServeOptions) -> Result<Arc<Hub>, OpenError> {
    let journal = SqliteJournal::open(&options.folder.journal())?;
    let search = SqliteSearch::open(&options.folder.search())?;
    let limits = options.config.limits;
    let settings = Settings {
        // Absolute, so that a path in a folder that is not there yet is known to lie in it.
        folders: options.transcripts.iter().map(path::absolute).collect::<Result<_, _>>()?,
        allowed_folders: Some(options.folder.allowed_folders()),
        max_message: limits.message_bytes.get(),
        limits: Limits { open_rooms: limits.open_rooms.get(), participants: limits.participants.get() },
    };
    Ok(Arc::new(Hub::open(Arc::new(journal), Arc::new(search), settings).await?))
}
