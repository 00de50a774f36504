//! How far each participant has come: applied at once, journalled with the next append.

use super::Locked;
use crate::hub::error::HubError;
use crate::journal::Version;
use crate::room::event::CursorMove;
use crate::room::{Event, Status};

impl Locked<'_> {
    /// A hub that died may have given everything up to here to those who were in the room: nothing of it is given again
    /// without a mark. Who was away has not called since.
    pub(super) fn doubt_what_was_given(&mut self, found: u64) {
        let members = self.room().participants().into_iter();
        let doubtful = members.filter(|member| member.status == Status::Active && member.handed < found);
        let moves: Vec<CursorMove> = doubtful
            .map(|member| CursorMove {
                handle: member.handle.clone(),
                seen: member.seen,
                handed: found,
                is_settled: false,
            })
            .collect();
        for moved in moves {
            self.move_cursor(moved);
        }
    }

    /// Cursors that turn out to be stored are not stored again: behind a post that is in the log by now, they would
    /// settle it.
    pub(super) fn forget_stored_cursors(&mut self, events: &[(Event, Version)]) {
        for (event, _) in events {
            if let Event::CursorsMoved { cursors } = event {
                for stored in cursors {
                    self.inside.moved.remove(&stored.handle);
                }
            }
        }
    }

    /// Notes how far a participant has come. It takes effect at once, and is journalled with the next append.
    pub(in crate::hub) fn move_cursor(&mut self, moved: CursorMove) {
        self.apply_cursor(moved.clone());
        self.live.stir.stir();
        match self.inside.moved.get_mut(&moved.handle) {
            Some(before) => {
                let is_settled = before.is_settled || moved.is_settled;
                *before = CursorMove { is_settled, ..moved };
            }
            None => {
                self.inside.moved.insert(moved.handle.clone(), moved);
            }
        }
    }

    fn apply_cursor(&mut self, moved: CursorMove) {
        let now = self.hub.clock.now().mono;
        self.inside.room.apply(&Event::CursorsMoved { cursors: vec![moved] }, now);
    }

    /// Journals the cursors that are not stored yet.
    pub(in crate::hub) async fn store_cursors(&mut self) -> Result<(), HubError> {
        if self.inside.moved.is_empty() {
            return Ok(());
        }
        self.append(&[], self.hub.clock.now()).await.map(|_| ())
    }
}
