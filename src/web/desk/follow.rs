//! Looks that wait: they answer as soon as there is something new.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{SemaphorePermit, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::HubDesk;
use crate::hub::{Caller, Hub, HubError, MAX_WAIT, Page, RoomSummary};
use crate::tools;

/// Whatever is said within such a moment is told together.
const MOMENT: Duration = Duration::from_millis(50);
/// A first look at all rooms reads so many of them: those in which something happened last.
const FIRST_ROOMS: usize = 20;

/// See what is said, and who has the floor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Which room; without it, all that are not over.
    pub room: Option<String>,
    /// The newest message that was seen, by room; without it, the newest messages are told at once.
    pub seen: Option<BTreeMap<String, u64>>,
    /// How many messages of a room at most.
    pub limit: usize,
    /// How long to wait for something new.
    pub wait: Duration,
}

impl HubDesk {
    /// What is said in rooms, as soon as there is something that was not seen, or the time is over.
    pub(super) async fn watch(&self, caller: &Caller, watch: Watch) -> Result<Value, HubError> {
        let look = self.look(caller, watch.wait)?;
        let mut stirs = match &watch.room {
            Some(room) => self.hub.room_stirs(room).await?,
            None => self.hub.stirs(),
        };
        let (mut revision, mut told) = (None, Value::Null);
        loop {
            stirs.borrow_and_update();
            let now = self.hub.rooms_revision().await;
            if revision.replace(now) != Some(now) {
                let (pages, seen) = self.news(&watch).await?;
                let has_news = watch.seen.is_none() || !pages.is_empty();
                told = json!({ "rooms": pages, "seen": seen });
                if has_news {
                    return Ok(told);
                }
            }
            if !look.waits_for(&mut stirs).await? {
                return Ok(told);
            }
            sleep(MOMENT).await;
        }
    }

    /// What was not seen, and what is seen then.
    async fn news(&self, watch: &Watch) -> Result<(Vec<Value>, BTreeMap<String, u64>), HubError> {
        let mut rooms = self.hub.rooms().await?;
        if let Some(room) = &watch.room {
            rooms.retain(|known| known.room == *room);
            if rooms.is_empty() {
                // It was there when the look began.
                return Err(HubError::NoSuchRoom(room.clone(), Vec::new()));
            }
        }
        // Of all, also of those that nothing is told of: when one of them speaks, that alone is news.
        let mut seen: BTreeMap<String, u64> =
            rooms.iter().map(|room| (room.room.clone(), newest(room, watch.seen.as_ref()))).collect();
        rooms.sort_by_key(|room| std::cmp::Reverse(room.last_activity));
        if watch.seen.is_none() {
            rooms.retain(|room| watch.room.is_some() || !room.is_over());
            rooms.truncate(FIRST_ROOMS);
        }
        let mut pages = Vec::new();
        for room in &rooms {
            let after = watch.seen.as_ref().map(|seen| after(room, seen));
            if after.is_some_and(|after| after >= room.last_seq_id) {
                continue;
            }
            let read = self.hub.everything_said(&room.room, after, None, watch.limit).await;
            // It may have been deleted meanwhile, and one that cannot be read hides no other.
            let Ok(page) = read else {
                seen.extend(after.map(|after| (room.room.clone(), after)));
                continue;
            };
            if let Some(last) = page.messages.last() {
                seen.insert(room.room.clone(), last.seq_id);
            }
            pages.push(told(room, &page));
        }
        Ok((pages, seen))
    }

    /// What waits for people, as soon as it differs from what is known, or the time is over.
    pub(super) async fn inbox(
        &self,
        caller: &Caller,
        known: Option<String>,
        wait: Duration,
    ) -> Result<Value, HubError> {
        let look = self.look(caller, wait)?;
        let mut changes = self.hub.inbox_changes();
        loop {
            changes.borrow_and_update();
            let inbox = tools::inbox(&self.hub.inbox().await);
            let is_new = known.as_deref().is_none_or(|known| inbox["revision"] != known);
            if is_new || !look.waits_for(&mut changes).await? {
                return Ok(inbox);
            }
        }
    }

    /// What was said after a message, as soon as there is something, or the time is over.
    pub(super) async fn follow(
        &self,
        caller: &Caller,
        room: &str,
        after: Option<u64>,
        limit: usize,
        wait: Duration,
    ) -> Result<Page, HubError> {
        let look = self.look(caller, wait)?;
        let mut changes = self.hub.changes(room).await?;
        loop {
            changes.borrow_and_update();
            let page = self.hub.everything_said(room, after, None, limit).await?;
            let has_news = after.is_none() || !page.messages.is_empty();
            if has_news || !look.waits_for(&mut changes).await? {
                return Ok(page);
            }
        }
    }

    /// Begins a look that waits at most so long. So many may wait as calls under one handle.
    fn look<'a>(&'a self, caller: &'a Caller, wait: Duration) -> Result<Look<'a>, HubError> {
        let refused = |_| {
            let limit = self.hub.limits().waits;
            HubError::Limit { what: "looks that wait", limit, setting: "waits" }
        };
        let place = (!wait.is_zero()).then(|| self.looks.try_acquire().map_err(refused)).transpose()?;
        Ok(Look { hub: &self.hub, caller, over: Instant::now() + wait.min(MAX_WAIT), _place: place })
    }
}

/// A look that waits.
struct Look<'a> {
    hub: &'a Hub,
    caller: &'a Caller,
    over: Instant,
    _place: Option<SemaphorePermit<'a>>,
}

impl Look<'_> {
    /// Waits for a change. `false`: the time is over, or the hub stops.
    async fn waits_for<T>(&self, changes: &mut watch::Receiver<T>) -> Result<bool, HubError> {
        tokio::select! {
            news = changes.changed() => Ok(news.is_ok()),
            () = self.hub.stopped() => Ok(false),
            () = sleep_until(self.over) => Ok(false),
            () = self.caller.cancelled.cancelled() => Err(HubError::Cancelled),
        }
    }
}

/// The newest message of a room. One that cannot be read now has what it had, so that only what is new is told when it
/// can be read again.
fn newest(room: &RoomSummary, seen: Option<&BTreeMap<String, u64>>) -> u64 {
    let before = seen.filter(|_| room.phase == "damaged").and_then(|seen| seen.get(&room.room));
    before.copied().unwrap_or(room.last_seq_id)
}

/// The newest message of a room that was seen. A room that has less by now is a new one of the same name.
fn after(room: &RoomSummary, seen: &BTreeMap<String, u64>) -> u64 {
    seen.get(&room.room).copied().filter(|seen| *seen <= room.last_seq_id).unwrap_or(0)
}

fn told(room: &RoomSummary, page: &Page) -> Value {
    let mut json = tools::said(page);
    json["phase"] = room.phase.into();
    json["active_turn"] = json!(room.active_turn);
    json
}

#[cfg(test)]
mod tests;
