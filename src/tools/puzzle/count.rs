//! `count_puzzles`: tells how many puzzles there are.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "count_puzzles",
    description: "Tell how many puzzles there are.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `count_puzzles`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let Args {} = arguments::read(&TOOL, given)?;
    Ok(Outcome::answer(json!({ "count": hub.puzzle_count().await?, "next": "list_puzzles shows them" })))
}
