//! What is being made: its id is kept, and the same request twice at once makes one. So the list is not held while a disk
//! works.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex as PlainMutex, MutexGuard, PoisonError};

use tokio::sync::Mutex;

use super::{Aggregate, List};

/// What is being made, of one kind.
#[derive(Debug, Default)]
pub(in crate::hub) struct Making {
    ids: PlainMutex<BTreeSet<String>>,
    requests: PlainMutex<HashMap<String, Arc<Mutex<()>>>>,
}

/// An id that is kept for as long as its owner is being made.
#[derive(Debug)]
pub(in crate::hub) struct Kept<'a> {
    making: &'a Making,
    id: String,
}

impl Making {
    /// Keeps a free id for one with this title.
    pub(in crate::hub) fn keep_free<A: Aggregate>(&self, list: &List<A>, title: &str) -> Kept<'_> {
        let mut ids = plain(&self.ids);
        let id = list.free_id(title, |id| ids.contains(id));
        ids.insert(id.clone());
        Kept { making: self, id }
    }

    /// Keeps this id, if it is free.
    pub(in crate::hub) fn keep<A: Aggregate>(&self, list: &List<A>, id: &str) -> Option<Kept<'_>> {
        let mut ids = plain(&self.ids);
        let is_free = !A::TAKEN.contains(&id) && list.get(id).is_none() && ids.insert(id.to_owned());
        is_free.then(|| Kept { making: self, id: id.to_owned() })
    }

    /// What only one of those holds who make something by the same request.
    pub(in crate::hub) fn same_request(&self, id: &str) -> Arc<Mutex<()>> {
        let mut requests = plain(&self.requests);
        requests.retain(|_, same| Arc::strong_count(same) > 1);
        Arc::clone(requests.entry(id.to_owned()).or_default())
    }
}

impl Kept<'_> {
    pub(in crate::hub) fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        plain(&self.making.ids).remove(&self.id);
    }
}

/// The lock is held for a few moves of values, which cannot fail half-way.
pub(in crate::hub) fn plain<T>(mutex: &PlainMutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
