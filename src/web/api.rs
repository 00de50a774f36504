//! The API of the terminal commands and, later, the page: every tool, and what only people may ask for.
//!
//! 200 carries the answer of a tool, 422 its refusal, 400 means that the request makes no sense. A client that goes
//! away cancels its call, and its answer is taken back.

mod commands;

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Json, Router, middleware};
use chrono::{DateTime, Utc};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::caller::caller;
use super::clients::Clients;
use super::connection::Connection;
use super::desk::Desk;
use super::guard::{Entry, Guard, check_token};
use super::kept::{Ending, Watch};
use super::refusal::refusal;
use crate::hub::{Caller, Receipt};
use crate::tools::{self, Outcome};
use commands::{Words, command};

/// What the hub tells about itself.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// Its version.
    pub version: &'static str,
    /// Its process.
    pub pid: u32,
    /// Its URL, if it listens on TCP.
    pub url: Option<String>,
    /// Its data folder.
    pub data_folder: PathBuf,
    /// When it was started.
    pub started: DateTime<Utc>,
}

/// What the API is made of.
#[derive(Clone)]
pub(super) struct Api {
    pub(super) desk: Arc<dyn Desk>,
    pub(super) about: Arc<About>,
    pub(super) clients: Clients,
    pub(super) calls: Clients,
    pub(super) manager: Arc<LocalSessionManager>,
    pub(super) access: Arc<Access>,
    /// Fired by the command `stop`.
    pub(super) stop: CancellationToken,
}

/// The routes under `/api`.
pub(super) fn routes(api: Api, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/api/tools/{name}", post(call_tool))
        .route("/api/commands/{name}", post(run_command))
        // The guard has looked at the length of every body.
        .layer(DefaultBodyLimit::disable())
        .route_layer(middleware::from_fn_with_state(guard, check_token))
        .with_state(api)
}

const NO_LINK: &str = "only a person at a terminal gets a link to the page";
const LINK_HOW: &str = "run `turnroom open` in a terminal";

async fn call_tool(
    State(api): State<Api>,
    Extension(entry): Extension<Entry>,
    connection: Option<Extension<ConnectInfo<Connection>>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let arguments = match serde_json::from_slice::<Map<String, Value>>(&body) {
        Ok(arguments) => arguments,
        Err(error) => {
            let words = format!("the body must be a JSON object with the arguments of the tool: {error}");
            return bad_request(&words);
        }
    };
    let desk = api.desk.clone();
    let task = async move |caller: Caller| desk.call(&caller, &name, arguments).await;
    api.answer(&headers, entry, connection, task).await
}

async fn run_command(
    State(api): State<Api>,
    Extension(entry): Extension<Entry>,
    connection: Option<Extension<ConnectInfo<Connection>>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    // As an object first: serde would also take a list.
    let words = serde_json::from_slice(&body).and_then(|words| serde_json::from_value(Value::Object(words)));
    let words: Words = match words {
        Ok(words) => words,
        Err(error) => return bad_request(&format!("the body must be a JSON object: {error}")),
    };
    let command = match (name.as_str(), words) {
        ("status", _) => return Json(api.status().await).into_response(),
        ("link", words) => return api.link(&headers, entry, words.room.as_deref()),
        ("stop", _) => {
            api.stop.cancel();
            return Json(json!({"status": "stopping"})).into_response();
        }
        (name, words) => match command(name, words) {
            Ok(command) => command,
            Err(refused) => return refused.into_response(),
        },
    };
    let desk = api.desk.clone();
    let task = async move |caller: Caller| desk.command(&caller, command).await;
    api.answer(&headers, entry, connection, task).await
}

impl Api {
    /// Runs `task` to its end, whatever the client does: it changes rooms, so it must not be dropped half way.
    async fn answer<T, F>(
        &self,
        headers: &HeaderMap,
        entry: Entry,
        connection: Option<Extension<ConnectInfo<Connection>>>,
        task: T,
    ) -> Response
    where
        T: FnOnce(Caller) -> F + Send + 'static,
        F: Future<Output = Outcome> + Send + 'static,
    {
        let cancelled = CancellationToken::new();
        let caller = match caller(headers, entry, self.access.human(), cancelled.clone()) {
            Ok(caller) => caller,
            Err(error) => return bad_request(&error.to_string()),
        };
        let watch = Watch::over(Going(cancelled));
        let desk = self.desk.clone();
        let connection = connection.map(|Extension(ConnectInfo(connection))| connection);
        // Its owner is the token: a task whose client went away ends by itself, and its answer is taken back when
        // nobody takes it.
        let answer = tokio::spawn(async move {
            let outcome = task(caller).await;
            let unsent = outcome.receipt.map(|receipt| Watch::over(Unsent { desk, connection, receipt }));
            (outcome, unsent)
        });
        let Ok((outcome, unsent)) = answer.await else {
            return watch.attach(broken());
        };
        let status = if outcome.is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let response = watch.attach((status, Json(outcome.json)).into_response());
        match unsent {
            Some(unsent) => unsent.attach(response),
            None => response,
        }
    }

    /// A link that opens the page once: only for who shows the human token.
    fn link(&self, headers: &HeaderMap, entry: Entry, room: Option<&str>) -> Response {
        match caller(headers, entry, self.access.human(), CancellationToken::new()) {
            Ok(caller) if caller.is_verified => {}
            Ok(_) => return refusal(StatusCode::FORBIDDEN, "not_verified", NO_LINK, LINK_HOW),
            Err(error) => return bad_request(&error.to_string()),
        }
        let Some(url) = &self.about.url else {
            return refusal(
                StatusCode::CONFLICT,
                "not_allowed",
                "the hub has no page: it has no port",
                CORRECT,
            );
        };
        Json(json!({ "url": self.access.link(url, room) })).into_response()
    }

    /// What runs, and how much of everything is open just now, this call included.
    async fn status(&self) -> Value {
        let mut status = json!({
            "rooms": self.desk.room_count().await,
            "clients": self.clients.count(),
            "calls": self.calls.count(),
            "waits": self.desk.open_waits(),
            "sessions": self.manager.sessions.read().await.len(),
            "tasks": Handle::current().metrics().num_alive_tasks(),
            "safe_waits": tools::safe_waits(&self.desk.safe_waits()),
        });
        if let (Value::Object(status), Ok(Value::Object(about))) =
            (&mut status, serde_json::to_value(&*self.about))
        {
            status.extend(about);
        }
        status
    }
}

/// Cancels a call whose client goes away.
struct Going(CancellationToken);

impl Ending for Going {
    fn whole(self) {}

    fn cut(self) {
        self.0.cancel();
    }
}

/// An answer on its way.
struct Unsent {
    desk: Arc<dyn Desk>,
    connection: Option<Connection>,
    receipt: Receipt,
}

impl Ending for Unsent {
    fn whole(self) {
        if let Some(connection) = self.connection {
            connection.sent(move || self.desk.take_back(self.receipt));
        }
    }

    fn cut(self) {
        self.desk.take_back(self.receipt);
    }
}

/// What to do about a call that is wrong in itself.
const CORRECT: &str = "correct the call and try again";

fn bad_request(message: &str) -> Response {
    refusal(StatusCode::BAD_REQUEST, "invalid_argument", message, CORRECT)
}

fn broken() -> Response {
    let next = "call once more; if it fails again, tell @user and look at the hub's log";
    let message = "the call broke inside the hub; its log says where";
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message, next)
}

#[cfg(test)]
mod tests;
