//! `answer_guard`: answers a guard of a puzzle.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::next::after_answer;
use super::show;
use crate::hub::{AnswerGuard, Caller, Hub};
use crate::puzzle::Event;
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "answer_guard",
    description: "Say whether an action that waits for you may go on, and why. Look at what it is about first. You do not \
                  judge your own action; @user answers on the page or at a terminal.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `answer_guard`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    #[serde(rename = "puzzleId")]
    puzzle_id: String,
    #[serde(rename = "guardId")]
    guard_id: String,
    verdict: Verdict,
    reason: Option<String>,
    /// You
    by: String,
    /// Same id, answered once
    request_id: Option<String>,
}

/// What is said.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Pass,
    Refuse,
}

impl Args {
    pub(super) fn request(self) -> AnswerGuard {
        AnswerGuard {
            puzzle: self.puzzle_id,
            guard: self.guard_id,
            pass: matches!(self.verdict, Verdict::Pass),
            reason: self.reason,
            by: self.by,
            request_id: self.request_id,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let (state, events) = hub.answer_guard(caller, args.request()).await?;
    let mut answer = show::state(&state);
    let (outcome, next) = after_answer(&state, &events);
    answer["success"] = json!(true);
    answer["outcome"] = json!(outcome);
    answer["next"] = json!(next);
    let refused = events.iter().find(|event| matches!(event, Event::ActionRefused(_)));
    if let Some(Event::ActionRefused(no)) = refused {
        answer["reason"] = json!(no.why);
    }
    Ok(Outcome::answer(answer))
}
