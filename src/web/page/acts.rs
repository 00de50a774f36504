//! What a person does: each act is a form, and works without the script.
//!
//! Only the script can show the key of the page; so only what it posts counts as verified.

use std::collections::HashMap;

use axum::extract::{Form, Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Redirect, Response};
use serde_json::{Map, Value, json};

use super::address::Readable;
use super::door::wants_json;
use super::undone::Undone;
use super::view::Problem;
use super::{Page, caller, problem_page, refusal, room_path, shown};
use crate::hub::request::Answer;
use crate::hub::{Caller, HubError};
use crate::tools::{self, Outcome, Refused};

/// The fields of a form.
pub(super) type Fields = HashMap<String, String>;

/// Runs what a form asks for to its end, whatever its browser does: it changes rooms, so it must not be dropped half
/// way.
pub(super) async fn run_to_the_end(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    // A task whose browser went away ends by itself.
    let act = tokio::spawn(next.run(request));
    act.await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// Does what a form asks for.
pub(super) async fn act(
    State(page): State<Page>,
    Readable(Path((room, act))): Readable<Path<(String, String)>>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let caller = page.caller(&headers);
    let Some(outcome) = page.run(&caller, &room, &act, &fields).await else {
        return no_such_act();
    };
    let outcome = with_the_way_in(outcome);
    if wants_json(&headers) {
        return as_json(outcome, caller.is_verified);
    }
    if !outcome.is_error {
        return Redirect::to(&room_path(&room)).into_response();
    }
    let problem = problem(&outcome.json);
    match page.room_again(&room, problem, fields.get("content").cloned()).await {
        Ok(view) => (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response(),
        Err(error) => refusal(error),
    }
}

/// For the script: whether it worked, and whether it counted as the act of a person.
fn as_json(outcome: Outcome, is_verified: bool) -> Response {
    if outcome.is_error {
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(outcome.json)).into_response();
    }
    Json(json!({ "status": "done", "verified": is_verified })).into_response()
}

fn no_such_act() -> Response {
    let problem = Problem {
        message: "there is no such act".to_owned(),
        allowed: Vec::new(),
        next: "The page of the room has all there are.".to_owned(),
    };
    problem_page(StatusCode::NOT_FOUND, "Nothing was done", problem)
}

/// How a browser becomes that of a person.
pub(super) const LET_IN_ANEW: &str =
    "allow scripts for this page, and let this browser in anew: `turnroom open`";

/// Who was not taken for a person is told how this browser becomes one's.
fn with_the_way_in(mut outcome: Outcome) -> Outcome {
    if outcome.json["error"]["code"] == "not_verified" {
        outcome.json["error"]["next"] = LET_IN_ANEW.into();
    }
    outcome
}

/// A word or a pass out of turn is no error for an agent, which goes on waiting. Here nobody waits: whoever is not
/// told of it believes that it was done.
fn unless_out_of_turn(outcome: Outcome, handle: &str) -> Outcome {
    let is_done =
        ["your_turn", "message_received"].contains(&status(&outcome)) || outcome.json["posted"].is_object();
    if outcome.is_error || is_done {
        return outcome;
    }
    let message = match status(&outcome) {
        "not_your_turn" => format!("it is not the turn of `{handle}`; nothing was done"),
        "waiting" => "the room has not opened yet; nothing was done".to_owned(),
        status => format!("the room is {status}; nothing was done"),
    };
    let next = "act as a person of the room, or wait for the turn";
    let json = json!({ "error": { "code": "not_allowed", "message": message, "next": next } });
    Outcome { json, is_error: true, ..outcome }
}

/// What went wrong, as the script and every other caller is told it.
pub(super) fn problem(json: &Value) -> Problem {
    let error = &json["error"];
    let text = |field: &str| error[field].as_str().unwrap_or_default().to_owned();
    let allowed = error["allowed"].as_array().into_iter().flatten();
    Problem {
        message: text("message"),
        allowed: allowed.filter_map(Value::as_str).map(str::to_owned).collect(),
        next: text("next"),
    }
}

impl Page {
    /// A form that is none of ours: another page cannot know the token.
    pub(super) fn refuse_strange(&self, fields: &Fields) -> Option<Response> {
        let is_ours = fields.get("token").is_some_and(|token| self.access.is_form_of_ours(token));
        (!is_ours).then(|| {
            let problem = Problem {
                message: "this form is none of this hub's pages".to_owned(),
                allowed: Vec::new(),
                next: "load the page anew, and send it again".to_owned(),
            };
            problem_page(StatusCode::FORBIDDEN, "Nothing was done", problem)
        })
    }

    /// Who acts: the person, if the script of our page asks; else somebody whose browser has come in.
    pub(super) fn caller(&self, headers: &HeaderMap) -> Caller {
        Caller { is_verified: self.access.is_own_page(headers), ..caller() }
    }

    /// `None`: there is no such act.
    async fn run(&self, caller: &Caller, room: &str, act: &str, fields: &Fields) -> Option<Outcome> {
        let given = |name: &str| fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
        let hub = &self.hub;
        let handle = given("handle").unwrap_or("@user");
        Some(match act {
            "say" => {
                let said = said(room, handle, fields);
                unless_out_of_turn(self.call(caller, "send_message", said).await, handle)
            }
            "answer" => unless_out_of_turn(self.answer(caller, room, handle, fields).await, handle),
            "pass" => {
                let mut arguments = arguments(room, "handle", handle);
                put(&mut arguments, "to", given("to"));
                unless_out_of_turn(self.call(caller, "pass_turn", arguments).await, handle)
            }
            "close" => {
                let mut arguments = arguments(room, "handle", handle);
                put(&mut arguments, "summary", given("summary"));
                self.call(caller, "close_conversation", arguments).await
            }
            "pause" => done(hub.pause(caller, Some(room)).await),
            "resume" => done(hub.resume(caller, Some(room)).await),
            "start" => done(hub.start(caller, Some(room)).await),
            "remove" => done(hub.remove(caller, Some(room), given("whom").unwrap_or_default()).await),
            _ => return None,
        })
    }

    async fn answer(&self, caller: &Caller, room: &str, handle: &str, fields: &Fields) -> Outcome {
        let answer = Answer {
            handle: handle.to_owned(),
            room: room.to_owned(),
            seq: fields.get("seq").and_then(|seq| seq.trim().parse().ok()).unwrap_or(0),
            content: content(fields),
            request_id: fields.get("request_id").cloned(),
        };
        match self.hub.answer(caller, answer).await {
            Ok(answered) => Outcome::turn(&answered),
            Err(error) => Refused::from(error).into(),
        }
    }

    /// Calls a tool.
    pub(super) async fn call(&self, caller: &Caller, tool: &str, arguments: Map<String, Value>) -> Outcome {
        tools::call(&self.hub, caller, tool, arguments).await
    }
}

fn status(outcome: &Outcome) -> &str {
    outcome.json["status"].as_str().unwrap_or_default()
}

fn arguments(room: &str, name: &str, handle: &str) -> Map<String, Value> {
    Map::from_iter([("room".to_owned(), room.into()), (name.to_owned(), handle.into())])
}

fn put(arguments: &mut Map<String, Value>, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        arguments.insert(name.to_owned(), value.into());
    }
}

