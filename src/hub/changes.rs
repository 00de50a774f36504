//! That something has changed, told to whoever watches it, also to whoever could begin to watch only a moment later.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// The number of the last change. All changes of this process are numbered in one row, whatever they change.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Tells of the changes of one thing. The value that is watched is the number of its last change, as far as is known; 0 if
/// it has not changed since the hub began.
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

    /// Before anybody watches it: its last change may have been this one.
    pub(super) fn came_before(&self, number: u64) {
        self.0.send_replace(number);
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

    /// Whether what is watched has changed since.
    #[must_use]
    pub fn is_before_last(self, watched: &watch::Receiver<u64>) -> bool {
        *watched.borrow() > self.0
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
        assert!(!moment.is_before_last(&thing.subscribe()));
        assert!(moment.is_before_last(&other.subscribe()));
        let before = thing.last();
        thing.happened();
        assert!(thing.last() > before);
        assert!(moment.is_before_last(&thing.subscribe()));
    }
}
