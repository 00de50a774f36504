//! Looks that wait: they answer as soon as there is something new.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::HubDesk;
use crate::hub::{HubError, Page, RoomSummary};
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
    pub(super) async fn watch(&self, watch: Watch) -> Result<Value, HubError> {
        let mut stirs = self.hub.stirs();
        let over = Instant::now() + watch.wait;
        loop {
            stirs.borrow_and_update();
            let (pages, seen) = self.news(&watch).await?;
            let is_first = watch.seen.is_none();
            let news = json!({ "rooms": pages, "seen": seen });
            if is_first || !pages.is_empty() || Instant::now() >= over {
                return Ok(news);
            }
            tokio::select! {
                stirred = stirs.changed() => if stirred.is_err() { return Ok(news) },
                () = self.hub.stopped() => return Ok(news),
                () = sleep_until(over) => return Ok(news),
            }
            sleep(MOMENT).await;
        }
    }

    /// What was not seen, and what is seen then.
    async fn news(&self, watch: &Watch) -> Result<(Vec<Value>, BTreeMap<String, u64>), HubError> {
        let mut rooms = self.hub.rooms().await?;
        let open = rooms.iter().filter(|room| room.phase != "closed").take(FIRST_ROOMS);
        let open: Vec<String> = open.map(|room| room.room.clone()).collect();
        match &watch.room {
            Some(room) => rooms.retain(|known| known.room == *room),
            None => rooms.retain(|room| is_followed(room, watch.seen.as_ref())),
        }
        if let (Some(room), true) = (&watch.room, rooms.is_empty()) {
            return Err(HubError::NoSuchRoom(room.clone(), open));
        }
        let mut seen: BTreeMap<String, u64> =
            rooms.iter().map(|room| (room.room.clone(), room.last_seq_id)).collect();
        rooms.sort_by_key(|room| std::cmp::Reverse(room.last_activity));
        if watch.seen.is_none() {
            rooms.truncate(FIRST_ROOMS);
        }
        let mut pages = Vec::new();
        for room in &rooms {
            let after = watch.seen.as_ref().map(|seen| after(room, seen));
            if after.is_some_and(|after| after >= room.last_seq_id) {
                continue;
            }
            let read = self.hub.everything_said(&room.room, after, None, watch.limit).await;
            // It may have been deleted meanwhile, and one that is damaged hides no other.
            let Ok(page) = read else { continue };
            if let Some(last) = page.messages.last() {
                seen.insert(room.room.clone(), last.seq_id);
            }
            pages.push(told(room, &page));
        }
        Ok((pages, seen))
    }

    /// What waits for people, as soon as it differs from what is known, or the time is over.
    pub(super) async fn inbox(&self, known: Option<String>, wait: Duration) -> Value {
        let mut changes = self.hub.inbox_changes();
        let over = Instant::now() + wait;
        loop {
            changes.borrow_and_update();
            let inbox = tools::inbox(&self.hub.inbox().await);
            if known.as_deref().is_none_or(|known| inbox["revision"] != known) {
                return inbox;
            }
            tokio::select! {
                news = changes.changed() => if news.is_err() { return inbox },
                () = self.hub.stopped() => return inbox,
                () = sleep_until(over) => return inbox,
            }
        }
    }

    /// What was said after a message, as soon as there is something, or the time is over.
    pub(super) async fn follow(
        &self,
        room: &str,
        after: Option<u64>,
        limit: usize,
        wait: Duration,
    ) -> Result<Page, HubError> {
        let mut changes = self.hub.changes(room).await?;
        let over = Instant::now() + wait;
        loop {
            changes.borrow_and_update();
            let page = self.hub.everything_said(room, after, None, limit).await?;
            if after.is_none() || !page.messages.is_empty() {
                return Ok(page);
            }
            tokio::select! {
                news = changes.changed() => if news.is_err() { return Ok(page) },
                () = self.hub.stopped() => return Ok(page),
                () = sleep_until(over) => return Ok(page),
            }
        }
    }
}

/// Whether a room is among all: one that is over only if it was followed before.
fn is_followed(room: &RoomSummary, seen: Option<&BTreeMap<String, u64>>) -> bool {
    let is_over = matches!(room.phase, "closed" | "archived" | "damaged");
    !is_over || seen.is_some_and(|seen| seen.contains_key(&room.room))
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
