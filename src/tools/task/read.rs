//! `context_read`: reads the records of a task.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::{at_least, limit, within_one_answer};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_read",
    description: "Read a task: how it stands, and its records from since_version on. Read what is new before you \
                  publish. Read task `project` first.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_read`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    task_id: String,
    /// Default 1
    since_version: Option<i64>,
    /// Default 50
    limit: Option<i64>,
}

impl Args {
    pub(super) fn request(self) -> Result<(String, u64, usize), Refused> {
        let since = at_least(&TOOL, "since_version", self.since_version, 1)?.unwrap_or(1);
        Ok((self.task_id, since, limit(&TOOL, self.limit)?))
    }
}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let (task, since, limit) = args.request()?;
    let (state, records) = hub.read_task(&task, since, limit).await?;
    let versions = within_one_answer(records.iter().map(show::record));
    let last = records.get(versions.len().wrapping_sub(1)).map_or(state.version, |record| record.version);
    let mut answer = show::whole(&state);
    if last < state.version {
        answer.insert("next_since_version".to_owned(), json!(last + 1));
    }
    answer.insert("versions".to_owned(), versions.into());
    Ok(Outcome::answer(answer.into()))
}
