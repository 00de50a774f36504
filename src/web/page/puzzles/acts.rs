//! What a person does with a puzzle: acts on it, answers its guards, removes it.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Redirect, Response};
use serde_json::json;

use super::Part;
use crate::hub::{ActOnPuzzle, Acted, AnswerGuard, Caller};
use crate::puzzle::{May, Verdict};
use crate::web::page::acts::{Fields, by, version};
use crate::web::page::address::Readable;
use crate::web::page::door::wants_json;
use crate::web::page::undone::Undone;
use crate::web::page::view::Demand;
use crate::web::page::{Page, fill, puzzle_path, refusal, shown};

/// What a person does with a puzzle.
#[derive(Clone, Copy)]
pub(in crate::web::page) enum Act {
    /// Acts on it, or answers what is asked before that.
    Do,
    /// Answers a guard.
    Answer,
    /// Removes it.
    Remove,
}

/// What came of it.
enum Done {
    Here,
    /// The person is asked something first.
    Ask(Demand),
    Removed,
}

/// Does what a form asks for.
pub(in crate::web::page) async fn act(
    act: Act,
    State(page): State<Page>,
    Readable(Path(puzzle)): Readable<Path<String>>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let person = page.caller(&headers);
    let done = match act {
        Act::Do => page.act_on(&person, &puzzle, &fields).await,
        Act::Answer => page.answer_guard(&person, &puzzle, &fields).await,
        Act::Remove => page.remove(&person, &puzzle, &fields).await,
    };
    page.told(&person, &puzzle, done, (&headers, &fields)).await
}

impl Page {
    async fn act_on(&self, person: &Caller, puzzle: &str, fields: &Fields) -> Result<Done, Undone> {
        let action = given(fields, "action");
        let action =
            action.ok_or_else(|| Undone::form("The form names no action.", "Load the page again."))?;
        let (version, said) = (version(fields)?, said(fields)?);
        let request = ActOnPuzzle {
            puzzle: puzzle.to_owned(),
            action: action.to_owned(),
            actor: Some(by(fields)),
            expected_version: Some(version),
            request_id: given(fields, "request_id").map(str::to_owned),
            verdicts: said.clone(),
            may: May { form: true, ..May::default() },
        };
        match self.hub.act_on_puzzle(person, request).await? {
            Acted::Done(_) | Acted::Pending(..) => Ok(Done::Here),
            Acted::Ask(demand) => {
                let said = json!(said).to_string();
                Ok(Done::Ask(fill::demand(puzzle, &demand, (version, said), self.access.form_token())))
            }
        }
    }

    async fn answer_guard(&self, person: &Caller, puzzle: &str, fields: &Fields) -> Result<Done, Undone> {
        let guard = given(fields, "guard").map(str::to_owned);
        let request = AnswerGuard {
            puzzle: puzzle.to_owned(),
            guard: guard.ok_or_else(|| Undone::form("The form names no guard.", "Load the page again."))?,
            pass: verdict(fields)?,
            reason: reason(fields),
            by: by(fields),
            request_id: given(fields, "request_id").map(str::to_owned),
        };
        self.hub.answer_guard(person, request).await?;
        Ok(Done::Here)
    }

    async fn remove(&self, person: &Caller, puzzle: &str, fields: &Fields) -> Result<Done, Undone> {
        self.hub.remove_puzzle(person, puzzle, Some(&by(fields))).await?;
        Ok(Done::Removed)
    }

    /// The answer to an act, for the script or for a plain form.
    async fn told(
        &self,
        person: &Caller,
        puzzle: &str,
        done: Result<Done, Undone>,
        (headers, fields): (&HeaderMap, &Fields),
    ) -> Response {
        if wants_json(headers) {
            let demand = match done {
                Err(undone) => return undone.into_json(),
                Ok(Done::Ask(demand)) => demand,
                Ok(Done::Here | Done::Removed) => Demand::default(),
            };
            // What was asked before is not any more.
            let fresh = demand.render().unwrap_or_default();
            let done = json!({ "status": "done", "verified": person.is_verified, "fresh": fresh });
            return Json(done).into_response();
        }
        let (demand, undone) = match done {
            Ok(Done::Here) => return Redirect::to(&puzzle_path(puzzle)).into_response(),
            Ok(Done::Removed) => return Redirect::to("/puzzles").into_response(),
            Ok(Done::Ask(demand)) => (demand, None),
            Err(undone) => (Demand::default(), Some(undone)),
        };
        let mut view = match self.puzzle(puzzle, &Part::default()).await {
            Ok(view) => view,
            Err(error) => return refusal(error),
        };
        view.demand = demand;
        let Some(undone) = undone else { return shown(&view) };
        view.frame.problem = Some(undone.problem());
        let guard = given(fields, "guard");
        for card in view.forms.guards.iter_mut().filter(|card| Some(card.guard.as_str()) == guard) {
            card.reason = fields.get("reason").cloned().unwrap_or_default();
        }
        (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response()
    }
}

fn given<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).map(String::as_str).filter(|text| !text.trim().is_empty())
}

fn reason(fields: &Fields) -> Option<String> {
    given(fields, "reason").map(|reason| reason.replace("\r\n", "\n"))
}

fn verdict(fields: &Fields) -> Result<bool, Undone> {
    match given(fields, "verdict") {
        Some("pass") => Ok(true),
        Some("refuse") => Ok(false),
        _ => Err(Undone::form("The form does not say whether it may go on.", "Load the page again.")),
    }
}

/// What was said to all that was asked before an action: the earlier answers come back with the last one, which stands
/// in fields of its own.
fn said(fields: &Fields) -> Result<Vec<Verdict>, Undone> {
    let Some(demand) = given(fields, "demand") else { return Ok(Vec::new()) };
    let is_odd = || Undone::form("The form makes no sense.", "Load the page again.");
    let earlier = given(fields, "said").map_or_else(|| Ok(Vec::new()), serde_json::from_str);
    let mut said: Vec<Verdict> = earlier.map_err(|_| is_odd())?;
    let entered = given(fields, "entered").and_then(|entered| entered.parse().ok());
    said.push(Verdict {
        demand: demand.to_owned(),
        entered_version: entered.ok_or_else(is_odd)?,
        pass: verdict(fields)?,
        reason: reason(fields),
        is_of_program: false,
    });
    Ok(said)
}
