//! `list_participants`: shows a room and everyone in it.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema, state};

pub(super) static TOOL: Tool = Tool {
    name: "list_participants",
    description: "See who is in a room, whose turn it is, who comes next, who waits, and who has read what. \
                  Use it when you do not know whom to mention; not before each message.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `list_participants`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    room: Option<String>,
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let room = hub.room_state(caller, args.room.as_deref()).await?;
    let mut json = state::room_state(&room);
    json["next"] = "send_message if it is your turn, else wait_for_turn".into();
    Ok(Outcome::answer(json))
}
