//! `get_puzzle_snapshot`: tells how a puzzle stands.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::show;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "get_puzzle_snapshot",
    description: "Show how a puzzle stands: its state, the actions that can be done now, its version, whose state it \
                  is, and the guards that wait for an answer.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `get_puzzle_snapshot`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let state = hub.puzzle(&args.puzzle_id).await?;
    Ok(Outcome::answer(show::state_and_next(&state)))
}
