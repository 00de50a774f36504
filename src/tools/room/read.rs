//! `read_messages`: reads again what was said.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Read;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "read_messages",
    description: "Read earlier messages again, for example after you lost your context. New ones come by \
                  themselves with wait_for_turn; an empty list is normal. Changes nothing.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `read_messages`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    after_seq_id: Option<i64>,
    before_seq_id: Option<i64>,
    /// Default 50
    limit: Option<i64>,
    room: Option<String>,
    key: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Read {
        Read {
            handle: arguments::handle(&self.handle),
            after_seq_id: self.after_seq_id,
            before_seq_id: self.before_seq_id,
            limit: self.limit,
            room: self.room,
            key: self.key,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let page = hub.read(caller, args.request()).await?;
    Ok(Outcome::answer(answer::page(&page)))
}
