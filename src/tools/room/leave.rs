//! `leave_conversation`: leaves a room.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::hub::request::Leave;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "leave_conversation",
    description: "Leave a room when your part in it is over; your turn passes on. Send what you still have to \
                  say before. The room goes on without you.",
    effect: Effect::Settles,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `leave_conversation`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    room: Option<String>,
    key: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Leave {
        Leave { handle: arguments::handle(&self.handle), room: self.room, key: self.key }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let room = hub.leave(caller, args.request()).await?;
    let next = "you are out; join_conversation brings you back";
    Ok(Outcome::answer(json!({ "status": "left", "room": room, "next": next })))
}
