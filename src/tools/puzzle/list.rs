//! `list_puzzles`: shows which puzzles there are.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{Caller, Hub, ListPuzzles};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::limit;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "list_puzzles",
    description: "Show the puzzles there are, in the order in which they were added: name, state, and what can be done.",
    effect: Effect::Reads,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `list_puzzles`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Puzzle after which to go on
    after: Option<String>,
    /// Default 50
    limit: Option<i64>,
}

impl Args {
    pub(super) fn request(self) -> Result<ListPuzzles, Refused> {
        Ok(ListPuzzles { after: self.after, limit: limit(&TOOL, self.limit)? })
    }
}

async fn run(hub: &Hub, _: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let page = hub.list_puzzles(&args.request()?).await?;
    let puzzles: Vec<_> = page.puzzles.iter().map(show::listed).collect();
    let mut answer = json!({ "puzzles": puzzles });
    if !page.damaged.is_empty() {
        answer["damaged"] = page.damaged.iter().map(show::damaged).collect();
    }
    if let Some(last) = page.last.as_ref().filter(|_| page.more) {
        answer["next_after"] = json!(last);
    }
    answer["next"] = json!(match &answer["next_after"] {
        Value::String(last) => format!("there are more: call again with after={last}"),
        _ if page.puzzles.is_empty() && page.damaged.is_empty() =>
            "there is no puzzle: add_puzzle adds one".to_owned(),
        _ => "get_puzzle_snapshot shows one of them, and what can be done in it".to_owned(),
    });
    Ok(Outcome::answer(answer))
}
