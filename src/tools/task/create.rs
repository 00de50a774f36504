//! `context_create`: makes a task.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::show;
use crate::hub::{Caller, CreateTask, Hub};
use crate::task::{self, Role};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "context_create",
    description: "Make a task: a log of records from which follows whose turn it is (architect, executor, reviewer, \
                  then a person). Then publish into it with context_publish.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `context_create`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// One line
    title: String,
    /// What is to be done, and how one sees that it is
    description: String,
    /// You, or who wants it
    creator: String,
    /// The creator's
    role: String,
    /// direct: a design exists; solo: no review
    flow: Option<Flow>,
    /// Role: handle, such as {"executor": "@Bob"}
    cast: Option<Cast>,
    /// Who may decide: human (default) = verified people only
    gate: Option<Gate>,
    /// Where its turns are taken; default: a room of its own
    room: Option<String>,
    /// Same id, same task
    request_id: Option<String>,
}

/// Which way a task goes.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Flow {
    Full,
    Direct,
    Solo,
}

/// Who may decide.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Gate {
    Human,
    Open,
}

/// Who plays which part.
#[derive(Default, Deserialize, JsonSchema)]
struct Cast {
    architect: Option<String>,
    executor: Option<String>,
    reviewer: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> CreateTask {
        let cast = self.cast.unwrap_or_default();
        let parts = [
            (Role::Architect, cast.architect),
            (Role::Executor, cast.executor),
            (Role::Reviewer, cast.reviewer),
        ];
        CreateTask {
            title: self.title.trim().to_owned(),
            description: self.description,
            creator: self.creator,
            role: self.role,
            flow: match self.flow {
                None | Some(Flow::Full) => task::Flow::Full,
                Some(Flow::Direct) => task::Flow::Direct,
                Some(Flow::Solo) => task::Flow::Solo,
            },
            cast: parts
                .into_iter()
                .filter_map(|(role, handle)| Some((role, arguments::handle(&handle?))))
                .collect::<BTreeMap<_, _>>(),
            gate: match self.gate {
                None | Some(Gate::Human) => task::Gate::Human,
                Some(Gate::Open) => task::Gate::Open,
            },
            room: self.room,
            request_id: self.request_id,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let made = hub.create_task(caller, args.request()).await?;
    Ok(Outcome::answer(show::whole(&made).into()))
}
