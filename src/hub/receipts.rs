//! Answers that may be taken back: where each one went, and which did not arrive.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::caller::Session;
use super::live::LiveRoom;
use crate::room::Handle;

/// Answers that are remembered; older ones have long arrived.
const KEPT: usize = 16_384;

/// Where the newest answers went.
#[derive(Debug, Default)]
pub(super) struct Receipts(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    newest: u64,
    order: VecDeque<u64>,
    given: HashMap<u64, Given>,
}

#[derive(Debug)]
struct Given {
    to: Place,
    is_taken_back: bool,
}

/// Where an answer went.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub live: Weak<LiveRoom>,
    pub handle: Handle,
    pub session: Option<Session>,
}

impl Receipts {
    /// Notes an answer; gives its number.
    pub(super) fn give(&self, live: &Arc<LiveRoom>, handle: &Handle, session: Option<Session>) -> u64 {
        let mut kept = self.lock();
        kept.newest += 1;
        let receipt = kept.newest;
        let to = Place { live: Arc::downgrade(live), handle: handle.clone(), session };
        kept.given.insert(receipt, Given { to, is_taken_back: false });
        kept.order.push_back(receipt);
        if kept.order.len() > KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.given.remove(&oldest);
        }
        receipt
    }

    /// Marks an answer as taken back, at once; gives where it went.
    pub(super) fn take_back(&self, receipt: u64) -> Option<Place> {
        let mut kept = self.lock();
        let given = kept.given.get_mut(&receipt)?;
        given.is_taken_back = true;
        Some(given.to.clone())
    }

    /// Whether an answer was taken back.
    pub(super) fn is_taken_back(&self, receipt: u64) -> bool {
        self.lock().given.get(&receipt).is_some_and(|given| given.is_taken_back)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
