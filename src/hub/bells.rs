//! Who waits in one room, and how to wake them: one watch per participant, subscribed before the waiter looks,
//! so that no wake-up is lost and nobody is woken for another.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::stirs::Stir;
use crate::clock::Clock;
use crate::room::Handle;

/// Of more handles those that do not wait now are forgotten: in a room that is over anybody may ask how it ended.
const MAX_IDLE: usize = 4_096;

/// Everyone who waits, or has waited, in one room.
#[derive(Debug)]
pub(super) struct Bells {
    by_handle: Mutex<BTreeMap<Handle, Bell>>,
    /// How many programs of the hub work under each handle.
    at_work: Mutex<BTreeMap<Handle, usize>>,
    clock: Clock,
    /// Rung when a wait ends: the silence that begins then has a deadline.
    alarm: Arc<Notify>,
    /// Tells that somebody waits, or does not any more.
    stir: Stir,
}

#[derive(Debug, Default)]
struct Bell {
    rings: watch::Sender<u64>,
    open: Vec<u64>,
    /// Hooks that watch for an agent between its turns.
    watches: Vec<u64>,
    newest: u64,
    newest_watch: u64,
    /// When the last wait ended.
    heard: Duration,
    /// Its last call, unless a program of the hub has ended since then, which may have made it.
    called: Option<Duration>,
}

/// A program of the hub that works under a handle, for as long as it runs.
#[derive(Debug)]
pub(super) struct AtWork {
    bells: Arc<Bells>,
    handle: Handle,
}

/// One wait, for as long as it lasts.
#[derive(Debug)]
pub(super) struct OpenWait {
    bells: Arc<Bells>,
    handle: Handle,
    id: u64,
    kind: Kind,
    pub rings: watch::Receiver<u64>,
}

/// What kind of wait it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A call of an agent.
    Agent,
    /// A call of a person.
    Person,
    /// A hook.
    Watch,
}

impl Bell {
    fn is_waiting(&self) -> bool {
        !self.open.is_empty() || !self.watches.is_empty()
    }
}

impl Bells {
    pub(super) fn new(clock: Clock, alarm: Arc<Notify>, stir: Stir) -> Arc<Self> {
        Arc::new(Self { by_handle: Mutex::default(), at_work: Mutex::default(), clock, alarm, stir })
    }

    /// Begins a wait. Of an agent's waits the newest wins: the older ones are told. A person may wait at
    /// several places; more than `limit` are refused.
    pub(super) fn open(self: &Arc<Self>, handle: &Handle, is_human: bool, limit: usize) -> Option<OpenWait> {
        let mut bells = self.lock();
        if bells.len() > MAX_IDLE && !bells.contains_key(handle) {
            bells.retain(|_, bell| bell.is_waiting());
        }
        let bell = bells.entry(handle.clone()).or_default();
        if bell.open.len() >= limit {
            return None;
        }
        bell.newest += 1;
        let id = bell.newest;
        if bell.is_waiting() && (!is_human || !bell.watches.is_empty()) {
            bell.rings.send_modify(|rings| *rings += 1);
        }
        bell.open.push(id);
        self.stir.stir();
        let rings = bell.rings.subscribe();
        let kind = if is_human { Kind::Person } else { Kind::Agent };
        Some(OpenWait { bells: Arc::clone(self), handle: handle.clone(), id, kind, rings })
    }

    /// Begins to watch for a participant between its calls. The newest watch wins, and every call wins over it.
    pub(super) fn watch(self: &Arc<Self>, handle: &Handle) -> OpenWait {
        let mut bells = self.lock();
        let bell = bells.entry(handle.clone()).or_default();
        bell.newest_watch += 1;
        let id = bell.newest_watch;
        if !bell.watches.is_empty() {
            bell.rings.send_modify(|rings| *rings += 1);
        }
        bell.watches.push(id);
        let rings = bell.rings.subscribe();
        OpenWait { bells: Arc::clone(self), handle: handle.clone(), id, kind: Kind::Watch, rings }
    }

