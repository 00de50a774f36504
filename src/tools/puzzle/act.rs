//! `perform_action_on_puzzle`: acts on a puzzle.

use std::sync::LazyLock;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::ask::{Call, Question};
use super::next::{overtaken, while_asked};
use super::show;
use crate::hub::{ActOnPuzzle, Acted, AtClient, Caller, Hub, HubError};
use crate::puzzle::{Demand, May, Refusal};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::number::at_least;
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "perform_action_on_puzzle",
    description: "Do an action of a puzzle's present state. A refusal says why, and how the puzzle stands now. If a guard \
                  asks somebody first, the answer is `pending`: nothing is done until it passes; with wait_seconds the \
                  call waits for that.",
    effect: Effect::Acts,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `perform_action_on_puzzle`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
    #[serde(rename = "actionName")]
    action_name: String,
    /// You
    actor: Option<String>,
    /// The version you have seen; else nothing is done
    expected_version: Option<i64>,
    /// Same id, done once
    request_id: Option<String>,
    /// How long to wait for guards
    #[schemars(range(min = 0, max = 86400))]
    wait_seconds: Option<f64>,
}

impl Args {
    pub(super) fn request(self, at_client: &AtClient) -> Result<(ActOnPuzzle, Duration), Refused> {
        let act = ActOnPuzzle {
            puzzle: self.puzzle_id,
            action: self.action_name,
            actor: self.actor,
            expected_version: at_least(&TOOL, "expected_version", self.expected_version, 0)?,
            request_id: self.request_id,
            verdicts: at_client.said.clone(),
            may: May { form: at_client.form, sampling: at_client.sampling, ..May::default() },
        };
        Ok((act, arguments::timeout(self.wait_seconds).unwrap_or_default()))
    }

    /// What tells this call from others.
    pub(super) fn call(&self) -> Call {
        Call {
            puzzle: self.puzzle_id.clone(),
            action: self.action_name.clone(),
            actor: self.actor.clone(),
            expected_version: self.expected_version,
            request_id: self.request_id.clone(),
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let call = args.call();
    let (act, wait) = args.request(&caller.at_client)?;
    let names_a_version = act.expected_version.is_some();
    let acted = match hub.act_on_puzzle_and_wait(caller, act, wait).await {
        Err(error) if !names_a_version => return Ok(refused(error)),
        acted => acted?,
    };
    Ok(match acted {
        Acted::Done(state) => Outcome::answer(show::success(&state)),
        Acted::Pending(state, asked) => {
            let waiting = state.waiting(&asked);
            let mut answer = show::brief(&state);
            answer["success"] = false.into();
            answer["pending"] = json!([show::asked(&waiting)]);
            answer["next"] = json!(while_asked(&state, &waiting));
            Outcome::answer(answer)
        }
        Acted::Ask(demand) => {
            let unasked = unasked(&demand);
            let asks = Question::of(hub, call, *demand, &caller.at_client.said).await;
            Outcome { asks: asks.map(Box::new), ..Refused::from(unasked).into() }
        }
    })
}

/// What is answered if the client is not asked after all.
fn unasked(demand: &Demand) -> HubError {
    let (action, guard) = (demand.action.clone(), demand.guard.clone());
    let needs = "a client that can be asked".to_owned();
    HubError::from(Refusal::GuardUnavailable { action, guard, needs })
}

/// A refusal to one that has named no version.
fn refused(error: HubError) -> Outcome {
    let overtaken = overtaken(&error);
    let mut outcome = Outcome::from(Refused::from(error));
    if let Some(words) = overtaken {
        outcome.json["error"]["message"] = json!(words);
    }
    outcome
}
