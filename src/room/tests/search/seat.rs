//! What one participant has been told, and what the rules say must wake it. It knows events only, never the
//! numbers by which a room finds out the same.

use crate::room::floor::Floor;
use crate::room::{Event, Handle, Phase, Room};

/// What one participant has been told.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each kind of news is there or not")]
pub(super) struct Seat {
    pub is_waiting: bool,
    pub cursor: u64,
    pub told: u64,
    /// A message, or a notice that ends waits, came since.
    pub has_unheard: bool,
    /// A pause came since.
    pub has_pause: bool,
    /// The floor became free since.
    pub has_freed: bool,
}

impl Seat {
    /// It has been told everything, and is busy.
    pub(super) fn answered(room: &Room) -> Self {
        Self { cursor: room.last_seq(), told: room.freed(), ..Self::default() }
    }

    pub(super) fn hear(&mut self, own: &Handle, event: &Event) {
        match event {
            Event::Posted(posted) => {
                let is_for_it = !posted.is_private || posted.recipients.contains(own);
                self.has_unheard |= is_for_it && posted.sender != *own;
            }
            Event::Started { .. } | Event::StartedBy { .. } => self.has_unheard = true,
            Event::Lapsed { handle, .. } => self.has_unheard |= handle == own,
            Event::Paused { .. } => (self.has_unheard, self.has_pause) = (true, true),
            Event::FloorFreed => self.has_freed = true,
            _ => {}
        }
    }

    pub(super) fn should_wake(&self, room: &Room, own: &Handle) -> bool {
        match room.phase() {
            Phase::Gathering => false,
            Phase::Closed => true,
            Phase::Paused => self.has_pause,
            Phase::Open => {
                let is_human = room.participant(own).unwrap().is_human();
                let is_free = room.state.floor == Floor::Free;
                let has_turn = room.active_turn().as_ref() == Some(own);
                has_turn || self.has_unheard || is_free && self.has_freed && !is_human
            }
        }
    }
}
