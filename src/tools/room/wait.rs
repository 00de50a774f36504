//! `wait_for_turn`: waits for a turn or a message.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Wait;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "wait_for_turn",
    description: "Wait until it is your turn or a message for you comes. Call it whenever you have nothing to \
                  say now. An empty answer (status timeout) is normal and loses nothing: call it again, or do \
                  what `next` says. timeout_seconds=0 only looks.",
    effect: Effect::Settles,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `wait_for_turn`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    /// "*" = all your rooms
    room: Option<String>,
    key: Option<String>,
    /// Default suits your client
    #[schemars(range(min = 0, max = 86400))]
    timeout_seconds: Option<f64>,
    /// You have seen all up to this
    after_seq_id: Option<i64>,
    /// Ask for the turn
    request_turn: Option<bool>,
}

impl Args {
    pub(super) fn request(self) -> Wait {
        Wait {
            handle: arguments::handle(&self.handle),
            room: self.room,
            key: self.key,
            timeout: arguments::timeout(self.timeout_seconds),
            after_seq_id: self.after_seq_id,
            request_turn: self.request_turn.unwrap_or_default(),
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let answer = hub.wait(caller, args.request()).await?;
    Ok(answer::turn(&answer))
}
