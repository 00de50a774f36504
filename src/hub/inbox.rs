//! What waits for people in all rooms: one list, made of what each room needs.
//!
//! It is a projection: nothing of it is stored. A room that rests is known by its brief, so that the list costs no
//! loading. Only rooms in which something happened are looked at again.

mod gather;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, watch};

use super::Hub;
use super::item::Item;
use super::shared::Shared;
use crate::journal::StreamId;

/// Whatever happens within such a moment is looked at once.
const MOMENT: Duration = Duration::from_millis(100);
/// How often is looked at rooms whose state may come to need somebody only because it lasts.
const AGAIN: Duration = Duration::from_secs(5);

/// What waits for people.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    known: Mutex<Known>,
    items: watch::Sender<Arc<Vec<Item>>>,
    /// Whether somebody follows it, so that it is kept up to date.
    is_kept: AtomicBool,
}

#[derive(Debug, Default)]
struct Known {
    is_filled: bool,
    by_room: BTreeMap<StreamId, Vec<Item>>,
    /// Rooms that have to be looked at again, although nothing may happen in them.
    again: BTreeSet<StreamId>,
}

impl Hub {
    /// What waits for people now, the oldest first.
    pub async fn inbox(&self) -> Arc<Vec<Item>> {
        self.shared.inbox_now().await
    }

    /// What waits for people; it changes a moment after something has happened.
    #[must_use]
    pub fn inbox_changes(&self) -> watch::Receiver<Arc<Vec<Item>>> {
        let inbox = &self.shared.inbox;
        if !inbox.is_kept.swap(true, Ordering::SeqCst) {
            self.shared.tasks.spawn(keep(Arc::downgrade(&self.shared)));
        }
        inbox.items.subscribe()
    }

    /// A watch that changes whenever anything happens in any room, also when a call begins or ends to wait.
    #[must_use]
    pub fn stirs(&self) -> watch::Receiver<u64> {
        self.shared.stirs.subscribe()
    }
}

impl Shared {
    async fn inbox_now(self: &Arc<Self>) -> Arc<Vec<Item>> {
        let mut known = self.inbox.known.lock().await;
        let mut stirred = self.stirs.take();
        stirred.append(&mut known.again);
        let entries = {
            let registry = self.registry.lock().await;
            let is_wanted = |stream: &StreamId| !known.is_filled || stirred.contains(stream);
            if !known.is_filled || !stirred.is_empty() {
                registry.all().filter(|entry| is_wanted(&entry.stream)).cloned().collect()
            } else {
                Vec::new()
            }
        };
        for gone in &stirred {
            if entries.iter().all(|entry| entry.stream != *gone) {
                known.by_room.remove(gone);
            }
        }
        let first = !known.is_filled;
        if first {
            // All at once: whose briefs are not known are loaded side by side.
            let open: Vec<_> = entries.iter().filter(|entry| entry.is_open).cloned().collect();
            self.briefs_of(&open).await;
        }
        for entry in entries {
            let before = known.by_room.remove(&entry.stream).unwrap_or_default();
            if !entry.is_open {
                continue;
            }
            let gathered = self.gather(&entry, before).await;
            if gathered.is_young {
                known.again.insert(entry.stream.clone());
            }
            if !gathered.items.is_empty() {
                known.by_room.insert(entry.stream, gathered.items);
            }
        }
        known.is_filled = true;
        self.publish(&known)
    }

    fn publish(&self, known: &Known) -> Arc<Vec<Item>> {
        let mut items: Vec<Item> = known.by_room.values().flatten().cloned().collect();
        items.sort_by(|one, other| (one.since, &one.id).cmp(&(other.since, &other.id)));
        let now = Arc::new(items);
        self.inbox.items.send_if_modified(|before| {
            let has_changed = *before != now;
            if has_changed {
                *before = Arc::clone(&now);
            }
            has_changed
        });
        now
    }
}

/// Keeps the list up to date until the hub stops.
async fn keep(shared: Weak<Shared>) {
    let Some((stop, mut stirs)) =
        shared.upgrade().map(|shared| (shared.stop.clone(), shared.stirs.subscribe()))
    else {
        return;
    };
    loop {
        let Some(hub) = shared.upgrade() else { return };
        stirs.borrow_and_update();
        hub.inbox_now().await;
        drop(hub);
        tokio::select! {
            () = stop.cancelled() => return,
            stirred = stirs.changed() => if stirred.is_err() { return },
            () = tokio::time::sleep(AGAIN) => continue,
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(MOMENT) => {}
        }
    }
}
