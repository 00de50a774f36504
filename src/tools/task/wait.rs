//! `context_wait`: waits for a task.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::list::Status;
use super::show;
use crate::hub::{Caller, Hub, TaskState, WaitTask, Waited};
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
        Ok(WaitTask {
            task: self.task_id,
            role: self.role.map(|role| match role {
                Role::Architect => task::Role::Architect,
                Role::Executor => task::Role::Executor,
                Role::Reviewer => task::Role::Reviewer,
            }),
            until: self.until.map(Into::into),
            after,
            timeout: arguments::timeout(self.timeout_seconds),
        })
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    Ok(Outcome::answer(match hub.wait_for_task(caller, &args.request()?).await? {
        Waited::Over(state) => show::brief(&state).into(),
        Waited::TimedOut(state) => timed_out(state.as_ref()),
    }))
}

/// The time is over: how the task stands that was named.
fn timed_out(state: Option<&TaskState>) -> Value {
    let mut fields = state.map(show::brief).unwrap_or_default();
    fields.insert("timeout".to_owned(), json!(true));
    fields.insert("next".to_owned(), json!("it has not come yet; call context_wait again"));
    fields.into()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::hub::{Mouth, Session};
    use crate::tools::call;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[tokio::test]
    async fn an_answer_without_news_says_how_the_task_stands() {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let caller = Caller::new(Session::Alone, Mouth::Mcp);
        let made = json!({ "title": "Parser", "description": "d", "creator": "@user", "role": "human" });
        assert!(!call(&hub, &caller, "context_create", object(&made)).await.is_error);
        let wait = json!({ "task_id": "parser", "after_version": 0, "timeout_seconds": 0 });
        let answer = call(&hub, &caller, "context_wait", object(&wait)).await.json;
        assert_eq!((&answer["timeout"], &answer["status"]), (&json!(true), &json!("designing")));
        let fields = ["version", "waiting_for", "needs_attention", "warnings"];
        assert!(fields.iter().all(|field| !answer[*field].is_null()), "{answer}");
        let any = json!({ "role": "reviewer", "timeout_seconds": 0 });
        let answer = call(&hub, &caller, "context_wait", object(&any)).await.json;
        assert_eq!((&answer["timeout"], &answer["status"]), (&json!(true), &Value::Null));
    }
}
