//! `context_publish`: adds a record to a task.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::show;
use crate::hub::{Caller, Hub, PublishRecord};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::at_least;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_publish",
    description: "Add a record to a task's log. content_type: design, code_changes, review (payload.verdict pass, \
                  fail_code, fail_design, blocked_external), revision, note. payload needs summary and body; may \
                  have commits[], ref_version. Task `project` holds notes of the whole project.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_publish`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    task_id: String,
    /// Yours: architect, executor, reviewer
    role: String,
    content_type: String,
    payload: Map<String, Value>,
    /// You
    agent: Option<String>,
    model: Option<String>,
    /// The version you have read; else nothing is written
    expected_version: Option<i64>,
    /// Same id, same record
    request_id: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> Result<PublishRecord, Refused> {
        Ok(PublishRecord {
            task: self.task_id,
            role: self.role,
            content_type: self.content_type,
            payload: self.payload,
            agent: self.agent,
            model: self.model,
            expected_version: at_least(&TOOL, "expected_version", self.expected_version, 0)?,
            request_id: self.request_id,
        })
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let published = hub.publish_record(caller, args.request()?).await?;
    Ok(Outcome::answer(show::state(&published).into()))
}
