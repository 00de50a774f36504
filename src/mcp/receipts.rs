//! Answers that may have to be taken back, because they did not arrive.
//!
//! rmcp fires the token of a call when a cancellation comes while the call runs, and passes every cancellation
//! on, also one that comes late. A late one is found in the memory of its connection ([`Recent`] by request id).
//! A response that is cut is seen by the HTTP transport only, which finds its answer in [`Receipts`].

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::hub::{Hub, Receipt};

/// Tokens that the transport neither cut nor forgot: more than are ever in flight at a time.
const REMEMBERED_RESPONSES: usize = 4096;

/// Stands for one HTTP request. The transport puts it into the extensions of the request, and keeps a copy beside
/// the response body.
#[derive(Clone, Debug)]
pub struct CallToken {
    /// Unlike that of any other request of this hub.
    pub id: u64,
    /// Fires when the client has gone away; ends the call if it still runs.
    pub gone: CancellationToken,
}

/// The answers to HTTP requests whose responses are still on their way.
#[derive(Debug)]
pub struct Receipts {
    hub: Arc<Hub>,
    next: AtomicU64,
    held: Mutex<Recent<u64>>,
}

impl Receipts {
    /// No answers yet.
    #[must_use]
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { hub, next: AtomicU64::new(1), held: Mutex::new(Recent::new(REMEMBERED_RESPONSES)) }
    }

    /// A token for a new request.
    #[must_use]
    pub fn issue(&self) -> CallToken {
        CallToken { id: self.next.fetch_add(1, Ordering::Relaxed), gone: CancellationToken::new() }
    }

    /// Registers the answer to a request. If its client has gone already, the answer is taken back at once.
    pub fn hold(&self, call: &CallToken, receipt: Receipt) {
        lock(&self.held).put(call.id, receipt);
        // The client may have gone before the answer was registered: then `cut` has found nothing.
        if call.gone.is_cancelled() {
            self.take_back(call);
        }
    }

    /// The response was cut before its end: ends the call if it still runs, and takes its answer back.
    pub fn cut(&self, call: &CallToken) {
        call.gone.cancel();
        self.take_back(call);
    }

    /// The response went out to its end; gives the receipt of its answer, if it has one.
    #[must_use]
    pub fn release(&self, call: &CallToken) -> Option<Receipt> {
        lock(&self.held).take(&call.id)
    }

    fn take_back(&self, call: &CallToken) {
        let held = lock(&self.held).take(&call.id);
        if let Some(receipt) = held {
            self.hub.take_back(receipt);
        }
    }
}

/// The receipts of the newest calls, by what a call is known by.
#[derive(Debug)]
pub(super) struct Recent<K> {
    limit: usize,
    held: VecDeque<(K, Receipt)>,
}

impl<K: PartialEq> Recent<K> {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, held: VecDeque::new() }
    }

    /// Remembers a receipt; the oldest one is forgotten when there are too many.
    pub(super) fn put(&mut self, key: K, receipt: Receipt) {
        self.take(&key);
        if self.held.len() >= self.limit {
            self.held.pop_front();
        }
        self.held.push_back((key, receipt));
    }

    /// Gives a receipt out, once. The newest calls are the ones that are asked for.
    pub(super) fn take(&mut self, key: &K) -> Option<Receipt> {
        let place = self.held.iter().rposition(|(held, _)| held == key)?;
        self.held.remove(place).map(|(_, receipt)| receipt)
    }
}

/// What is locked here is whole at every moment, so a panic elsewhere does no harm.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_is_given_out_once() {
        let mut recent = Recent::new(2);
        recent.put("a", Receipt(1));
        assert_eq!(recent.take(&"a"), Some(Receipt(1)));
        assert_eq!(recent.take(&"a"), None);
    }

    #[test]
    fn only_the_newest_calls_are_remembered() {
        let mut recent = Recent::new(2);
        for (key, receipt) in [("a", 1), ("b", 2), ("c", 3)] {
            recent.put(key, Receipt(receipt));
        }
        assert_eq!(recent.take(&"a"), None);
        assert_eq!(recent.take(&"b"), Some(Receipt(2)));
        assert_eq!(recent.take(&"c"), Some(Receipt(3)));
    }

    #[test]
    fn a_request_id_that_is_used_again_stands_for_the_newest_call() {
        let mut recent = Recent::new(2);
        recent.put("a", Receipt(1));
        recent.put("a", Receipt(2));
        assert_eq!(recent.take(&"a"), Some(Receipt(2)));
        assert_eq!(recent.take(&"a"), None);
    }
}
