//! What a person does: each act is a form, and works without the script.

use std::collections::HashMap;

use axum::extract::{Form, Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Json, Redirect, Response};
use serde_json::{Map, Value, json};

use super::address::Readable;
use super::door::wants_json;
use super::view::Problem;
use super::{Page, caller, problem_page, refusal, room_path, shown};
use crate::hub::HubError;
use crate::hub::request::Answer;
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
    Path((room, act)): Path<(String, String)>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let Some(outcome) = page.run(&room, &act, &fields).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if wants_json(&headers) {
        return as_json(outcome);
    }
    if !outcome.is_error {
        return Redirect::to(&room_path(&room)).into_response();
    }
    let problem = problem(&outcome.json);
    match page.room_again(&room, problem, fields.get("content").cloned()).await {
        Ok(view) => (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response(),
        Err(error) => refusal("No such room", error),
    }
}

/// For the script: whether it worked.
fn as_json(outcome: Outcome) -> Response {
    if outcome.is_error {
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(outcome.json)).into_response();
    }
    Json(json!({ "status": "done" })).into_response()
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

    /// `None`: there is no such act.
    async fn run(&self, room: &str, act: &str, fields: &Fields) -> Option<Outcome> {
        let given = |name: &str| fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
        let (caller, hub) = (caller(), &self.hub);
        let handle = given("handle").unwrap_or("@user");
        Some(match act {
            "say" => self.call("send_message", said(room, handle, fields)).await,
            "answer" => self.answer(room, handle, fields).await,
            "pass" => {
                let mut arguments = arguments(room, "handle", handle);
                put(&mut arguments, "to", given("to"));
                self.call("pass_turn", arguments).await
            }
            "close" => {
                let mut arguments = arguments(room, "handle", handle);
                put(&mut arguments, "summary", given("summary"));
                self.call("close_conversation", arguments).await
            }
            "pause" => done(hub.pause(&caller, Some(room)).await),
            "resume" => done(hub.resume(&caller, Some(room)).await),
            "start" => done(hub.start(&caller, Some(room)).await),
            "remove" => done(hub.remove(&caller, Some(room), given("whom").unwrap_or_default()).await),
            _ => return None,
        })
    }

    async fn answer(&self, room: &str, handle: &str, fields: &Fields) -> Outcome {
        let answer = Answer {
            handle: handle.to_owned(),
            room: room.to_owned(),
            seq: fields.get("seq").and_then(|seq| seq.trim().parse().ok()).unwrap_or(0),
            content: content(fields),
            request_id: fields.get("request_id").cloned(),
        };
        done(self.hub.answer(&caller(), answer).await)
    }

    /// Calls a tool as the person in front of the page.
    pub(super) async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Outcome {
        tools::call(&self.hub, &caller(), tool, arguments).await
    }
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
        Ok(_) => Outcome { json: Value::Null, is_error: false, receipt: None },
        Err(error) => Refused::from(error).into(),
    }
}
