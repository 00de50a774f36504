//! Opens and closes the rooms: journal, search index and hub are put together here.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::path;
use std::sync::Arc;
use std::time::Duration;

use super::ServeOptions;
use super::agents::Agents;
use super::judges::Judges;
use super::repositories::Repositories;
use crate::hub::{self, Hub, Limits, Settings, Waits};
use crate::journal::search::SqliteSearch;
use crate::journal::{self, JournalError, SqliteJournal};
use crate::paths::DataFolder;

/// Why the rooms cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] journal::OpenError),
    /// The list of rooms cannot be read.
    #[error(transparent)]
    Rooms(#[from] JournalError),
    /// A folder for transcripts has no path.
    #[error("a folder of `--transcripts` is no path; leave it out, or name another")]
    Folder(#[from] io::Error),
}

/// How the hub before this one has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// In order, or there was none.
    Ended,
    /// It died: it has not let go of the data folder.
    Died,
}

/// The hub of a data folder, which listens at `url`.
pub(super) async fn open(options: &ServeOptions, url: &str, before: Before) -> Result<Arc<Hub>, OpenError> {
    let journal = SqliteJournal::open(&options.folder.journal())?;
    let search = SqliteSearch::open(&options.folder.search());
    let limits = options.config.limits;
    let folders = (options.folder.path(), options.folder.agents());
    let starter = Arc::new(Agents::new(options.places.clone(), &options.config.tasks, folders, url));
    let settings = Settings {
        // Absolute, so that a path in a folder that is not there yet is known to lie in it.
        folders: options.transcripts.iter().map(path::absolute).collect::<Result<_, _>>()?,
        allowed_folders: Some(options.folder.allowed_folders()),
        briefs: Some(options.folder.briefs()),
        max_message: limits.message_bytes.get(),
        is_after_crash: before == Before::Died,
        waits: waits(&options.config.clients),
        learned_waits: Some(options.folder.learned_waits()),
        limits: Limits {
            open_rooms: limits.open_rooms.get(),
            participants: limits.participants.get(),
            aliases: limits.aliases.get(),
            waits: limits.waits.get(),
            subscriptions: limits.subscriptions.get(),
        },
        commits: Arc::new(Repositories::new(Arc::clone(&starter))),
        starter,
        judge: Arc::new(Judges::new(options.config.puzzles.clone(), options.folder.path().to_owned())),
    };
    Ok(Arc::new(Hub::open(Arc::new(journal), Arc::new(search), settings).await?))
}

fn waits(clients: &BTreeMap<String, NonZeroU32>) -> Waits {
    let seconds = |seconds: &NonZeroU32| Duration::from_secs(seconds.get().into());
    let named = clients.iter().filter(|(name, _)| name.as_str() != "other");
    let other = clients.get("other").map(seconds);
    Waits {
        clients: named.map(|(name, wait)| (name.clone(), seconds(wait))).collect(),
        other: other.unwrap_or(Waits::default().other),
    }
}

/// What the hubs of a folder have learned of how long clients let a call block: by name and version of the client.
/// For whoever looks while no hub runs; a running one tells it in its status.
#[must_use]
pub fn learned_waits(folder: &DataFolder) -> Vec<(String, Duration)> {
    let learned = hub::learned_waits(&folder.learned_waits());
    learned.into_iter().map(|safe| (safe.client, safe.wait)).collect()
}
