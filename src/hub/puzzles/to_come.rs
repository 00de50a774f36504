//! Those who wait for puzzles that there are not yet. However many there are, adding another puzzle costs the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, watch};

use super::plain;
use crate::hub::again::AGAIN;
use crate::hub::{Hub, HubError};
use crate::puzzle::Refusal;

/// Who is to be told of which puzzle, and how many wait for it.
#[derive(Debug, Default)]
pub(super) struct ToCome(Mutex<HashMap<String, (Arc<Notify>, usize)>>);

impl ToCome {
    /// Somebody waits for this one.
    fn expect(&self, id: &str) -> Expected<'_> {
        let mut all = plain(&self.0);
        let (told, waiting) = all.entry(id.to_owned()).or_default();
        *waiting += 1;
        Expected { all: self, id: id.to_owned(), told: Arc::clone(told) }
    }

    /// It was added.
    pub(super) fn has_come(&self, id: &str) {
        if let Some((told, _)) = plain(&self.0).get(id) {
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
        if let Some((_, waiting)) = all.get_mut(&self.id) {
            *waiting -= 1;
            if *waiting == 0 {
                all.remove(&self.id);
            }
        }
    }
}

impl Hub {
    /// The changes of a puzzle from when somebody adds it, which is the first of them. One that was removed by then changes
    /// no more.
    pub async fn changes_of_puzzle_to_come(&self, puzzle: &str) -> watch::Receiver<u64> {
        let expected = self.shared.puzzles.to_come.expect(puzzle);
        loop {
            let told = expected.told.notified();
            tokio::pin!(told);
            // From here on it is heard of, so it is looked for only now.
            told.as_mut().enable();
            let mut changes = match self.changes_of_puzzle(puzzle).await {
                Ok(changes) => changes,
                Err(HubError::Puzzle { refusal: Refusal::Removed, .. }) => watch::channel(0).1,
                Err(error) if error.is_of_a_disk() => {
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
                Err(_) => {
                    told.await;
                    continue;
                }
            };
            changes.mark_changed();
            return changes;
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
        all.has_come("a");
        drop(one);
        assert_eq!(plain(&all.0).len(), 1);
        drop(other);
        assert!(plain(&all.0).is_empty());
        all.has_come("b");
        assert!(plain(&all.0).is_empty());
    }
}
