//! `list_conversations`: shows the rooms there are.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema, state};

pub(super) static TOOL: Tool = Tool {
    name: "list_conversations",
    description: "List the rooms with topic, turn, counts and last activity, newest first. Use it when you do \
                  not know which room is meant.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// `list_conversations` takes no arguments.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let Args {} = arguments::read(&TOOL, given)?;
    let mut json = state::room_list(&hub.rooms().await?);
    json["next"] = "name one as `room` in your next call".into();
    Ok(Outcome::answer(json))
}
