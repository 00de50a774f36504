//! `close_conversation`: ends a room for everyone.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::hub::request::Close;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "close_conversation",
    description: "End a room for everyone when its work is done; all who wait get status closed. Only a \
                  person, who started the room, or its last agent may. Give a summary of what was decided: it \
                  ends the transcript.",
    effect: Effect::Ends,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `close_conversation`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    room: Option<String>,
    summary: Option<String>,
    key: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Close {
        Close {
            handle: arguments::handle(&self.handle),
            room: self.room,
            summary: self.summary,
            key: self.key,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let room = hub.close(caller, args.request()).await?;
    let next = "the room is closed; tell @user what came of it";
    Ok(Outcome::answer(json!({ "status": "closed", "room": room, "next": next })))
}
