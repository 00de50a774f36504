//! Which rooms there are: a stream of its own in the journal, small enough to be read at every start. It gives
//! each room its id and its transcript's path, so that no two open rooms have the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::pages;
use crate::journal::{AppendError, Journal, JournalError, LOST, NewEvent, Recorded, StreamId, Version};
use crate::room::Now;

/// So many damaged entries in a row mean that the list ends here: a page of the disk holds fewer.
const MAX_DAMAGED: u64 = 1_000;

/// Which rooms there are.
#[derive(Debug, Default)]
pub(super) struct Registry {
    rooms: BTreeMap<String, Entry>,
    /// How many rooms were ever listed.
    listed: u64,
    version: Version,
    /// Streams of rooms whose id another has taken since.
    former: BTreeMap<String, Vec<StreamId>>,
    /// Streams of rooms that were deleted, and their transcripts if they were to go too.
    deleted: BTreeMap<StreamId, Option<PathBuf>>,
    /// Entries that cannot be read.
    damaged: Vec<Version>,
    /// Whether a repair has left entries out.
    has_gaps: bool,
}

/// One room.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its id.
    pub room: String,
    /// Its stream.
    pub stream: StreamId,
    /// Its transcript.
    pub path: PathBuf,
    /// Whether it has not been closed.
    pub is_open: bool,
    /// When it was made.
    pub at: DateTime<Utc>,
    /// Its place among all rooms that were ever listed: what came later is newer, whatever the clock said. 0 before it
    /// is listed, and for a room that was found again.
    pub number: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "the names are the kinds of stored events")]
enum Listed {
    /// A room has this id and this path from now on.
    RoomListed {
        room: String,
        stream: String,
        path: PathBuf,
        at: DateTime<Utc>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_found: bool,
    },
    /// The room is over; its path is free.
    RoomClosed { stream: String },
    /// The room is deleted; its id is free. Its events may still have to be erased.
    RoomDeleted {
        stream: String,
        /// Its transcript, if that is to go too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transcript: Option<PathBuf>,
    },
}

impl Listed {
    fn of(entry: Entry, is_found: bool) -> Self {
        let Entry { room, stream, path, at, .. } = entry;
        Self::RoomListed { room, stream: stream.to_string(), path, at, is_found }
    }
}

impl Registry {
    fn stream() -> StreamId {
        StreamId::parse("rooms").expect("the name is plain")
    }

