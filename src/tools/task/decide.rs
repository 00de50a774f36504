//! `context_decide`: decides about a task.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::publish::version;
use super::show;
use crate::hub::{self, Caller, Hub};
use crate::task;
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_decide",
    description: "For people: approve, reject or close a task. From an agent it is only a proposal that a person \
                  must confirm, unless the task was made with gate: open.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_decide`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    task_id: String,
    decision: Decision,
    /// Who decides
    by: String,
    reason: Option<String>,
    /// The version that was looked at; what came later is not decided with it
    expected_version: Option<i64>,
}

/// What is decided.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Approve,
    Reject,
    Close,
}

impl Args {
    pub(super) fn request(self) -> Result<hub::Decide, Refused> {
        Ok(hub::Decide {
            task: self.task_id,
            decision: match self.decision {
                Decision::Approve => task::Decision::Approve,
                Decision::Reject => task::Decision::Reject,
                Decision::Close => task::Decision::Close,
            },
            by: self.by,
            reason: self.reason,
            expected_version: version(&TOOL, "expected_version", self.expected_version, 0)?,
            request_id: None,
        })
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let decided = hub.decide_task(caller, args.request()?).await?;
    Ok(Outcome::answer(show::state(&decided).into()))
}