    /// A program of the hub works under this handle from now on.
    pub(super) fn work(self: &Arc<Self>, handle: &Handle) -> AtWork {
        *self.workers().entry(handle.clone()).or_default() += 1;
        self.stir.stir();
        AtWork { bells: Arc::clone(self), handle: handle.clone() }
    }

    /// Whether a program of the hub works under this handle.
    pub(super) fn is_at_work(&self, handle: &Handle) -> bool {
        self.workers().contains_key(handle)
    }

    /// Whether a call of this participant itself waits now, not a hook.
    pub(super) fn is_called(&self, handle: &Handle) -> bool {
        self.lock().get(handle).is_some_and(|bell| !bell.open.is_empty())
    }

    /// Whether a call of this participant waits now.
    pub(super) fn is_waiting(&self, handle: &Handle) -> bool {
        self.lock().get(handle).is_some_and(Bell::is_waiting)
    }

    /// Whether a call of this participant waits now, and when its last wait ended.
    pub(super) fn presence(&self, handle: &Handle) -> (bool, Duration) {
        self.lock().get(handle).map_or((false, Duration::ZERO), |bell| (bell.is_waiting(), bell.heard))
    }

    /// A participant has called.
    pub(super) fn hear(&self, handle: &Handle) {
        let now = self.clock.now().mono;
        self.lock().entry(handle.clone()).or_default().called = Some(now);
    }

    /// When this participant called last, or its last wait ended, if it may come again.
    pub(super) fn last_call(&self, handle: &Handle) -> Option<Duration> {
        self.lock().get(handle)?.called
    }

    /// When the last wait ended.
    pub(super) fn last_heard(&self) -> Duration {
        self.lock().values().map(|bell| bell.heard).max().unwrap_or_default()
    }

    /// Everyone who waits now.
    pub(super) fn waiting(&self) -> Vec<Handle> {
        let bells = self.lock();
        bells.iter().filter(|(_, bell)| bell.is_waiting()).map(|(handle, _)| handle.clone()).collect()
    }

    /// How many calls wait now.
    pub(super) fn open_waits(&self) -> usize {
        self.lock().values().map(|bell| bell.open.len()).sum()
    }

    /// Wakes the waits of one participant.
    pub(super) fn ring(&self, handle: &Handle) {
        if let Some(bell) = self.lock().get(handle) {
            bell.rings.send_modify(|rings| *rings += 1);
        }
    }

    fn workers(&self) -> MutexGuard<'_, BTreeMap<Handle, usize>> {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Handle, Bell>> {
        self.by_handle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenWait {
    /// Whether a newer wait of the same agent has taken over.
    pub(super) fn is_replaced(&self) -> bool {
        let bells = self.bells.lock();
        let Some(bell) = bells.get(&self.handle) else { return false };
        match self.kind {
            Kind::Agent => bell.newest != self.id,
            Kind::Person => false,
            Kind::Watch => bell.newest_watch != self.id || !bell.open.is_empty(),
        }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let mut workers = self.bells.workers();
        let left = workers.get_mut(&self.handle).map_or(0, |count| {
            *count -= 1;
            *count
        });
        if left == 0 {
            workers.remove(&self.handle);
        }
        drop(workers);
        // Whoever called under it before is not between two calls: it has ended.
        if let Some(bell) = self.bells.lock().get_mut(&self.handle).filter(|_| left == 0) {
            bell.called = None;
        }
        self.bells.alarm.notify_one();
        self.bells.stir.stir();
    }
}

impl Drop for OpenWait {
    fn drop(&mut self) {
        let now = self.bells.clock.now().mono;
        if let Some(bell) = self.bells.lock().get_mut(&self.handle) {
            let open = if self.kind == Kind::Watch { &mut bell.watches } else { &mut bell.open };
            open.retain(|id| *id != self.id);
            (bell.heard, bell.called) = (now, Some(now));
        }
        self.bells.alarm.notify_one();
        self.bells.stir.stir();
    }
}