    /// Reads what is new in the journal. Entries that are damaged hide no other: they are left out.
    pub(super) async fn catch_up(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let (list, mut in_a_row) = (Self::stream(), 0);
        loop {
            let read = pages::read_on(journal, &list, self.version, |page| {
                in_a_row = 0;
                self.take_page(page);
                Ok(ControlFlow::Continue(()))
            });
            match read.await {
                Ok(()) => return Ok(()),
                Err(JournalError::Damaged { version, detail, .. }) => {
                    self.take_before(journal, version).await;
                    in_a_row += 1;
                    if in_a_row > MAX_DAMAGED {
                        // Nothing more can be read. What is known goes on; only new rooms are refused.
                        self.version = Version(version.0 - in_a_row);
                        return Ok(());
                    }
                    self.note_damage(version, &detail);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the entries before a damaged one, which a read of a whole page holds back.
    async fn take_before(&mut self, journal: &dyn Journal, damaged: Version) {
        let sound = usize::try_from(damaged.0.saturating_sub(self.version.0 + 1)).unwrap_or(usize::MAX);
        if sound > 0
            && let Ok(page) = journal.read(&Self::stream(), self.version, sound).await
        {
            self.take_page(&page);
        }
    }

    fn take_page(&mut self, page: &[Recorded]) {
        for recorded in page {
            self.version = recorded.version;
            self.take(recorded);
        }
    }

    fn note_damage(&mut self, version: Version, detail: &str) {
        if self.damaged.is_empty() {
            tracing::error!(%version, %detail, "the list of rooms is damaged; see `turnroom doctor`");
        }
        self.damaged.push(version);
        self.version = version;
    }

    fn take(&mut self, recorded: &Recorded) {
        match serde_json::from_slice(&recorded.body) {
            Ok(listed) => self.apply(listed),
            Err(_) if recorded.kind == LOST => self.has_gaps = true,
            Err(error) => tracing::warn!(version = %recorded.version, %error, "a room is skipped"),
        }
    }

    /// The entries of the list that cannot be read.
    pub(super) fn damaged(&self) -> &[Version] {
        &self.damaged
    }

    /// Whether rooms may be missing in the list.
    pub(super) fn is_incomplete(&self) -> bool {
        self.has_gaps || !self.damaged.is_empty()
    }

    /// Whether the events of a stream stand each for itself: those of the list do.
    pub(super) fn is_loose(stream: &StreamId) -> bool {
        *stream == Self::stream()
    }

    /// The streams of rooms that were deleted, and their transcripts if they were to go too.
    pub(super) fn deleted(&self) -> &BTreeMap<StreamId, Option<PathBuf>> {
        &self.deleted
    }

    /// Whether a stream belongs to a room that is listed, or was and is deleted.
    pub(super) fn has_stream(&self, stream: &StreamId) -> bool {
        self.deleted.contains_key(stream) || self.rooms.values().any(|entry| entry.stream == *stream)
    }

    /// An id that no room has: the one that is wished for, or one like it.
    pub(super) fn free_id(&self, wish: &str) -> String {
        let mut ids = (2..).map(|n| format!("{wish}-{n}"));
        if self.rooms.contains_key(wish) {
            ids.find(|id| !self.rooms.contains_key(id)).expect("there are more numbers than rooms")
        } else {
            wish.to_owned()
        }
    }

    /// Lists a room under its id and path. The room that had the id before is forgotten; it is over.
    pub(super) async fn list(
        &mut self,
        journal: &dyn Journal,
        entry: &Entry,
        now: Now,
    ) -> Result<(), AppendError> {
        self.store(journal, Listed::of(entry.clone(), false), now).await
    }

    /// Lists a room again. Where that cannot be stored, it is so for this run of the hub.
    pub(super) async fn list_again(&mut self, journal: &dyn Journal, entry: Entry) {
        let now = entry.at;
        let listed = Listed::of(entry, true);
        if let Err(error) = self.append(journal, &listed, now).await {
            tracing::warn!(%error, "the list of rooms cannot be written");
        }
        self.apply(listed);
    }

    /// Marks a room as closed.
    pub(super) async fn close(
        &mut self,
        journal: &dyn Journal,
        stream: &StreamId,
        now: Now,
    ) -> Result<(), AppendError> {
        self.store(journal, Listed::RoomClosed { stream: stream.to_string() }, now).await
    }

    /// Takes a room out of the list, and those that had its id before: nobody could name them any more. Gives their
    /// streams. Its transcript is one that is to go too.
    pub(super) async fn delete(
        &mut self,
        journal: &dyn Journal,
        room: &str,
        transcript: Option<&Path>,
        now: Now,
    ) -> Result<Vec<StreamId>, AppendError> {
        let newest = self.rooms.get(room).map(|entry| entry.stream.clone());
        let former = self.former.get(room).cloned().unwrap_or_default();
        let streams: Vec<StreamId> = former.into_iter().chain(newest).collect();
        for stream in &streams {
            let transcript = transcript.map(Path::to_owned);
            self.store(journal, Listed::RoomDeleted { stream: stream.to_string(), transcript }, now).await?;
        }
        self.former.remove(room);
        Ok(streams)
    }

    async fn store(&mut self, journal: &dyn Journal, listed: Listed, now: Now) -> Result<(), AppendError> {
        self.append(journal, &listed, now.wall).await?;
        self.apply(listed);
        Ok(())
    }

    async fn append(
        &mut self,
        journal: &dyn Journal,
        listed: &Listed,
        at: DateTime<Utc>,
    ) -> Result<(), AppendError> {
        let kind = match listed {
            Listed::RoomListed { .. } => "room_listed",
            Listed::RoomClosed { .. } => "room_closed",
            Listed::RoomDeleted { .. } => "room_deleted",
        };
        let event = NewEvent::new(kind, listed).expect("an entry has a JSON form");
        self.version = journal.append(&Self::stream(), self.version, vec![event], at).await?;
        Ok(())
    }

    fn apply(&mut self, listed: Listed) {
        match listed {
            Listed::RoomListed { room, stream, path, at, is_found } => {
                if let Ok(stream) = StreamId::parse(&stream) {
                    self.listed += 1;
                    let number = if is_found { 0 } else { self.listed };
                    let entry = Entry { room: room.clone(), stream, path, is_open: true, at, number };
                    let stream = entry.stream.clone();
                    if let Some(old) = self.rooms.insert(room.clone(), entry)
                        && old.stream != stream
                    {
                        self.former.entry(room).or_default().push(old.stream);
                    }
                }
            }
            Listed::RoomClosed { stream } => {
                if let Some(entry) = self.rooms.values_mut().find(|entry| entry.stream.as_str() == stream) {
                    entry.is_open = false;
                }
            }
            Listed::RoomDeleted { stream, transcript } => {
                self.rooms.retain(|_, entry| entry.stream.as_str() != stream);
                for former in self.former.values_mut() {
                    former.retain(|former| former.as_str() != stream);
                }
                if let Ok(stream) = StreamId::parse(&stream) {
                    self.deleted.insert(stream, transcript);
                }
            }
        }
    }

    /// Changes with every change of the list.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// The room with this id, open or closed.
    pub(super) fn get(&self, room: &str) -> Option<&Entry> {
        self.rooms.get(room)
    }

    /// The newest room with this transcript: the open one, if one is.
    pub(super) fn by_path(&self, path: &Path) -> Option<&Entry> {
        self.rooms
            .values()
            .filter(|entry| entry.path == path)
            .max_by_key(|entry| (entry.is_open, entry.number, entry.at))
    }

    /// All rooms, the newest first.
    pub(super) fn newest_first(&self) -> Vec<Entry> {
        let mut entries: Vec<_> = self.rooms.values().cloned().collect();
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.number, entry.at)));
        entries
    }

    /// All rooms, by their ids.
    pub(super) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.rooms.values()
    }

    /// How many rooms are open.
    pub(super) fn count(&self) -> usize {
        self.rooms.len()
    }

    pub(super) fn open_count(&self) -> usize {
        self.rooms.values().filter(|entry| entry.is_open).count()
    }
}
