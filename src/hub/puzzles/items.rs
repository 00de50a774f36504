//! What puzzles want of people: a word before an action goes on.

use std::sync::Arc;

use super::plain;
use crate::hub::error::HubError;
use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::puzzle::{Pending, Puzzle};
use crate::room::{Handle, Participant};

impl Shared {
    /// What waits for people in all puzzles.
    pub(in crate::hub) fn puzzle_items(&self) -> Vec<Item> {
        plain(&self.puzzles.items).values().flatten().cloned().collect()
    }

    /// What waits for people in one puzzle: for the persons of its room, and for `@user` wherever he is asked.
    pub(super) async fn items_of(self: &Arc<Self>, puzzle: &Puzzle) -> Vec<Item> {
        let mut items = Vec::new();
        for pending in puzzle.pendings().iter().filter(|one| !one.has_passed() && !one.has_failed()) {
            for handle in pending.open_to() {
                if self.is_person(puzzle, &handle).await {
                    items.push(item(puzzle, pending, handle));
                }
            }
        }
        items
    }

    async fn is_person(self: &Arc<Self>, puzzle: &Puzzle, handle: &Handle) -> bool {
        let about = puzzle.about();
        if about.is_person(handle) {
            return true;
        }
        let found = async {
            let Some(live) = self.room_of_puzzle(about).await? else { return Ok(false) };
            let room = live.lock(self).await?;
            Ok::<_, HubError>(room.room().resolve(handle.key()).is_some_and(Participant::is_human))
        };
        found.await.unwrap_or_else(|error| {
            tracing::warn!(puzzle = %about.puzzle, %error, "it is not known whether a person is asked");
            false
        })
    }

    /// What waits for people in some of them.
    pub(in crate::hub) fn items_of_puzzles<'a>(&self, puzzles: impl Iterator<Item = &'a str>) -> Vec<Item> {
        let items = plain(&self.puzzles.items);
        puzzles.filter_map(|puzzle| items.get(puzzle)).flatten().cloned().collect()
    }
}

fn item(puzzle: &Puzzle, pending: &Pending, to: Handle) -> Item {
    let about = puzzle.about();
    let want = Want::Guard {
        puzzle: about.puzzle.clone(),
        guard: pending.id.clone(),
        question: pending.question.clone(),
        action: pending.cause.name(),
        actor: pending.actor.clone(),
        state: pending.state.clone(),
        target: pending.target.clone(),
    };
    let room = about.room.as_deref().unwrap_or_default();
    let of = if to == Handle::user() { String::new() } else { format!("/{}", to.key()) };
    let key = format!("puzzle/{}/{}{of}", about.puzzle, pending.id);
    Item::new(room, &about.name, (to, pending.since), &key, want)
}
