//! Making a task from the page.

use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::{Map, Value};

use super::BOARD;
use crate::secret;
use crate::task::Role;
use crate::web::page::acts::{Fields, problem};
use crate::web::page::view::{NewTask, NewTaskPage, Problem};
use crate::web::page::{Page, caller, fill, shown, task_path};

/// The form that makes a task.
pub(in crate::web::page) async fn form(State(page): State<Page>) -> Response {
    shown(&page.new_task(NewTask::default(), None).await)
}

/// Makes the task of a form.
pub(in crate::web::page) async fn start(State(page): State<Page>, Form(fields): Form<Fields>) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let outcome = page.call(&caller(), "context_create", arguments(&fields)).await;
    if outcome.is_error {
        let view = page.new_task(NewTask::of(&fields), Some(problem(&outcome.json))).await;
        return (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response();
    }
    Redirect::to(&task_path(outcome.json["task_id"].as_str().unwrap_or_default())).into_response()
}

impl Page {
    async fn new_task(&self, form: NewTask, problem: Option<Problem>) -> NewTaskPage {
        let mut frame = self.frame_of("start a task", BOARD).await;
        frame.problem = problem;
        NewTaskPage { frame, waiting: fill::waiting(&self.hub.inbox().await), form }
    }
}

impl Default for NewTask {
    fn default() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            flow: "full".to_owned(),
            cast: <[String; 3]>::default(),
            gate: "human".to_owned(),
            request_id: secret::id(),
        }
    }
}

impl NewTask {
    /// The form as it was filled in.
    fn of(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        Self {
            title: text("title"),
            description: text("description"),
            flow: text("flow"),
            cast: Role::ALL.map(|role| text(role.as_str())),
            gate: text("gate"),
            request_id: secret::id(),
        }
    }
}

fn arguments(fields: &Fields) -> Map<String, Value> {
    let given = |name: &str| fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let mut arguments = Map::new();
    let mut put = |name: &str, value: Value| arguments.insert(name.to_owned(), value);
    for name in ["flow", "gate", "request_id"] {
        if let Some(value) = given(name) {
            put(name, value.into());
        }
    }
    put("title", given("title").unwrap_or_default().into());
    put("description", given("description").unwrap_or_default().replace("\r\n", "\n").into());
    put("creator", "@user".into());
    put("role", "human".into());
    let cast = Role::ALL
        .into_iter()
        .filter_map(|role| Some((role.as_str().to_owned(), given(role.as_str())?.into())));
    put("cast", Value::Object(cast.collect()));
    arguments
}
