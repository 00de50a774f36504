//! Fills the views with what the hub tells. It words things; it decides nothing.

mod agent;
mod delivery;
mod inbox;
mod room;
mod task;
mod words;

pub(super) use agent::{Agents, agents};
pub(super) use delivery::delivery;
pub(super) use inbox::{inbox_of_all, inbox_of_room};
pub(super) use room::{addressees, composer, controls, hint, people, rooms, rooms_after, status};
pub(super) use task::{
    FormsKey, board, card, cast, creator, flow, forms_key, gate, record, record_line, task_forms, task_line,
    tasks_here, title, waiting,
};
pub(super) use words::{Names, closed, entry, hit};

use super::view::Problem;
use crate::tools::Refused;

/// What went wrong, as every other caller of the hub is told it.
pub(super) fn problem(error: impl Into<Refused>) -> Problem {
    let error = error.into();
    Problem { message: error.to_string(), allowed: error.allowed(), next: error.next() }
}
