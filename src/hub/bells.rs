//! Who waits in one room, and how to wake them: one watch per participant, subscribed before the waiter looks,
//! so that no wake-up is lost and nobody is woken for another.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::clock::Clock;
use crate::room::Handle;

/// Waits that one person may have at once, one per place from which it watches.
pub(super) const MAX_WAITS: usize = 64;

/// Everyone who waits, or has waited, in one room.
#[derive(Debug)]
pub(super) struct Bells {
    by_handle: Mutex<BTreeMap<Handle, Bell>>,
    clock: Clock,
    /// Rung when a wait ends: the silence that begins then has a deadline.
    alarm: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Bell {
    rings: watch::Sender<u64>,
    open: Vec<u64>,
    newest: u64,
    /// When the last wait ended.
    heard: Duration,
}

/// One wait, for as long as it lasts.
#[derive(Debug)]
pub(super) struct OpenWait {
    bells: Arc<Bells>,
    handle: Handle,
    id: u64,
    is_human: bool,
    pub rings: watch::Receiver<u64>,
}

impl Bells {
    pub(super) fn new(clock: Clock, alarm: Arc<Notify>) -> Arc<Self> {
        Arc::new(Self { by_handle: Mutex::default(), clock, alarm })
    }

    /// Begins a wait. Of an agent's waits the newest wins: the older ones are told. A person may wait at
    /// several places; too many are refused.
    pub(super) fn open(self: &Arc<Self>, handle: &Handle, is_human: bool) -> Option<OpenWait> {
        let mut bells = self.lock();
        let bell = bells.entry(handle.clone()).or_default();
        if bell.open.len() >= MAX_WAITS {
            return None;
        }
        bell.newest += 1;
        let id = bell.newest;
        if !is_human && !bell.open.is_empty() {
            bell.rings.send_modify(|rings| *rings += 1);
        }
        bell.open.push(id);
        let rings = bell.rings.subscribe();
        Some(OpenWait { bells: Arc::clone(self), handle: handle.clone(), id, is_human, rings })
    }

    /// Whether a call of this participant waits now.
    pub(super) fn is_waiting(&self, handle: &Handle) -> bool {
        self.lock().get(handle).is_some_and(|bell| !bell.open.is_empty())
    }

    /// Whether a call of this participant waits now, and when its last wait ended.
    pub(super) fn presence(&self, handle: &Handle) -> (bool, Duration) {
        self.lock().get(handle).map_or((false, Duration::ZERO), |bell| (!bell.open.is_empty(), bell.heard))
    }

    /// When the last wait ended.
    pub(super) fn last_heard(&self) -> Duration {
        self.lock().values().map(|bell| bell.heard).max().unwrap_or_default()
    }

    /// Everyone who waits now.
    pub(super) fn waiting(&self) -> Vec<Handle> {
        let bells = self.lock();
        bells.iter().filter(|(_, bell)| !bell.open.is_empty()).map(|(handle, _)| handle.clone()).collect()
    }

    /// Wakes the waits of one participant.
    pub(super) fn ring(&self, handle: &Handle) {
        if let Some(bell) = self.lock().get(handle) {
            bell.rings.send_modify(|rings| *rings += 1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Handle, Bell>> {
        self.by_handle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenWait {
    /// Whether a newer wait of the same agent has taken over.
    pub(super) fn is_replaced(&self) -> bool {
        !self.is_human && self.bells.lock().get(&self.handle).is_some_and(|bell| bell.newest != self.id)
    }
}

impl Drop for OpenWait {
    fn drop(&mut self) {
        let now = self.bells.clock.now().mono;
        if let Some(bell) = self.bells.lock().get_mut(&self.handle) {
            bell.open.retain(|id| *id != self.id);
            bell.heard = now;
        }
        self.bells.alarm.notify_one();
    }
}
