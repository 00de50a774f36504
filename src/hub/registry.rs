//! Which rooms there are: a stream of its own in the journal, small enough to be read at every start. It gives
//! each room its id and its transcript's path, so that no two open rooms have the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::journal::{AppendError, Journal, JournalError, NewEvent, StreamId, Version};
use crate::room::Now;

const PAGE: usize = 1_000;

/// Which rooms there are.
#[derive(Debug, Default)]
pub(super) struct Registry {
    rooms: BTreeMap<String, Entry>,
    /// How many rooms were ever made.
    made: u64,
    version: Version,
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
    /// Its place among all rooms that were ever made: what came later is newer, whatever the clock said.
    pub number: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Listed {
    /// A room has this id and this path from now on.
    RoomListed { room: String, stream: String, path: PathBuf, at: DateTime<Utc> },
    /// The room is over; its path is free.
    RoomClosed { stream: String },
}

impl Registry {
    fn stream() -> StreamId {
        StreamId::parse("rooms").expect("the name is plain")
    }

    /// Reads what is new in the journal.
    pub(super) async fn catch_up(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        loop {
            let page = journal.read(&Self::stream(), self.version, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            self.version = last.version;
            for recorded in &page {
                match serde_json::from_slice(&recorded.body) {
                    Ok(listed) => self.apply(listed),
                    Err(error) => tracing::warn!(version = %recorded.version, %error, "a room is skipped"),
                }
            }
        }
    }

    /// Lists a new room under its id and path. The room that had the id before is forgotten; it is over.
    pub(super) async fn list(
        &mut self,
        journal: &dyn Journal,
        (room, path): (String, PathBuf),
        stream: StreamId,
        now: Now,
    ) -> Result<Entry, AppendError> {
        let listed = Listed::RoomListed {
            room: room.clone(),
            stream: stream.to_string(),
            path: path.clone(),
            at: now.wall,
        };
        self.store(journal, listed, now).await?;
        Ok(Entry { room, stream, path, is_open: true, number: self.made })
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

    async fn store(&mut self, journal: &dyn Journal, listed: Listed, now: Now) -> Result<(), AppendError> {
        let kind = match listed {
            Listed::RoomListed { .. } => "room_listed",
            Listed::RoomClosed { .. } => "room_closed",
        };
        let event = NewEvent::new(kind, &listed).expect("an entry has a JSON form");
        self.version = journal.append(&Self::stream(), self.version, vec![event], now.wall).await?;
        self.apply(listed);
        Ok(())
    }

    fn apply(&mut self, listed: Listed) {
        match listed {
            Listed::RoomListed { room, stream, path, .. } => {
                if let Ok(stream) = StreamId::parse(&stream) {
                    self.made += 1;
                    let entry = Entry { room: room.clone(), stream, path, is_open: true, number: self.made };
                    self.rooms.insert(room, entry);
                }
            }
            Listed::RoomClosed { stream } => {
                if let Some(entry) = self.rooms.values_mut().find(|entry| entry.stream.as_str() == stream) {
                    entry.is_open = false;
                }
            }
        }
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
            .max_by_key(|entry| (entry.is_open, entry.number))
    }

    /// All rooms, the newest first.
    pub(super) fn newest_first(&self) -> Vec<Entry> {
        let mut entries: Vec<_> = self.rooms.values().cloned().collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.number));
        entries
    }

    /// How many rooms are open.
    pub(super) fn open_count(&self) -> usize {
        self.rooms.values().filter(|entry| entry.is_open).count()
    }
}
