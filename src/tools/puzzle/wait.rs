//! `wait_for_puzzle`: waits for a puzzle.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{Caller, Hub, WaitPuzzle};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::at_least;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "wait_for_puzzle",
    description: "Wait until something has happened to a puzzle, or until it is in one of some states. A timeout is \
                  normal: call again. `ended`: nothing will happen any more.",
    effect: Effect::Reads,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `wait_for_puzzle`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
    /// The version you have seen; default: the present one, if no states are named
    since_version: Option<i64>,
    /// End when it is in one of these
    states: Option<Vec<String>>,
    /// Default suits your client
    #[schemars(range(min = 0, max = 86400))]
    timeout_seconds: Option<f64>,
}

impl Args {
    pub(super) fn request(self) -> Result<WaitPuzzle, Refused> {
        Ok(WaitPuzzle {
            puzzle: self.puzzle_id,
            since: at_least(&TOOL, "since_version", self.since_version, 0)?,
            states: self.states.unwrap_or_default(),
            timeout: arguments::timeout(self.timeout_seconds),
        })
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let (state, has_come) = hub.wait_for_puzzle(caller, &args.request()?).await?;
    let mut answer = show::state_and_next(&state);
    if !has_come && state.is_over() {
        answer["ended"] = true.into();
    } else if !has_come {
        answer["timeout"] = true.into();
        let next = answer["next"].as_str().unwrap_or_default();
        answer["next"] = json!(format!("no news, which is normal; call wait_for_puzzle again. {next}"));
    }
    Ok(Outcome::answer(answer))
}
