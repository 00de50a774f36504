//! Answers of the hub as text for people: short, aligned, and harmless, whatever others wrote.
//!
//! What a participant wrote is indented; nothing but turnroom writes in the first column.

mod fields;
mod inbox;
mod message;
mod puzzle;
mod refusal;
mod room;
mod shell;
mod status;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod turn;
mod watch;
mod why;

use std::error::Error;

use serde_json::Value;

pub(super) use inbox::{inbox, inbox_item, settled};
pub(super) use message::{hits, page};
pub(super) use puzzle::{puzzle, puzzle_and_machine, puzzle_event, puzzle_history, puzzle_line, puzzles};
pub(super) use refusal::refusal;
pub(super) use room::{deleted, initialized, rooms, state};
pub(super) use status::status;
pub(super) use task::{task, task_line, task_log, task_look, task_record, tasks};
pub(super) use turn::{moved, said, turn};
pub(super) use watch::{Story, said_in_rooms};
pub(super) use why::why;

use super::ask::json_line;
use super::screen::Look;
use fields::plain;
use shell::in_shell;
use table::pairs;

/// The sender of notices.
pub(super) const SYSTEM: &str = "@System";

/// An answer of a few words: each with its name.
pub(super) fn object(answer: &Value, look: Look) -> String {
    let fields = answer.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    // What to do comes after what was done.
    let (next, known): (Vec<_>, Vec<_>) = fields.partition(|(name, _)| *name == "next");
    let known = known.into_iter().map(|(name, value)| (name.replace('_', " "), plain(value)));
    let next = next.into_iter().map(|(name, value)| (name.clone(), in_shell(&plain(value))));
    pairs(known.chain(next), look)
}

/// Events as lines of JSON.
pub(super) fn log(answer: &Value) -> String {
    match answer.get("events").and_then(Value::as_array) {
        Some(events) => events.iter().map(json_line).collect(),
        None => json_line(answer),
    }
}

/// An error and what caused it, in one line.
pub(super) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
