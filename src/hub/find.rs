//! Which room a call means.

use std::sync::Arc;

use chrono::TimeDelta;

use super::caller::Caller;
use super::error::HubError;
use super::live::LiveRoom;
use super::registry::Entry;
use super::shared::Shared;
use crate::room::{Handle, Now, Participant, Phase, Room};

/// A room in which nothing happened and nobody waited for so long is archived: it comes back when it is named.
const ARCHIVED_AFTER: TimeDelta = TimeDelta::hours(24);
/// Rooms that an error lists.
const LISTED: usize = 10;

/// Whether a room is archived.
pub(super) fn is_archived(live: &LiveRoom, room: &Room, now: Now) -> bool {
    now.wall - room.last_activity() > ARCHIVED_AFTER && live.bells.waiting().is_empty()
}

impl Shared {
    /// The room that a call of one who takes part means. It is that of [`Shared::find`], but who names none is not
    /// sent into a room of others when its own is over: then it means that one, and learns so.
    pub(super) async fn find_own(
        self: &Arc<Self>,
        caller: &Caller,
        name: Option<&str>,
        handle: &str,
    ) -> Result<Arc<LiveRoom>, HubError> {
        let found = self.find(caller, name, Some(handle)).await;
        let Some(handle) = Handle::parse(handle).ok().filter(|_| name.is_none()) else { return found };
        match &found {
            Ok(live) if is_known(live.lock(self).await?.room(), &handle) => return found,
            Ok(_) | Err(HubError::NoRoom) => {}
            Err(_) => return found,
        }
        let over = match self.named.last(&caller.session, &handle) {
            Some(last) => Some(self.named_room(&last).await?),
            None if found.is_err() => self.newest_over(&handle).await?,
            None => None,
        };
        over.map_or(found, Ok)
    }

    /// The newest room with this handle, now that all are over.
    async fn newest_over(self: &Arc<Self>, handle: &Handle) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let entries = self.registry.lock().await.newest_first();
        for entry in entries.iter().take(LISTED) {
            let live = self.live(entry).await?;
            if is_known(live.lock(self).await?.room(), handle) {
                return Ok(Some(live));
            }
        }
        Ok(None)
    }

    /// The room that a call means: the one it names; else the one that its session named last for this handle;
    /// else the only open one that has the handle; else the newest open one.
    pub(super) async fn find(
        self: &Arc<Self>,
        caller: &Caller,
        name: Option<&str>,
        handle: Option<&str>,
    ) -> Result<Arc<LiveRoom>, HubError> {
        if let Some(name) = name {
            return self.named_room(name).await;
        }
        let handle = handle.and_then(|text| Handle::parse(text).ok());
        if let Some(last) = handle.as_ref().and_then(|handle| self.named.last(&caller.session, handle))
            && let Some(live) = self.if_open(&last).await?
        {
            return Ok(live);
        }
        let open = self.open_rooms().await?;
        let mut having = Vec::new();
        for live in &open {
            let room = live.lock(self).await?;
            let is_fresh = !is_archived(live, room.room(), self.clock.now());
            if is_fresh && handle.as_ref().is_some_and(|handle| has(room.room(), handle)) {
                having.push(live);
            }
        }
        match having.as_slice() {
            [only] => Ok(Arc::clone(only)),
            [] => open.first().cloned().ok_or(HubError::NoRoom),
            several => Err(HubError::RoomAmbiguous {
                handle: handle.map_or_else(String::new, |handle| handle.to_string()),
                rooms: several.iter().take(LISTED).map(|live| live.id.clone()).collect(),
            }),
        }
    }

    /// The room with this id.
    pub(super) async fn named_room(self: &Arc<Self>, name: &str) -> Result<Arc<LiveRoom>, HubError> {
        let registry = self.registry.lock().await;
        let Some(entry) = registry.get(name).cloned() else {
            let open = registry.newest_first().into_iter().filter(|entry| entry.is_open);
            let rooms = open.take(LISTED).map(|entry| entry.room).collect();
            return Err(HubError::NoSuchRoom(name.chars().take(100).collect(), rooms));
        };
        drop(registry);
        self.live(&entry).await
    }

    async fn if_open(self: &Arc<Self>, name: &str) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let entry = self.registry.lock().await.get(name).filter(|entry| entry.is_open).cloned();
        match entry {
            Some(entry) => self.live(&entry).await.map(Some),
            None => Ok(None),
        }
    }

    /// All rooms that are open, the newest first. One whose log is damaged hides no other.
    pub(super) async fn open_rooms(self: &Arc<Self>) -> Result<Vec<Arc<LiveRoom>>, HubError> {
        let entries = self.registry.lock().await.newest_first();
        let mut rooms = Vec::new();
        for entry in entries.into_iter().filter(|entry| entry.is_open) {
            match self.open_room(&entry).await {
                Ok(Some(live)) => rooms.push(live),
                Ok(None) => {}
                Err(error) => tracing::warn!(room = %entry.room, %error, "the room cannot be loaded"),
            }
        }
        Ok(rooms)
    }

    async fn open_room(self: &Arc<Self>, entry: &Entry) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let live = self.live(entry).await?;
        let is_open = live.lock(self).await?.room().phase() != Phase::Closed;
        Ok(is_open.then_some(live))
    }
}

/// Whether a room has the handle, or it is that of a person, who is known everywhere.
fn is_known(room: &Room, handle: &Handle) -> bool {
    has(room, handle) || room.resolve(handle.as_str()).is_some_and(Participant::is_human)
}

fn has(room: &Room, handle: &Handle) -> bool {
    room.resolve(handle.as_str()).is_some_and(|member| member.is_present_or_awaited())
}
