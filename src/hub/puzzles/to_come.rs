//! Those who wait for puzzles that there are not yet. However many there are, adding another puzzle costs the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, watch};

use super::plain;
use crate::hub::Hub;

/// Who is to be told of which puzzle.
#[derive(Debug, Default)]
pub(super) struct ToCome(Mutex<HashMap<String, Arc<Notify>>>);

impl ToCome {
    /// Somebody waits for this one.
    fn expect(&self, id: &str) -> Expected<'_> {
        let told = Arc::clone(plain(&self.0).entry(id.to_owned()).or_default());
        Expected { all: self, id: id.to_owned(), told }
    }

    /// It was added.
    pub(super) fn has_come(&self, id: &str) {
        if let Some(told) = plain(&self.0).remove(id) {
            told.notify_waiters();
        }
    }
}

/// One who waits.
struct Expected<'a> {
    all: &'a ToCome,
    id: String,
    told: Arc<Notify>,
}

impl Drop for Expected<'_> {
    fn drop(&mut self) {
        let mut all = plain(&self.all.0);
        // Nobody else waits for it: there are this one, and that of the map.
        if Arc::strong_count(&self.told) == 2
            && all.get(&self.id).is_some_and(|told| Arc::ptr_eq(told, &self.told))
        {
            all.remove(&self.id);
        }
    }
}

impl Hub {
    /// The changes of a puzzle from when somebody adds it, which is the first of them.
    pub async fn changes_of_puzzle_to_come(&self, puzzle: &str) -> watch::Receiver<u64> {
        loop {
            let expected = self.shared.puzzles.to_come.expect(puzzle);
            let told = expected.told.notified();
            tokio::pin!(told);
            // From here on it is heard of, so it is looked for only now.
            told.as_mut().enable();
            if let Ok(mut changes) = self.changes_of_puzzle(puzzle).await {
                changes.mark_changed();
                return changes;
            }
            told.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_those_who_wait_no_more() {
        let all = ToCome::default();
        let (one, other) = (all.expect("a"), all.expect("a"));
        drop(one);
        assert_eq!(plain(&all.0).len(), 1);
        drop(other);
        assert!(plain(&all.0).is_empty());
        let late = all.expect("b");
        all.has_come("b");
        let next = all.expect("b");
        drop(late);
        assert_eq!(plain(&all.0).len(), 1, "the next one still waits");
        drop(next);
    }
}
