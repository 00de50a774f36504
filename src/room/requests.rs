//! The newest requests by the ids that their callers gave them, so that a retry is recognised.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// How many are remembered.
const KEPT: usize = 1_000;

/// The newest requests: of each its mark, and what became of it.
#[derive(Clone, Debug)]
pub struct Requests<T> {
    known: HashMap<String, (String, T)>,
    order: VecDeque<String>,
}

impl<T> Default for Requests<T> {
    fn default() -> Self {
        Self { known: HashMap::new(), order: VecDeque::new() }
    }
}

impl<T> Requests<T> {
    /// The mark of the request with this id, and what became of it.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&(String, T)> {
        self.known.get(id)
    }

    /// Keeps what became of a request; the oldest one is forgotten for it.
    pub fn keep(&mut self, id: &str, mark: &str, outcome: T) {
        if self.known.insert(id.to_owned(), (mark.to_owned(), outcome)).is_some() {
            return;
        }
        self.order.push_back(id.to_owned());
        if self.order.len() > KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

/// A mark of all that a request says, to tell a retry from another request of the same id. It is stored with events, so
/// the recipe may not change.
#[must_use]
pub fn mark(value: &Value) -> String {
    let digest = Sha256::digest(value.to_string());
    let number = digest.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    format!("{number:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_thousand_requests_are_known() {
        let mut requests = Requests::default();
        (0..=KEPT).for_each(|number| requests.keep(&number.to_string(), "m", number));
        assert!(requests.get("0").is_none());
        assert_eq!(requests.get("1"), Some(&("m".to_owned(), 1)));
        requests.keep("1", "n", 7);
        assert_eq!(requests.get("1"), Some(&("n".to_owned(), 7)));
        assert!(requests.get("2").is_some(), "a request that is kept again costs no other one");
    }
}