fn said(room: &str, handle: &str, fields: &Fields) -> Map<String, Value> {
    let given = |name: &str| fields.get(name).map(String::as_str).filter(|text| !text.trim().is_empty());
    let mut arguments = arguments(room, "sender", handle);
    arguments.insert("content".to_owned(), content(fields).into());
    arguments.insert("block".to_owned(), false.into());
    arguments.insert("is_private".to_owned(), given("private").is_some().into());
    put(&mut arguments, "reply_to", given("reply_to"));
    put(&mut arguments, "request_id", given("request_id"));
    if let Some(to) = given("to") {
        arguments.insert("recipients".to_owned(), json!([to]));
    }
    arguments
}

/// Browsers end the lines of a field with CRLF.
fn content(fields: &Fields) -> String {
    fields.get("content").map(|content| content.replace("\r\n", "\n")).unwrap_or_default()
}

fn done<T>(result: Result<T, HubError>) -> Outcome {
    match result {
        Ok(_) => Outcome { json: Value::Null, is_error: false, receipt: None, asks: None },
        Err(error) => Refused::from(error).into(),
    }
}

/// Who acts: the person whom a card names, or whoever is in front of the page.
pub(super) fn by(fields: &Fields) -> String {
    let handle = fields.get("handle").map(|handle| handle.trim()).filter(|handle| !handle.is_empty());
    handle.unwrap_or("@user").to_owned()
}

/// How much had happened when the person looked.
pub(super) fn version(fields: &Fields) -> Result<u64, Undone> {
    let version = fields.get("version").and_then(|version| version.trim().parse().ok());
    version.ok_or_else(|| Undone::form("The form does not say what you have seen.", "Load the page again."))
}
