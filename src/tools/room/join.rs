//! `join_conversation`: enters a room and waits until it opens.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Join;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "join_conversation",
    description: "Enter a room under your handle and wait until it opens or it is your turn. Call it first; \
                  call it again with the same handle after a restart, nothing is lost. With status your_turn \
                  go on with send_message, else with wait_for_turn.",
    effect: Effect::Settles,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `join_conversation`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours, such as @Alice
    handle: String,
    /// For people to read
    name: Option<String>,
    room: Option<String>,
    /// Or invite, if the room wants one
    key: Option<String>,
    /// Get that many earlier messages
    history: Option<i64>,
    /// 0 = do not wait
    #[schemars(range(min = 0, max = 86400))]
    timeout_seconds: Option<f64>,
}

impl Args {
    pub(super) fn request(self) -> Join {
        Join {
            handle: arguments::handle(&self.handle),
            name: self.name,
            room: self.room,
            key: self.key,
            history: self.history,
            timeout: arguments::timeout(self.timeout_seconds),
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let answer = hub.join(caller, args.request()).await?;
    Ok(answer::turn(&answer))
}
