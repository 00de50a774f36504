//! That something has changed, told to whoever watches it, also to whoever could begin to watch only a moment later.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// The number of the last change. All changes of this process are numbered in one row, whatever they change.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Tells of the changes of one thing. The value that is watched is the number of its last change; 0 before the first.
#[derive(Debug, Default)]
pub(super) struct Changes(watch::Sender<u64>);

/// A moment in the row of all changes.
#[derive(Clone, Copy, Debug)]
pub struct Moment(u64);

impl Changes {
    /// The thing has changed.
    pub(super) fn happened(&self) {
        self.0.send_modify(|number| *number = LAST.fetch_add(1, Ordering::SeqCst) + 1);
    }

    /// What follows its changes.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }

    /// Whether nobody watches it.
    pub(super) fn is_unwatched(&self) -> bool {
        self.0.receiver_count() == 0
    }

    /// The number of its last change.
    pub(super) fn last(&self) -> u64 {
        *self.0.borrow()
    }
}

impl Moment {
    /// This moment: it comes after every change that was told by now.
    #[must_use]
    pub fn now() -> Self {
        Self(LAST.load(Ordering::SeqCst))
    }

    /// Whether what is watched has changed since. Its watcher has not seen that then.
    pub fn has_passed(self, watched: &mut watch::Receiver<u64>) -> bool {
        let has_changed = *watched.borrow() > self.0;
        if has_changed {
            watched.mark_changed();
        }
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_to_watch_late_sees_what_has_changed_since() {
        let (thing, other) = (Changes::default(), Changes::default());
        thing.happened();
        let moment = Moment::now();
        other.happened();
        let (mut watched, mut elsewhere) = (thing.subscribe(), other.subscribe());
        assert!(!moment.has_passed(&mut watched));
        assert!(!watched.has_changed().unwrap());
        assert!(moment.has_passed(&mut elsewhere));
        assert!(elsewhere.has_changed().unwrap());
        thing.happened();
        assert!(watched.has_changed().unwrap());
    }

    #[test]
    fn the_last_of_the_changes_counts() {
        let thing = Changes::default();
        let moment = Moment::now();
        thing.happened();
        let first = thing.last();
        thing.happened();
        assert!(thing.last() > first);
        assert!(moment.has_passed(&mut thing.subscribe()));
    }
}
