//! Rooms that are being started just now. Their paths and ids are theirs before they stand in the list of rooms, so
//! that nobody has to hold the list while a disk works.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Which rooms are being started.
#[derive(Debug, Default)]
pub(super) struct Starting {
    reserved: Mutex<Vec<Reserved>>,
    freed: Notify,
}

#[derive(Debug)]
struct Reserved {
    path: PathBuf,
    id: Option<String>,
    /// Whether it takes the place of no open room.
    is_more: bool,
}

/// A path, and later an id, that is kept for one room until this is dropped.
#[derive(Debug)]
pub(super) struct Place<'a> {
    starting: &'a Starting,
    path: PathBuf,
}

impl Starting {
    /// Takes a path. Waits while another room is started there.
    pub(super) async fn take(&self, path: &Path) -> Place<'_> {
        loop {
            // Made before the look, so that no place that becomes free in between is missed.
            let freed = self.freed.notified();
            if self.reserve(path) {
                return Place { starting: self, path: path.to_owned() };
            }
            freed.await;
        }
    }

    fn reserve(&self, path: &Path) -> bool {
        let mut reserved = self.reserved();
        let is_free = !has(&reserved, path);
        if is_free {
            reserved.push(Reserved { path: path.to_owned(), id: None, is_more: false });
        }
        is_free
    }

    /// Whether a room is being started there.
    pub(super) fn has_path(&self, path: &Path) -> bool {
        has(&self.reserved(), path)
    }

    /// Where a room with this id is being started.
    pub(super) fn path_of(&self, id: &str) -> Option<PathBuf> {
        let reserved = self.reserved();
        let one = reserved.iter().find(|one| one.id.as_deref() == Some(id));
        one.map(|one| one.path.clone())
    }

    /// How many more rooms there will be.
    pub(super) fn count(&self) -> usize {
        self.reserved().iter().filter(|one| one.is_more).count()
    }

    fn reserved(&self) -> MutexGuard<'_, Vec<Reserved>> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has(reserved: &[Reserved], path: &Path) -> bool {
    reserved.iter().any(|one| one.path == path)
}

impl Place<'_> {
    /// Takes an id, too. Call it while the list of rooms is locked, in which it must be free.
    pub(super) fn name(&self, id: &str, is_more: bool) {
        if let Some(one) = self.starting.reserved().iter_mut().find(|one| one.path == self.path) {
            one.id = Some(id.to_owned());
            one.is_more = is_more;
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.starting.reserved().retain(|one| one.path != self.path);
        self.starting.freed.notify_waiters();
    }
}
