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

#[cfg(test)]
mod tests {

    use super::*;
    use crate::hub::{Mouth, Session};
    use crate::tools::call;

    /// Calls a tool with the longest text of this character that it takes, and gives its answer.
    async fn with_longest(character: &str, mut tell: impl AsyncFnMut(String) -> Outcome) -> Value {
        let (mut taken, mut refused) = (1, 1 << 20);
        let mut last = Value::Null;
        while refused - taken > 1 {
            let half = usize::midpoint(taken, refused);
            let outcome = tell(character.repeat(half)).await;
            if outcome.is_error {
                assert_eq!(outcome.json["error"]["code"], "payload_too_large");
                refused = half;
            } else {
                (taken, last) = (half, outcome.json);
            }
        }
        last
    }

    #[tokio::test]
    async fn whatever_was_taken_is_read_back_by_clients_that_read_a_mebibyte_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let caller = Caller::new(Session::Alone, Mouth::Mcp);
        let tell = async |tool: &str, given: Value| {
            call(&hub, &caller, tool, given.as_object().cloned().expect("an object")).await
        };
        for character in ["b", "\"", "\\", "\u{1}", "é", "😀"] {
            let title = character.repeat(if character == "\u{1}" { 0 } else { 150 }) + "t";
            let made = with_longest(character, async |description| {
                let made = json!({ "title": title, "description": description, "creator": "c", "role": "r" });
                tell("context_create", made).await
            });
            let task = &made.await["task_id"];
            let published = with_longest(character, async |body| {
                let payload = json!({ "summary": "s", "body": body });
                let record = json!({ "task_id": task, "role": "r", "content_type": "x", "payload": payload });
                tell("context_publish", record).await
            });
            let newest = &published.await["version"];
            let read = tell("context_read", json!({ "task_id": task, "since_version": newest })).await.json;
            assert_eq!(&read["versions"][0]["version"], newest);
            let event = json!({ "text": read.to_string() }).to_string().len();
            assert!((700 << 10..1000 << 10).contains(&event), "{event} bytes of {character:?}");
        }
    }
}
