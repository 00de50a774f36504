//! `remove_puzzle`: removes a puzzle.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "remove_puzzle",
    description: "Remove a puzzle for all. Nobody can act on it or wait for it any more, and its id is not used again. Its history can still be read.",
    effect: Effect::Ends,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `remove_puzzle`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
    /// You
    by: Option<String>,
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let state = hub.remove_puzzle(caller, &args.puzzle_id, args.by.as_deref()).await?;
    let (mut answer, next) = match state {
        Some(state) => {
            (show::success(&state), "it is gone; get_puzzle_history still tells what has happened to it")
        }
        None => (json!({ "success": true, "damaged": true }), "it is gone; nothing is left to do with it"),
    };
    answer["puzzleId"] = json!(args.puzzle_id);
    answer["removed"] = true.into();
    answer["next"] = json!(next);
    Ok(Outcome::answer(answer))
}
