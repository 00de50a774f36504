//! What puzzles want of people: a word before an action goes on.

use super::plain;
use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::puzzle::Puzzle;
use crate::room::Handle;

impl Shared {
    /// What waits for people in all puzzles.
    pub(in crate::hub) fn puzzle_items(&self) -> Vec<Item> {
        plain(&self.puzzles.items).values().flatten().cloned().collect()
    }

    /// What waits for people in some of them.
    pub(in crate::hub) fn items_of_puzzles<'a>(&self, puzzles: impl Iterator<Item = &'a str>) -> Vec<Item> {
        let items = plain(&self.puzzles.items);
        puzzles.filter_map(|puzzle| items.get(puzzle)).flatten().cloned().collect()
    }
}

/// What waits for people in one puzzle.
pub(super) fn of(puzzle: &Puzzle) -> Vec<Item> {
    let (about, user) = (puzzle.about(), Handle::user());
    let waiting = puzzle.pendings().iter().filter(|pending| {
        !pending.has_passed() && !pending.has_failed() && pending.open_to().contains(&user)
    });
    let item = waiting.map(|pending| {
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
        let key = format!("puzzle/{}/{}", about.puzzle, pending.id);
        Item::new(room, &about.name, (user.clone(), pending.since), &key, want)
    });
    item.collect()
}
