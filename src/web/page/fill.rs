//! Fills the views with what the hub tells. It words things; it decides nothing.

mod agent;
mod delivery;
mod inbox;
mod machine;
mod puzzle;
mod room;
mod step;
mod task;
mod words;

pub(super) use agent::{Agents, agents};
pub(super) use delivery::delivery;
pub(super) use inbox::{inbox_of_all, inbox_of_room};
pub(super) use machine::{drawing, mermaid, ways};
pub(super) use puzzle::{
    demand, faults, oddities, puzzle_creator, puzzle_description, puzzle_forms, puzzle_line, puzzle_name,
    puzzles, puzzles_here,
};
pub(super) use room::{addressees, composer, controls, hint, people, rooms, rooms_after, status};
pub(super) use step::step;
pub(super) use task::{
    board, card, cast, creator, flow, forms_key, gate, record, record_line, task_forms, task_line,
    tasks_here, title, waiting,
};
pub(super) use words::{Names, closed, entry, hit};

use super::view::Problem;
use crate::tools::Refused;
use crate::transcript::plain_text;

/// What went wrong, as every other caller of the hub is told it.
pub(super) fn problem(error: impl Into<Refused>) -> Problem {
    let error = error.into();
    let clean = |text: &str| plain_text(text).into_owned();
    Problem {
        message: clean(&error.to_string()),
        allowed: error.allowed().iter().map(|name| clean(name)).collect(),
        next: clean(&error.next()),
    }
}
