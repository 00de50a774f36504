//! What the system tells of changed files: one watcher for all folders, and for each folder the names that somebody has
//! touched. Names are all it gives; whoever looks finds out what has happened.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;

/// How the name of a reply note ends.
const ENDING: &str = ".reply.md";

/// What was touched in one folder since somebody last asked.
#[derive(Debug, Default)]
pub(super) struct Touched {
    news: Mutex<News>,
    changed: Notify,
}

/// What has happened in a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// Names of files.
    pub(super) names: BTreeSet<OsString>,
    /// Events were lost: anything may have happened.
    pub(super) is_incomplete: bool,
    /// The folder is no longer watched.
    pub(super) is_lost: bool,
}

impl Touched {
    /// Returns when there is news.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    pub(super) fn take(&self) -> News {
        std::mem::take(&mut self.news())
    }

    fn note(&self, change: impl FnOnce(&mut News)) {
        change(&mut self.news());
        self.changed.notify_one();
    }

    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Folders = Arc<Mutex<HashMap<PathBuf, Arc<Touched>>>>;

/// The watcher of all folders. It is made when the first one is to be watched.
#[derive(Debug, Default)]
pub(super) struct Watcher {
    folders: Folders,
    system: Mutex<Option<RecommendedWatcher>>,
    /// As on a system that cannot watch.
    #[cfg(test)]
    is_deaf: bool,
}

impl Watcher {
    /// A watcher that is never told anything.
    #[cfg(test)]
    pub(super) fn deaf() -> Self {
        Self { is_deaf: true, ..Self::default() }
    }

    /// Watches a folder. `false`: the system cannot, at least not now. May wait for the disk.
    pub(super) fn watch(&self, folder: &Path, touched: &Arc<Touched>) -> bool {
        #[cfg(test)]
        if self.is_deaf {
            return false;
        }
        locked(&self.folders).insert(folder.to_owned(), Arc::clone(touched));
        let mut system = locked(&self.system);
        let watched = match system.as_mut() {
            Some(watcher) => again(watcher, folder),
            None => started(&self.folders).and_then(|watcher| again(system.insert(watcher), folder)),
        };
        if let Err(error) = &watched {
            tracing::debug!(folder = %folder.display(), %error, "the folder is looked at from time to time instead");
        }
        watched.is_ok()
    }
}

/// Watches a folder anew: another one may have its name by now.
fn again(watcher: &mut RecommendedWatcher, folder: &Path) -> notify::Result<()> {
    // Of one that was not watched, this says only that.
    let _ = watcher.unwatch(folder);
    watcher.watch(folder, RecursiveMode::NonRecursive)
}

fn started(folders: &Folders) -> notify::Result<RecommendedWatcher> {
    let folders = Arc::clone(folders);
    RecommendedWatcher::new(move |told| spread(&folders, told), Config::default())
}

/// Tells those whom it concerns. Runs in the thread of the watcher.
fn spread(folders: &Folders, told: notify::Result<Event>) {
    let folders = locked(folders);
    let Ok(event) = told else {
        folders.values().for_each(|touched| touched.note(|news| news.is_incomplete = true));
        return;
    };
    if event.need_rescan() {
        folders.values().for_each(|touched| touched.note(|news| news.is_incomplete = true));
    }
    if is_only_a_look(event.kind) {
        return;
    }
    for path in &event.paths {
        if let Some(touched) = folders.get(path) {
            // The folder itself was moved or removed, or its rights have changed.
            touched.note(|news| news.is_lost = true);
        }
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        if let Some(touched) = folders.get(folder).filter(|_| name.to_string_lossy().ends_with(ENDING)) {
            touched.note(|news| {
                news.names.insert(name.to_owned());
            });
        }
    }
}

/// Whether nothing was written. Our own looks are told, too.
fn is_only_a_look(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

/// The lock is held for a few moves of values, which cannot fail half-way.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
