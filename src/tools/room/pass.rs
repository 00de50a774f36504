//! `pass_turn`: gives the turn on without speaking.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Pass;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "pass_turn",
    description: "Give your turn on without speaking, when you have nothing to add: better than a message that \
                  says so. `to` names who must act next; without it the queue decides. Then go on with \
                  wait_for_turn.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `pass_turn`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    /// Handle
    to: Option<String>,
    reason: Option<String>,
    room: Option<String>,
    key: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Pass {
        Pass {
            handle: arguments::handle(&self.handle),
            to: self.to.as_deref().map(arguments::handle),
            reason: self.reason,
            room: self.room,
            key: self.key,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let answer = hub.pass(caller, args.request()).await?;
    Ok(answer::turn(&answer))
}
