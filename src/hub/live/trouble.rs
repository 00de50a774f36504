//! That the log of a room could not be read: said once, and where it is damaged, not tried again only to list the room.

use std::sync::{MutexGuard, PoisonError};

use super::LiveRoom;
use crate::hub::error::HubError;

impl LiveRoom {
    /// That its log is damaged, as far as somebody has found it so. It may have been repaired since: who names the room
    /// reads it again.
    pub(in crate::hub) fn known_damage(&self) -> Option<HubError> {
        self.trouble().clone().filter(|error| matches!(error, HubError::RoomDamaged { .. }))
    }

    /// Its log could not be read.
    pub(super) fn note_trouble(&self, error: &HubError) {
        let before = self.trouble().replace(error.clone());
        if before.is_none() {
            tracing::warn!(room = %self.id, %error, "the room cannot be loaded");
        }
    }

    /// Its log was read.
    pub(super) fn forget_trouble(&self) {
        *self.trouble() = None;
    }

    fn trouble(&self) -> MutexGuard<'_, Option<HubError>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
