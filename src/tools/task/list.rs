//! `context_list`: shows which tasks there are.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{Caller, Hub, ListTasks};
use crate::task;
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::limit;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_list",
    description: "Show the tasks that are not over, the newest first: where each stands and whom it waits for.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_list`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    status: Option<Status>,
    include_closed: Option<bool>,
    /// Default 50
    limit: Option<i64>,
    /// Task after which to go on
    after: Option<String>,
}

/// Where a task stands.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Designing,
    Implementing,
    Reviewing,
    Revising,
    PendingApproval,
    Approved,
    Closed,
}

impl From<Status> for task::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Designing => Self::Designing,
            Status::Implementing => Self::Implementing,
            Status::Reviewing => Self::Reviewing,
            Status::Revising => Self::Revising,
            Status::PendingApproval => Self::PendingApproval,
            Status::Approved => Self::Approved,
            Status::Closed => Self::Closed,
        }
    }
}

impl Args {
    pub(super) fn request(self) -> Result<ListTasks, Refused> {
        Ok(ListTasks {
            status: self.status.map(Into::into),
            include_closed: self.include_closed.unwrap_or_default(),
            limit: limit(&TOOL, self.limit)?,
            after: self.after,
        })
    }
}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let page = hub.list_tasks(&args.request()?).await?;
    let tasks: Vec<_> = page.tasks.iter().map(show::brief).collect();
    let mut answer = json!({ "tasks": tasks });
    if let Some(last) = page.tasks.last().filter(|_| page.more) {
        answer["next_after"] = json!(last.task);
    }
    Ok(Outcome::answer(answer))
}
