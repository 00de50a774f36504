//! `add_puzzle`: adds a puzzle.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::show;
use crate::hub::{AddPuzzle, Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "add_puzzle",
    description: "Add a puzzle: a shared state machine that all can watch and act on. config is {initialState, states: \
                  {NAME: {actions: {NAME: {targetState, allowed?, guard?}}, exitGuard?, enterGuard?, who?, after?}}, \
                  id?, policy?}, or named JSON of XState v5. All faults are told with their place.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `add_puzzle`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The machine
    config: Map<String, Value>,
    /// For people; default: that of the machine
    name: Option<String>,
    /// Where it is told and its turns are taken
    room: Option<String>,
    /// You
    by: Option<String>,
    /// Same id, same puzzle
    request_id: Option<String>,
}

impl Args {
    pub(super) fn request(self) -> AddPuzzle {
        AddPuzzle {
            config: Value::Object(self.config),
            name: self.name,
            by: self.by,
            room: self.room,
            request_id: self.request_id,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let added = hub.add_puzzle(caller, args.request()).await?;
    let mut answer = show::success(&added.state);
    answer["puzzleId"] = json!(added.state.puzzle);
    if let Some(room) = added.state.room.as_ref().map(|room| &room.id) {
        answer["room"] = json!(room);
    }
    answer["warnings"] = added.warnings.iter().map(show::warning).collect();
    Ok(Outcome::answer(answer))
}
