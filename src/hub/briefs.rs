//! The briefs of all rooms in one file, so that a hub that starts need not read whole rooms to list them. The file
//! may be deleted at any time, and it may be old: each brief is compared with the log before it counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::brief::Brief;
use super::shared::Shared;
use crate::journal::{Journal, StreamId, Version};
use crate::platform;
use crate::room::Phase;

/// The briefs of a former hub that nobody has asked for yet, and where they are kept.
#[derive(Debug, Default)]
pub(super) struct Briefs {
    file: Option<PathBuf>,
    /// Whether a former hub has kept any.
    were_kept: bool,
    found: Mutex<BTreeMap<String, Brief>>,
    /// Whether there are briefs for which a room was loaded, and which the file does not have.
    has_more: AtomicBool,
}

impl Briefs {
    /// Reads the file. What cannot be read is as good as nothing.
    pub(super) async fn open(file: Option<PathBuf>) -> Self {
        let Some(path) = file.clone() else { return Self::default() };
        let read = tokio::task::spawn_blocking(move || std::fs::read(path).ok()).await;
        let found: Option<BTreeMap<_, _>> =
            read.ok().flatten().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let were_kept = found.is_some();
        let (found, has_more) = (Mutex::new(found.unwrap_or_default()), AtomicBool::new(false));
        Self { file, were_kept, found, has_more }
    }

    /// The brief of a room, if the log has nothing that it does not know. It is given once.
    pub(super) async fn take(&self, stream: &StreamId, journal: &dyn Journal) -> Option<Brief> {
        let brief = self.found().remove(stream.as_str())?;
        // Its last event must be there, and no other: a log that was repaired may be shorter.
        let from_last = journal.read(stream, Version(brief.version.checked_sub(1)?), 2).await;
        from_last.is_ok_and(|events| events.len() == 1).then_some(brief)
    }

    /// A room cannot be read: no brief of it counts.
    pub(super) fn forget(&self, stream: &StreamId) {
        self.found().remove(stream.as_str());
    }

    /// A room was loaded only for its brief.
    pub(super) fn has_more(&self) {
        self.has_more.store(true, Ordering::Release);
    }

    /// Whether the file should be written, so that those rooms are not loaded for it again.
    pub(super) fn should_be_saved(&self) -> bool {
        self.has_more.swap(false, Ordering::AcqRel)
    }

    /// Writes the file: the briefs that are known now, and those that nobody has asked for.
    pub(super) async fn save(&self, known: impl Iterator<Item = (StreamId, Brief)>) {
        let Some(file) = self.file.clone() else { return };
        let mut all = self.found().clone();
        all.extend(known.map(|(stream, brief)| (stream.to_string(), brief)));
        let written = tokio::task::spawn_blocking(move || write(&file, &all)).await;
        if let Ok(Err(error)) = written {
            tracing::warn!(%error, "the next start will have to read whole rooms to list them");
        }
    }

    fn found(&self) -> MutexGuard<'_, BTreeMap<String, Brief>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Whether a brief that is missing tells that the former hub did not see to the room to the end.
    pub(super) fn misses_briefs(&self) -> bool {
        self.settings.is_after_crash || self.briefs.were_kept
    }

    /// Writes down how the rooms stand, so that the next hub can list them without reading them.
    pub(super) async fn save_briefs(self: &Arc<Self>) {
        let mut known = Vec::new();
        for live in self.rooms_seen() {
            // Who is over and has no brief is looked at by the next hub, and so is its note.
            if let Some(brief) = live.known_brief(self).await
                && (brief.phase != Phase::Closed || live.note.is_whole() || !self.misses_briefs())
            {
                known.push((live.stream.clone(), brief.as_ref().clone()));
            }
        }
        self.briefs.save(known.into_iter()).await;
    }
}

fn write(path: &Path, all: &BTreeMap<String, Brief>) -> std::io::Result<()> {
    platform::files::replace(path, &serde_json::to_vec(all)?)
}
