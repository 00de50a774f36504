//! The kinds of events, by the words that their JSON has.

use super::Event;

/// The kinds of events that this version knows.
const KINDS: [&str; 25] = [
    "opened",
    "joined",
    "renamed",
    "started",
    "started_by",
    "barrier_overdue",
    "posted",
    "queued",
    "floor_given",
    "floor_freed",
    "lapsed",
    "unanswered",
    "went_away",
    "returned",
    "passed",
    "task_moved",
    "puzzle_told",
    "paused",
    "resumed",
    "left",
    "closed",
    "noted",
    "cursors_moved",
    "key_changed",
    "invite_spent",
];

impl Event {
    /// Whether this version knows events of a kind.
    #[must_use]
    pub fn is_known(kind: &str) -> bool {
        KINDS.contains(&kind)
    }

    /// What kind of event it is: the same word as in its JSON.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::Joined { .. } => "joined",
            Self::Renamed { .. } => "renamed",
            Self::Started { .. } => "started",
            Self::StartedBy { .. } => "started_by",
            Self::BarrierOverdue { .. } => "barrier_overdue",
            Self::Posted(_) => "posted",
            Self::Queued { .. } => "queued",
            Self::FloorGiven { .. } => "floor_given",
            Self::FloorFreed => "floor_freed",
            Self::Lapsed { .. } => "lapsed",
            Self::Unanswered { .. } => "unanswered",
            Self::WentAway { .. } => "went_away",
            Self::Returned { .. } => "returned",
            Self::Passed { .. } => "passed",
            Self::TaskMoved(_) => "task_moved",
            Self::PuzzleTold(_) => "puzzle_told",
            Self::Paused { .. } => "paused",
            Self::Resumed { .. } => "resumed",
            Self::Left { .. } => "left",
            Self::Closed { .. } => "closed",
            Self::Noted { .. } => "noted",
            Self::CursorsMoved { .. } => "cursors_moved",
            Self::KeyChanged { .. } => "key_changed",
            Self::InviteSpent { .. } => "invite_spent",
        }
    }
}
