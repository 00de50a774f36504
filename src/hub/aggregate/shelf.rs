//! All that there are of a kind: the list of them, those in memory, and who has to hear of a change.
//!
//! Nobody holds the list while a disk works, but for whoever reads it for the first time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as PlainMutex};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard};

use super::{Aggregate, List, Listed, Log, Making, plain};
use crate::hub::changes::Changes;
use crate::hub::codec;
use crate::hub::error::HubError;
use crate::journal::{AppendError, Journal, StreamId};

/// One in memory.
pub(in crate::hub) trait Live<A: Aggregate>: Send + Sync {
    /// One that is loaded when it is locked.
    fn new(id: String, stream: StreamId) -> Arc<Self>;

    /// What has happened to it.
    fn log(&self) -> &Log<A>;
}

impl<A: Aggregate<Live = Self>> Live<A> for Log<A> {
    fn new(id: String, stream: StreamId) -> Arc<Self> {
        Arc::new(Self::new(id, stream))
    }

    fn log(&self) -> &Self {
        self
    }
}

/// All that there are of a kind.
#[derive(Debug)]
pub(in crate::hub) struct Shelf<A: Aggregate> {
    list: Mutex<List<A>>,
    /// Held by whoever writes to the list.
    writing: Mutex<()>,
    pub making: Making,
    live: PlainMutex<Kept<A::Live>>,
    /// Changes with everything that happens in any of them.
    pub changes: Changes,
    /// Changes when one is made, or is over.
    pub list_changes: Changes,
}

/// Those in memory.
#[derive(Debug)]
struct Kept<L> {
    by_id: HashMap<String, (Arc<L>, u64)>,
    /// How often one was looked for.
    looks: u64,
    /// With so many, those that nobody uses leave.
    most: usize,
    /// The last change of any that has left: one that comes back may have had it.
    gone: u64,
}

impl<A: Aggregate> Default for Shelf<A> {
    fn default() -> Self {
        let live = Kept { by_id: HashMap::new(), looks: 0, most: A::AT_REST, gone: 0 };
        Self {
            list: Mutex::default(),
            writing: Mutex::default(),
            making: Making::default(),
            live: PlainMutex::new(live),
            changes: Changes::default(),
            list_changes: Changes::default(),
        }
    }
}

