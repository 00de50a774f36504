//! All rooms, and how each stands: for whoever looks at all of them again and again. Only those in which something
//! happened are looked at again, once for all who follow them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::{MutexGuard, watch};

use super::Hub;
use super::answer::RoomSummary;
use super::brief::Brief;
use super::error::HubError;
use super::find::is_archived;
use super::live::LiveRoom;
use super::registry::Entry;
use super::shared::Shared;
use crate::journal::{StreamId, Version};
use crate::room::Phase;

/// All rooms, and how they stand.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The newest first.
    rooms: Vec<Listed>,
    /// The version of the list of rooms that they are from.
    version: Option<Version>,
    /// Rooms that have to be looked at again. A caller that goes away leaves them to the next one.
    pending: BTreeSet<StreamId>,
    /// Changes when a room has come or gone, or stands in another way.
    revision: u64,
}

/// One of them.
#[derive(Debug)]
struct Listed {
    entry: Entry,
    live: Arc<LiveRoom>,
    /// Nothing of one that cannot be read.
    brief: Option<Arc<Brief>>,
}

impl Hub {
    /// All rooms, the newest first.
    pub async fn rooms(&self) -> Result<Vec<RoomSummary>, HubError> {
        let listing = self.shared.listing().await;
        // One whose first event could not be stored was never made.
        let is_made = |listed: &&Listed| listed.brief.as_ref().is_none_or(|brief| brief.version > 0);
        Ok(listing.rooms.iter().filter(is_made).map(|listed| self.summary(listed)).collect())
    }

    /// Changes when a room has come or gone, or stands in another way than it did: only then is [`Hub::rooms`] worth a
    /// look. That a room is archived because time has gone by does not count.
    pub async fn rooms_revision(&self) -> u64 {
        self.shared.listing().await.revision
    }

    /// A watch that changes whenever anything happens in this room, also when a call begins or ends to wait. It does
    /// not keep the room in memory.
    pub async fn room_stirs(&self, room: &str) -> Result<watch::Receiver<u64>, HubError> {
        let entry = self.shared.listed(room).await?;
        Ok(self.shared.room(&entry).stir.subscribe())
    }

    fn summary(&self, listed: &Listed) -> RoomSummary {
        let Listed { entry, live, brief } = listed;
        let Some(brief) = brief else { return unreadable(entry) };
        let is_archived = is_archived(live, brief.last_activity, self.shared.clock.now());
        RoomSummary {
            room: live.id.clone(),
            topic: brief.topic.clone(),
            filepath: live.path.clone(),
            phase: if is_archived && brief.phase != Phase::Closed { "archived" } else { brief.phase.word() },
            active_turn: brief.active_turn.clone(),
            turn_since: brief.turn_since,
            participants: brief.joined,
            message_count: brief.message_count,
            last_seq_id: brief.last_seq,
            last_activity: brief.last_activity,
        }
    }
}

/// What the list of rooms alone tells of one.
fn unreadable(entry: &Entry) -> RoomSummary {
    RoomSummary {
        room: entry.room.clone(),
        topic: String::new(),
        filepath: entry.path.clone(),
        phase: "damaged",
        active_turn: None,
        turn_since: None,
        participants: 0,
        message_count: 0,
        last_seq_id: 0,
        last_activity: entry.at,
    }
}

impl Shared {
    /// All rooms as they stand now.
    async fn listing(self: &Arc<Self>) -> MutexGuard<'_, Listing> {
        let mut listing = self.listing.lock().await;
        listing.pending.append(&mut self.stirs.take_for_list());
        self.take_entries(&mut listing).await;
        if !listing.pending.is_empty() {
            let stirred: Vec<Entry> = listing.stirred().map(|listed| listed.entry.clone()).collect();
            let briefs = self.briefs_of(&stirred).await;
            listing.take(briefs.into_iter().map(|(live, brief)| (live.stream.clone(), brief)).collect());
        }
        listing
    }

    /// Takes over which rooms there are, if that has changed.
    async fn take_entries(&self, listing: &mut Listing) {
        let registry = self.registry.lock().await;
        if listing.version == Some(registry.version()) {
            return;
        }
        let old = std::mem::take(&mut listing.rooms).into_iter();
        let mut old: BTreeMap<StreamId, Option<Arc<Brief>>> =
            old.map(|listed| (listed.entry.stream, listed.brief)).collect();
        for entry in registry.newest_first() {
            let brief = old.remove(&entry.stream).unwrap_or_else(|| {
                listing.pending.insert(entry.stream.clone());
                None
            });
            listing.rooms.push(Listed { live: self.room(&entry), entry, brief });
        }
        listing.version = Some(registry.version());
        listing.revision += 1;
    }
}

impl Listing {
    fn stirred(&self) -> impl Iterator<Item = &Listed> {
        self.rooms.iter().filter(|listed| self.pending.contains(&listed.entry.stream))
    }

    /// Takes over how rooms stand. What cannot be read is asked for again: it may be possible by then.
    fn take(&mut self, mut briefs: BTreeMap<StreamId, Option<Arc<Brief>>>) {
        for listed in &mut self.rooms {
            let Some(brief) = briefs.remove(&listed.entry.stream) else { continue };
            if brief.is_none() {
                self.pending.insert(listed.entry.stream.clone());
            } else {
                self.pending.remove(&listed.entry.stream);
            }
            if listed.brief != brief {
                listed.brief = brief;
                self.revision += 1;
            }
        }
        let Self { rooms, pending, .. } = self;
        pending.retain(|stream| rooms.iter().any(|listed| listed.entry.stream == *stream));
    }
}
