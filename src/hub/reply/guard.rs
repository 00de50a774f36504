//! The guards of puzzles in a note. They are answered elsewhere: words from a note are never verified.

use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::room::Room;
use crate::transcript::ReplyGuard;

/// What the puzzles of a room want of people.
pub(super) fn of(room: &Room, shared: &Shared) -> Vec<ReplyGuard> {
    let items = shared.items_of_puzzles(room.puzzles().map(|(puzzle, ..)| puzzle));
    items.into_iter().filter_map(shown).collect()
}

fn shown(item: Item) -> Option<ReplyGuard> {
    let command = item.command();
    let Want::Guard { puzzle, guard, question, action, actor, state, target } = item.want else {
        return None;
    };
    let (human, since) = (item.to, item.since);
    Some(ReplyGuard { puzzle, guard, human, question, action, actor, state, target, since, command })
}
