//! `context_wait`: waits for a task.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::list::Status;
use super::show;
use crate::hub::{Caller, Hub, Until, WaitTask};
use crate::task;
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::at_least;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_wait",
    description: "Wait until it is the turn of your role (in one task, or in any), or until a task stands somewhere \
                  else; until: \"closed\" ends only at your turn or the end. A timeout is normal: call again.",
    effect: Effect::Reads,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_wait`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// This or role
    task_id: Option<String>,
    role: Option<Role>,
    /// End also when the task stands here
    until: Option<Status>,
    /// End also when something came after this version
    after_version: Option<i64>,
    /// Default suits your client
    #[schemars(range(min = 0, max = 86400))]
    timeout_seconds: Option<f64>,
}

/// A part of the work.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Role {
    Architect,
    Executor,
    Reviewer,
}

impl Args {
    pub(super) fn request(self) -> Result<WaitTask, Refused> {
        let after = at_least(&TOOL, "after_version", self.after_version, 0)?;
        let until = self.until.map(|status| Until::Status(status.into()));
        Ok(WaitTask {
            task: self.task_id,
            role: self.role.map(|role| match role {
                Role::Architect => task::Role::Architect,
                Role::Executor => task::Role::Executor,
                Role::Reviewer => task::Role::Reviewer,
            }),
            until: until.or(after.map(Until::After)),
            timeout: arguments::timeout(self.timeout_seconds),
        })
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    Ok(Outcome::answer(match hub.wait_for_task(caller, &args.request()?).await? {
        Some(state) => show::brief(&state).into(),
        None => json!({ "timeout": true, "next": "nothing has changed; call context_wait again" }),
    }))
}
