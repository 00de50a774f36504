//! What waits for people in all rooms: one list, made of what each room needs.
//!
//! It is a projection: nothing of it is stored. A room that rests is known by its brief, so that the list costs no
//! loading. Only rooms in which something happened are looked at again.

mod gather;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt};
use tokio::sync::{Mutex, watch};

use super::Hub;
use super::item::{Item, Want};
use super::registry::Entry;
use super::shared::Shared;
use super::tasks::SettingsFault;
use crate::journal::StreamId;
use gather::{Gathered, NotGathered};

/// Whatever happens within such a moment is looked at once.
const MOMENT: Duration = Duration::from_millis(100);
/// A room that is not read within this holds up no other; it is looked at again.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many rooms are looked at side by side.
const AT_ONCE: usize = 16;
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
    /// What waits in tasks, and the mark of all tasks when that was looked at.
    of_tasks: (Option<u64>, Vec<Item>),
    /// Settings that make no sense.
    of_settings: Option<Item>,
    /// Rooms that have to be looked at. One leaves when it was, so that nothing is lost with a caller who goes away.
    due: BTreeSet<StreamId>,
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
        let entries = self.due(&mut known).await;
        let looks = entries.into_iter().map(|entry| {
            let before = known.by_room.get(&entry.stream).cloned().unwrap_or_default();
            async move {
                let looked = tokio::time::timeout(PATIENCE, self.gather(&entry, before)).await;
                (entry, looked.unwrap_or(Err(NotGathered)))
            }
        });
        let mut looks = stream::iter(looks.collect::<Vec<_>>()).buffer_unordered(AT_ONCE);
        while let Some((entry, looked)) = looks.next().await {
            known.take(entry.stream, looked);
        }
        let revision = self.tasks_revision();
        // What was known stays where tasks cannot be read now; the next look tries again.
        if known.of_tasks.0 != Some(revision)
            && let Ok(items) = self.task_items().await
        {
            known.of_tasks = (Some(revision), items);
        }
        known.take_fault(self.settings.starter.fault(), self.clock.now().wall);
        self.publish(&known)
    }

    /// The open rooms that have to be looked at.
    async fn due(self: &Arc<Self>, known: &mut Known) -> Vec<Entry> {
        known.due.append(&mut self.stirs.take());
        let Known { due, again, .. } = known;
        due.append(again);
        if known.is_filled && known.due.is_empty() {
            return Vec::new();
        }
        let open: Vec<Entry> =
            self.registry.lock().await.all().filter(|entry| entry.is_open).cloned().collect();
        let streams: BTreeSet<StreamId> = open.iter().map(|entry| entry.stream.clone()).collect();
        if !known.is_filled {
            // All at once: whose briefs are not known are loaded side by side.
            self.briefs_of(&open).await;
            known.due.extend(streams.iter().cloned());
            known.is_filled = true;
        }
        known.due.retain(|stream| streams.contains(stream));
        known.by_room.retain(|stream, _| streams.contains(stream));
        open.into_iter().filter(|entry| known.due.contains(&entry.stream)).collect()
    }

    fn publish(&self, known: &Known) -> Arc<Vec<Item>> {
        let of_tasks = &known.of_tasks.1;
        // Of an agent whose turn in a task is told, it is not told again that it does not answer.
        let is_told = |item: &&Item| of_tasks.iter().any(|of_task| of_task.tells_of(item));
        let of_rooms = known.by_room.values().flatten().filter(|item| !is_told(item));
        let mut items: Vec<Item> = of_rooms.chain(of_tasks).chain(&known.of_settings).cloned().collect();
        items.extend(self.puzzle_items());
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

impl Known {
    /// Takes in what is wrong with the settings now.
    fn take_fault(&mut self, fault: Option<SettingsFault>, now: DateTime<Utc>) {
        let known = self.of_settings.take();
        self.of_settings = fault.map(|fault| {
            let is_same = |item: &Item| matches!(&item.want, Want::Settings(known) if *known == fault);
            known.filter(is_same).unwrap_or_else(|| Item::of_settings(fault, now))
        });
    }

    /// Takes in what a look at one room has found.
    fn take(&mut self, stream: StreamId, looked: Result<Gathered, NotGathered>) {
        self.due.remove(&stream);
        let Ok(gathered) = looked else {
            // What was known of it stays.
            self.again.insert(stream);
            return;
        };
        if gathered.is_young {
            self.again.insert(stream.clone());
        }
        if gathered.items.is_empty() {
            self.by_room.remove(&stream);
        } else {
            self.by_room.insert(stream, gathered.items);
        }
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
