//! Which room a call means.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt};

use super::brief::Brief;
use super::caller::Caller;
use super::error::HubError;
use super::live::LiveRoom;
use super::registry::Entry;
use super::shared::Shared;
use crate::room::{Handle, Now, Phase};

/// A room in which nothing happened and nobody waited for so long is archived: it comes back when it is named.
const ARCHIVED_AFTER: Duration = Duration::from_hours(24);
/// Rooms that are looked at together, when many are.
const AT_ONCE: usize = 8;
/// Rooms that an error lists.
const LISTED: usize = 10;

/// Whether a room is archived.
pub(super) fn is_archived(live: &LiveRoom, last_activity: DateTime<Utc>, now: Now) -> bool {
    live.silence(last_activity, now) > ARCHIVED_AFTER && live.bells.waiting().is_empty()
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
        let newest = self.known(&entries[..entries.len().min(LISTED)]).await;
        match newest.iter().find(|(_, brief)| brief.has(handle)) {
            Some((live, _)) => self.wake(live).await.map(Some),
            None => Ok(None),
        }
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
        let open = self.open_rooms().await;
        let is_meant = |(live, brief): &&(Arc<LiveRoom>, Arc<Brief>)| {
            let is_fresh = !is_archived(live, brief.last_activity, self.clock.now());
            is_fresh && handle.as_ref().is_some_and(|handle| brief.has(handle))
        };
        let having: Vec<_> = open.iter().filter(is_meant).collect();
        match having.as_slice() {
            [(only, _)] => self.wake(only).await,
            [] => {
                let newest = open.first().ok_or(HubError::NoRoom)?;
                self.wake(&newest.0).await
            }
            several => Err(HubError::RoomAmbiguous {
                handle: handle.map_or_else(String::new, |handle| handle.to_string()),
                rooms: several.iter().take(LISTED).map(|(live, _)| live.id.clone()).collect(),
            }),
        }
    }

    /// The room with this id.
    pub(super) async fn named_room(self: &Arc<Self>, name: &str) -> Result<Arc<LiveRoom>, HubError> {
        let entry = self.listed(name).await?;
        self.live(&entry).await
    }

    /// The place of a room in the list; where there is none, the error names open ones.
    pub(super) async fn listed(&self, name: &str) -> Result<Entry, HubError> {
        let registry = self.registry.lock().await;
        registry.get(name).cloned().ok_or_else(|| {
            let open = registry.newest_first().into_iter().filter(|entry| entry.is_open);
            let rooms = open.take(LISTED).map(|entry| entry.room).collect();
            HubError::NoSuchRoom(name.chars().take(100).collect(), rooms)
        })
    }

    async fn if_open(self: &Arc<Self>, name: &str) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let entry = self.registry.lock().await.get(name).filter(|entry| entry.is_open).cloned();
        match entry {
            Some(entry) => self.live(&entry).await.map(Some),
            None => Ok(None),
        }
    }

    /// All rooms that are open, the newest first, and how they stand.
    pub(super) async fn open_rooms(self: &Arc<Self>) -> Vec<(Arc<LiveRoom>, Arc<Brief>)> {
        let mut entries = self.registry.lock().await.newest_first();
        entries.retain(|entry| entry.is_open);
        let known = self.known(&entries).await;
        known.into_iter().filter(|(_, brief)| brief.phase != Phase::Closed).collect()
    }

    /// These rooms, and how they stand. One whose log is damaged hides no other.
    async fn known(self: &Arc<Self>, entries: &[Entry]) -> Vec<(Arc<LiveRoom>, Arc<Brief>)> {
        let rooms = self.briefs_of(entries).await;
        rooms.into_iter().filter_map(|(live, brief)| Some((live, brief?))).collect()
    }

    /// How these rooms stand, one after the other; nothing of one whose log is damaged.
    pub(super) async fn briefs_of(
        self: &Arc<Self>,
        entries: &[Entry],
    ) -> Vec<(Arc<LiveRoom>, Option<Arc<Brief>>)> {
        let all: Vec<_> = entries.iter().map(|entry| brief_of(Arc::clone(self), self.room(entry))).collect();
        let briefs: Vec<_> = stream::iter(all).buffered(AT_ONCE).collect().await;
        if self.briefs.should_be_saved() {
            let shared = Arc::clone(self);
            self.tasks.spawn(async move { shared.save_briefs().await });
        }
        briefs.into_iter().map(|(live, brief)| (live, brief.ok())).collect()
    }
}

async fn brief_of(shared: Arc<Shared>, live: Arc<LiveRoom>) -> (Arc<LiveRoom>, Result<Arc<Brief>, HubError>) {
    let brief = live.brief(&shared).await;
    (live, brief)
}
