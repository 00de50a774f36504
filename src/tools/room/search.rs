//! `search_messages`: finds what was said.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Search;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "search_messages",
    description: "Find earlier messages by the words in them, instead of reading everything again. Gives \
                  numbers and snippets; read_messages gives the whole text.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `search_messages`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Yours
    handle: String,
    /// Words
    query: String,
    /// Default 20
    limit: Option<i64>,
    room: Option<String>,
    key: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Search {
        Search {
            handle: arguments::handle(&self.handle),
            query: self.query,
            limit: self.limit,
            room: self.room,
            key: self.key,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let found = hub.search(caller, args.request()).await?;
    Ok(Outcome::answer(answer::hits(&found)))
}
