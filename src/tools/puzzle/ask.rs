//! A question that the acting client is asked before an action is done, and what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::act;
use super::show::{put_brief, put_failure};
use crate::hub::{AtClient, Caller, Hub};
use crate::puzzle::{Demand, Puzzle, Refusal, Verdict, Whom};
use crate::tools::{Outcome, Refused, arguments};

/// Of the document of a state a model is given so many characters.
const DOCUMENT_CHARS: usize = 8_000;

/// Who is asked at the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// Whoever sits there, by a form.
    Person,
    /// Its model.
    Model,
}

/// What has to be asked at the client of a call before the call can go on. It can leave the hub and come back: what it is
/// about is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Who is asked.
    pub asked: Asked,
    /// What they are asked, and about what. It does not leave the hub a second time.
    #[serde(skip)]
    pub text: String,
    call: Call,
    guard: String,
    demand: String,
    entered_version: u64,
    said: Vec<Verdict>,
}

/// What of a call must be the same when it comes back with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub puzzle: String,
    pub action: String,
    pub actor: Option<String>,
    pub expected_version: Option<i64>,
    pub request_id: Option<String>,
}

impl Question {
    /// What the hub wants to know; nothing, if that is asked elsewhere.
    pub(super) async fn of(hub: &Hub, call: Call, demand: Demand, said: &[Verdict]) -> Option<Self> {
        let asked = match demand.whom {
            Whom::Form => Asked::Person,
            Whom::Sampling => Asked::Model,
            Whom::Command(_) => return None,
        };
        let mut text = about(&call.puzzle, &demand);
        if asked == Asked::Model
            && let Ok(Some(document)) = hub.look_at_puzzle(&call.puzzle, document).await
        {
            text = format!("{text}\n\nThe document of state `{}`:\n\n{document}", demand.state);
        }
        let Demand { id, guard, entered_version, .. } = demand;
        Some(Self { asked, text, call, guard, demand: id, entered_version, said: said.to_vec() })
    }

    /// Whether a call with these arguments is the one that has to ask this.
    #[must_use]
    pub fn is_of(&self, given: &Map<String, Value>) -> bool {
        let args = arguments::read::<act::Args>(&act::TOOL, given.clone());
        args.is_ok_and(|args| args.call() == self.call)
    }

    /// Notes what was said; the call can be made again with it.
    pub fn answered(self, at_client: &mut AtClient, pass: bool, reason: Option<String>) {
        let Self { demand, entered_version, said, .. } = self;
        at_client.said = said;
        at_client.said.push(Verdict { demand, entered_version, pass, reason, is_of_program: false });
    }

    /// Nobody has said yes or no: the answer to the call, with why.
    pub async fn unanswered(&self, hub: &Hub, why: String) -> Outcome {
        let (action, guard) = (self.call.action.clone(), self.guard.clone());
        let refusal = Refusal::NoVerdict { action, guard, why };
        Refused::from(hub.refused_action(&self.call.puzzle, refusal).await).into()
    }

    /// Comes back when there is no sense in an answer any more: with the answer to the call; or with nothing, if the puzzle
    /// has moved. Whatever is said then comes too late, and a call that is made again with it learns what has come in between.
    pub async fn lapses(&self, hub: &Hub, caller: &Caller) -> Option<Outcome> {
        let lapsed = hub.question_lapses(caller, &self.call.puzzle, self.entered_version).await;
        lapsed.err().map(|error| Refused::from(error).into())
    }
}

/// What a call has come back with is not taken: the answer to it, with how the puzzle stands.
pub async fn not_taken(hub: &Hub, given: &Map<String, Value>, why: Refused) -> Outcome {
    let mut outcome = Outcome::from(why);
    put_failure(&mut outcome.json);
    let args = arguments::read::<act::Args>(&act::TOOL, given.clone());
    if let Ok(args) = args
        && let Ok(state) = hub.puzzle(&args.call().puzzle).await
    {
        put_brief(&mut outcome.json, &state);
    }
    outcome
}

/// The question, and what it decides about.
fn about(puzzle: &str, demand: &Demand) -> String {
    let Demand { question, state, action, target, actor, .. } = demand;
    let who = actor.as_ref().map_or("Somebody", |actor| actor.as_str());
    format!("{question}\n\n{who} wants to do `{action}` in puzzle `{puzzle}`: `{state}` → `{target}`.")
}

/// The document of the present state, or the start of it.
fn document(puzzle: &Puzzle) -> Option<String> {
    let state = puzzle.machine().state(puzzle.machine().find(puzzle.current())?);
    let text = &state.resource.as_ref()?.text;
    let mut start: String = text.chars().take(DOCUMENT_CHARS).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    Some(start)
}
