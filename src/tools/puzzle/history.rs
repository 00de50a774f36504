//! `get_puzzle_history`: tells what has happened to a puzzle.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::next::next;
use super::show;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::{at_least, limit, within_one_answer};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "get_puzzle_history",
    description: "Read what has happened to a puzzle, oldest first: who did what, from which state to which, what the \
                  guards have said, and what was refused.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `get_puzzle_history`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
    /// Only what came after it
    since_version: Option<i64>,
    /// Default 50
    limit: Option<i64>,
}

impl Args {
    pub(super) fn request(self) -> Result<(String, u64, usize), Refused> {
        let since = at_least(&TOOL, "since_version", self.since_version, 0)?.unwrap_or(0);
        Ok((self.puzzle_id, since, limit(&TOOL, self.limit)?))
    }
}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let (puzzle, since, limit) = args.request()?;
    let (state, history) = hub.puzzle_history(&puzzle, since, limit).await?;
    let events = within_one_answer(history.iter().map(show::event));
    let last = history.get(events.len().wrapping_sub(1)).map(|last| last.version);
    let mut answer = show::brief(&state);
    answer["puzzleId"] = json!(state.puzzle);
    if let Some(last) = last.filter(|last| *last < state.snapshot.version) {
        answer["next_since_version"] = json!(last);
        answer["next"] = json!(format!("there are more: call again with since_version={last}"));
    } else {
        answer["next"] = json!(next(&state));
    }
    answer["events"] = events.into();
    Ok(Outcome::answer(answer))
}
