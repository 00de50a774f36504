//! The kinds of events, by the words that their JSON has.

use super::Event;

/// Names what each kind of a stored event is called: the same word as in its JSON. A kind cannot be left out.
macro_rules! kinds {
    ($visible:vis $event:ty { $($pattern:pat => $kind:literal,)+ }) => {
        impl $event {
            /// The kinds of events that this version knows.
            $visible const KINDS: &'static [&'static str] = &[$($kind),+];

            /// What kind of event it is: the same word as in its JSON.
            #[must_use]
            $visible fn kind(&self) -> &'static str {
                match self {
                    $($pattern => $kind,)+
                }
            }

            /// Whether this version knows events of a kind.
            #[must_use]
            $visible fn is_known(kind: &str) -> bool {
                Self::KINDS.contains(&kind)
            }
        }
    };
}

pub(crate) use kinds;

kinds!(pub Event {
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
});