impl<A: Aggregate> Shelf<A> {
    /// The list, which must not be held while a disk works.
    pub(in crate::hub) async fn list(
        &self,
        journal: &dyn Journal,
    ) -> Result<MutexGuard<'_, List<A>>, HubError> {
        let mut list = self.list.lock().await;
        if list.is_unread() {
            list.catch_up(journal).await.map_err(HubError::NotReadable)?;
        }
        Ok(list)
    }

    /// Those in memory.
    pub(in crate::hub) fn in_memory(&self) -> Vec<Arc<A::Live>> {
        plain(&self.live).by_id.values().map(|(live, _)| Arc::clone(live)).collect()
    }

    /// The one of this id, if it is in memory.
    pub(in crate::hub) fn get(&self, id: &str) -> Option<Arc<A::Live>> {
        let mut kept = plain(&self.live);
        kept.looks += 1;
        let looks = kept.looks;
        let (live, last) = kept.by_id.get_mut(id)?;
        *last = looks;
        Some(Arc::clone(live))
    }

    /// The one that is listed, in memory or to be loaded when it is locked. Those that are over do not stay.
    pub(in crate::hub) fn of(&self, listed: &Listed, begin: impl FnOnce(&A::Live)) -> Arc<A::Live> {
        let mut kept = plain(&self.live);
        if let Some((live, _)) = kept.by_id.get(&listed.id) {
            return Arc::clone(live);
        }
        let live = A::Live::new(listed.id.clone(), listed.stream.clone());
        live.log().changes.came_before(kept.gone);
        begin(&live);
        if listed.is_open {
            kept.put::<A>(&live);
        }
        live
    }

    /// Lists a new one, which is in memory from before: whoever finds it in the list finds this one. Where the list cannot be
    /// stored it names it for this run of the hub: the next one finds it by its own log.
    pub(in crate::hub) async fn add(
        &self,
        journal: &dyn Journal,
        live: &Arc<A::Live>,
        request: Option<String>,
        at: DateTime<Utc>,
    ) {
        plain(&self.live).put::<A>(live);
        let log = live.log();
        let entry = List::<A>::entry(&log.id, &log.stream, request);
        if let Err(error) = self.store(journal, entry.clone(), at).await {
            tracing::warn!(what = A::WHAT, id = log.id, %error, "a new one is not listed");
            self.apply_for_now(entry).await;
        }
        self.list_changes.happened();
    }

    /// One is over: it is listed so, and leaves memory.
    pub(in crate::hub) async fn close(
        &self,
        journal: &dyn Journal,
        id: &str,
        at: DateTime<Utc>,
    ) -> Result<(), HubError> {
        if self.list(journal).await?.get(id).is_some_and(|listed| listed.is_open) {
            self.store(journal, List::<A>::end(id), at).await.map_err(HubError::NotStored)?;
        }
        self.let_go(id);
        Ok(())
    }

    /// One is over for this run of the hub, though that cannot be stored: the next one finds it by its own log.
    pub(in crate::hub) async fn close_for_now(&self, id: &str) {
        self.apply_for_now(List::<A>::end(id)).await;
        self.let_go(id);
    }

    async fn apply_for_now(&self, entry: super::list::Event) {
        let mut list = self.list.lock().await;
        let version = list.version();
        list.apply(entry, version);
    }

    fn let_go(&self, id: &str) {
        let mut kept = plain(&self.live);
        kept.remove::<A>(id);
        // Whoever does not find it by now knows that the list has changed.
        self.list_changes.happened();
    }

    async fn store(
        &self,
        journal: &dyn Journal,
        entry: super::list::Event,
        at: DateTime<Utc>,
    ) -> Result<(), AppendError> {
        let _only = self.writing.lock().await;
        loop {
            let before = self.list.lock().await.version();
            let encoded = vec![codec::encode(&entry)];
            match journal.append(&List::<A>::stream(), before, encoded, at).await {
                Ok(version) => {
                    self.list.lock().await.apply(entry, version);
                    return Ok(());
                }
                Err(conflict @ AppendError::Conflict { .. }) => {
                    let mut list = self.list.lock().await;
                    if list.read_entries(journal).await.is_err() || list.version() == before {
                        return Err(conflict);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl<L> Kept<L> {
    fn put<A: Aggregate>(&mut self, live: &Arc<L>)
    where
        L: Live<A>,
    {
        if self.by_id.len() >= self.most {
            self.let_idle_go::<A>();
            self.most = A::AT_REST.max(self.by_id.len() * 2);
        }
        self.looks += 1;
        self.by_id.insert(live.log().id.clone(), (Arc::clone(live), self.looks));
    }

    /// Half of those whom nobody uses leave memory, those first that were looked for least of late.
    fn let_idle_go<A: Aggregate>(&mut self)
    where
        L: Live<A>,
    {
        let is_idle = |live: &Arc<L>| Arc::strong_count(live) == 1 && live.log().changes.is_unwatched();
        let idle = self.by_id.iter().filter(|(_, (live, _))| is_idle(live));
        let mut idle: Vec<(u64, String)> = idle.map(|(id, (_, last))| (*last, id.clone())).collect();
        idle.sort_unstable();
        for (_, id) in idle.drain(..idle.len().div_ceil(2)) {
            self.remove::<A>(&id);
        }
    }

    fn remove<A: Aggregate>(&mut self, id: &str)
    where
        L: Live<A>,
    {
        if let Some((live, _)) = self.by_id.remove(id) {
            self.gone = self.gone.max(live.log().changes.last());
        }
    }
}
