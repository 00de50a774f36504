//! Which room a call means.

use std::sync::Arc;
use std::time::Duration;

use super::caller::Caller;
use super::error::HubError;
use super::live::{LiveRoom, Locked};
use super::registry::Entry;
use super::shared::Shared;
use crate::room::{Handle, Participant, Phase, Room};

/// A room in which nothing happened and nobody waited for so long is archived: it comes back when it is named.
const ARCHIVED_AFTER: Duration = Duration::from_hours(24);
/// Rooms that an error lists.
const LISTED: usize = 10;

impl Locked<'_> {
    /// Whether the room is archived.
    pub(super) fn is_archived(&self) -> bool {
        let silence = self.inside.silence.length(self.hub.clock.now().mono);
        silence > ARCHIVED_AFTER && self.live.bells.waiting().is_empty()
    }
}

impl Shared {
    /// The room that a call of one who takes part means. It is that of [`Shared::find`], but a room that the session
    /// named last is meant also when it is over, until the session has learned so.
    pub(super) async fn find_own(
        self: &Arc<Self>,
        caller: &Caller,
        name: Option<&str>,
        handle: &str,
    ) -> Result<Arc<LiveRoom>, HubError> {
        let parsed = Handle::parse(handle).ok().filter(|_| name.is_none());
        let Some(parsed) = parsed else { return self.find(caller, name, Some(handle)).await };
        if let Some(last) = self.named.last(&caller.session, &parsed) {
            let live = self.named_room(&last).await?;
            if !live.lock(self).await?.was_told_of_end(&caller.session, &parsed) {
                return Ok(live);
            }
        }
        match self.find(caller, None, Some(handle)).await {
            Err(HubError::NoRoom) => self.newest_over(&parsed).await?.ok_or(HubError::NoRoom),
            found => found,
        }
    }

    /// The newest room with this handle, now that all are over.
    async fn newest_over(self: &Arc<Self>, handle: &Handle) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let entries = self.registry.lock().await.newest_first();
        for entry in entries.iter().take(LISTED) {
            // One whose log is damaged hides no other.
            let Ok(live) = self.live(entry).await else { continue };
            if has(live.lock(self).await?.room(), handle) {
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
            if !room.is_archived() && handle.as_ref().is_some_and(|handle| has(room.room(), handle)) {
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

fn has(room: &Room, handle: &Handle) -> bool {
    room.resolve(handle.as_str()).is_some_and(Participant::is_present_or_awaited)
}
