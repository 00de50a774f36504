//! Words from outside: what a tool is called, what it takes, what it answers.
//!
//! [`call`] is the one way in for every front: MCP, the HTTP API and the terminal. It reads the arguments,
//! hands a request to the hub, and turns the answer or the refusal into JSON. It decides nothing about rooms.

mod answer;
mod arguments;
mod catalogue;
mod coerce;
mod hooks;
mod inbox;
mod message;
mod number;
mod puzzle;
mod refused;
mod room;
mod schema;
mod state;
mod state_fault;
mod task;
#[cfg(test)]
mod tests;
mod toolsets;
mod whole;
mod why;

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use serde_json::{Map, Value};

use crate::hub::{Caller, Hub, Receipt};

pub use catalogue::{Effect, Tool, Toolset, find, tools};
pub(crate) use hooks::{reminded, safe_waits};
pub(crate) use inbox::{inbox, said};
pub use puzzle::{Asked, Question, not_taken};
pub(crate) use puzzle::{escaped, may_ask, puzzle_state, puzzle_uri, unescaped};
pub use refused::Refused;
pub(crate) use state::{room_list, room_state};
pub use state_fault::StateFault;
pub(crate) use task::{reported, started, task_line, task_state};
pub use toolsets::{Toolsets, UnknownToolset};
pub(crate) use whole::{deleted, exported};
pub(crate) use why::why;

/// What a call came to.
#[derive(Debug)]
pub struct Outcome {
    /// The answer, or `{"error": …}`.
    pub json: Value,
    /// Whether the call was refused. Nothing has changed then.
    pub is_error: bool,
    /// Hand it to [`Hub::take_back`] when the answer did not reach the caller.
    pub receipt: Option<Receipt>,
    /// What the caller has to be asked: then the call is made again. Only if it can be asked.
    pub asks: Option<Box<Question>>,
}

impl Outcome {
    /// What a call of a person came to.
    pub(crate) fn turn(answer: &crate::hub::Answer) -> Self {
        answer::post(answer)
    }

    fn answer(json: Value) -> Self {
        Self { json, is_error: false, receipt: None, asks: None }
    }
}

impl From<Refused> for Outcome {
    fn from(refused: Refused) -> Self {
        Self { json: refused.to_json(), is_error: true, receipt: None, asks: None }
    }
}

/// Reads the arguments of a call, and does nothing else. Nothing, if there is no such tool.
#[cfg(fuzzing)]
pub fn fuzzed(name: &str, given: Map<String, Value>) -> Option<Result<(), Refused>> {
    let (tool, reader) = readers().find(|(tool, _)| tool.name == name)?;
    Some(reader(tool, given))
}

/// All tools, each with what reads its arguments.
#[cfg(any(test, fuzzing))]
fn readers() -> impl Iterator<Item = (&'static Tool, room::Reader)> {
    let room = room::TOOLS.into_iter().zip(room::READERS);
    let task = task::TOOLS.into_iter().zip(task::READERS);
    room.chain(task).chain(puzzle::TOOLS.into_iter().zip(puzzle::READERS))
}

/// Calls a tool. Every failure is an answer that says what to do next, also a fault of our own: a panic in a
/// tool must not leave its caller waiting for ever.
pub async fn call(hub: &Hub, caller: &Caller, name: &str, arguments: Map<String, Value>) -> Outcome {
    let Some(tool) = find(name) else {
        return Refused::unknown_tool(name).into();
    };
    let mut outcome = match AssertUnwindSafe(tool.run(hub, caller, arguments)).catch_unwind().await {
        Ok(outcome) => outcome.unwrap_or_else(Outcome::from),
        Err(_) => Refused::Fault { tool: tool.name }.into(),
    };
    if outcome.is_error && puzzle::TOOLS.iter().any(|of_puzzles| of_puzzles.name == tool.name) {
        puzzle::put_failure(&mut outcome.json);
    }
    outcome
}
