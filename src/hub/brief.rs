//! What is known of a room that is not in memory: enough to list it, and to find the rooms of a handle.
//!
//! A brief is a cache. It names the version of the log that it was made from, and counts only as long as the log
//! has no more; without it the room is loaded.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::journal::Version;
use crate::room::{Handle, Need, Phase, Room};

/// A room in a few lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Brief {
    /// How many events the log had.
    pub version: u64,
    pub topic: String,
    pub phase: Phase,
    pub active_turn: Option<Handle>,
    /// Since when.
    pub turn_since: Option<DateTime<Utc>>,
    pub message_count: u64,
    pub last_activity: DateTime<Utc>,
    /// How many have joined.
    pub joined: usize,
    /// The newest message or notice.
    pub last_seq: u64,
    /// What waits for people.
    pub needs: Vec<Need>,
    /// The version of the log just before each message that asks something.
    pub asked: BTreeMap<u64, u64>,
    /// Everyone by every name, aliases too, folded.
    names: BTreeMap<String, Part>,
}

/// Whether somebody takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    is_present_or_awaited: bool,
    has_joined: bool,
}

impl Brief {
    /// `needs` are those of the room, with the places of the messages that ask.
    pub(super) fn of(room: &Room, needs: (Vec<Need>, BTreeMap<u64, Version>), version: u64) -> Self {
        let part = |name: &str| {
            let member = room.resolve(name)?;
            let (is_present_or_awaited, has_joined) = (member.is_present_or_awaited(), member.has_joined());
            Some((name.to_owned(), Part { is_present_or_awaited, has_joined }))
        };
        Self {
            version,
            topic: room.topic().to_owned(),
            phase: room.phase(),
            active_turn: room.active_turn(),
            turn_since: room.turn().map(|turn| turn.since),
            message_count: room.message_count(),
            last_activity: room.last_activity(),
            joined: room.participants().iter().filter(|member| member.has_joined()).count(),
            last_seq: room.last_seq(),
            needs: needs.0,
            asked: needs.1.into_iter().map(|(seq, version)| (seq, version.0)).collect(),
            names: room.names().filter_map(part).collect(),
        }
    }

    /// Whether somebody of this name is in the room, or expected.
    pub(super) fn has(&self, handle: &Handle) -> bool {
        self.names.get(handle.key()).is_some_and(|part| part.is_present_or_awaited)
    }

    /// Whether somebody of this name has joined, and not left.
    pub(super) fn has_joined(&self, handle: &Handle) -> bool {
        self.names.get(handle.key()).is_some_and(|part| part.has_joined)
    }
}
