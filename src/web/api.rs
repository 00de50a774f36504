//! The API of the terminal commands and, later, the page: every tool, and what only people may ask for.
//!
//! 200 carries the answer of a tool, 422 its refusal, 400 means that the request makes no sense. A client that goes
//! away cancels its call, and its answer is taken back.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Json, Router, middleware};
use chrono::{DateTime, Utc};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::caller::caller;
use super::clients::Clients;
use super::connection::Connection;
use super::desk::{Command, Desk, Watch as Watching};
use super::guard::{Entry, Guard, check_token};
use super::kept::{Ending, Watch};
use super::refusal::refusal;
use crate::hub::request::{Answer, Delete, Export, Form};
use crate::hub::{Caller, Receipt};
use crate::tools::{self, Outcome};

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

/// Messages that a look gives when it names no number.
const USUAL_LOOK: usize = 50;
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
    let Ok(arguments) = serde_json::from_slice::<Map<String, Value>>(&body) else {
        return bad_request("the body must be a JSON object with the arguments of the tool");
    };
    let desk = api.desk.clone();
    let task = async move |caller: Caller| desk.call(&caller, &name, arguments).await;
    api.answer(&headers, entry, connection, task).await
}

/// The body of every command; each needs some of it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    room: Option<String>,
    handle: Option<String>,
    folder: Option<PathBuf>,
    timeout_seconds: Option<f64>,
    known: Option<String>,
    seq_id: Option<u64>,
    content: Option<String>,
    request_id: Option<String>,
    after_seq_id: Option<u64>,
    limit: Option<usize>,
    file: Option<PathBuf>,
    format: Option<String>,
    with_private: Option<bool>,
    with_transcript: Option<bool>,
    force: Option<bool>,
    seen: Option<BTreeMap<String, u64>>,
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

fn command(name: &str, words: Words) -> Result<Command, BadCommand> {
    let Words { room, handle, folder, timeout_seconds, file, .. } = &words;
    let (room, timeout_seconds) = (room.clone(), *timeout_seconds);
    let handle = || handle.clone().ok_or(BadCommand::Missing("handle"));
    let patience = || timeout_seconds.map_or(Ok(Duration::ZERO), wait);
    Ok(match name {
        "inbox" => Command::Inbox { known: words.known, wait: patience()? },
        "answer" => Command::Answer(Answer {
            room: room.ok_or(BadCommand::Missing("room"))?,
            handle: handle()?,
            seq: words.seq_id.ok_or(BadCommand::Missing("seq_id"))?,
            content: words.content.ok_or(BadCommand::Missing("content"))?,
            request_id: words.request_id,
        }),
        "follow" => Command::Follow {
            room: room.ok_or(BadCommand::Missing("room"))?,
            after: words.after_seq_id,
            limit: words.limit.unwrap_or(USUAL_LOOK),
            wait: patience()?,
        },
        "watch" => Command::Watch(Watching {
            room,
            seen: words.seen,
            limit: words.limit.unwrap_or(USUAL_LOOK),
            wait: patience()?,
        }),
        "pause" => Command::Pause { room },
        "resume" => Command::Resume { room },
        "start" => Command::Start { room },
        "remove" => Command::Remove { room, handle: handle()? },
        "key" => Command::Key { room, handle: handle()? },
        "remind" => Command::Remind { room, handle: handle()?, wait: timeout_seconds.map(wait).transpose()? },
        "why" => Command::Why { room },
        "log" => Command::Log { room },
        "allow" => Command::Allow { folder: absolute("folder", folder.as_deref())? },
        "backup" => Command::BackUp { file: absolute("file", file.as_deref())? },
        "export" => Command::Export(export(words)?),
        "delete" => Command::Delete(Delete {
            room: room.ok_or(BadCommand::Missing("room"))?,
            force: words.force.unwrap_or_default(),
            with_transcript: words.with_transcript.unwrap_or_default(),
        }),
        _ => return Err(BadCommand::Unknown(name.to_owned())),
    })
}

fn export(words: Words) -> Result<Export, BadCommand> {
    let form = match words.format.as_deref() {
        None | Some("markdown") => Form::Markdown,
        Some("html") => Form::Html,
        Some(_) => return Err(BadCommand::Format),
    };
    Ok(Export { room: words.room, form, with_private: words.with_private.unwrap_or_default() })
}

/// A path that is meant wherever the hub runs.
fn absolute(name: &'static str, path: Option<&std::path::Path>) -> Result<PathBuf, BadCommand> {
    let path = path.ok_or(BadCommand::Missing(name))?;
    if path.is_absolute() {
        Ok(path.to_owned())
    } else {
        Err(BadCommand::Relative { name, path: path.to_owned() })
    }
}

/// Seconds as a time.
fn wait(seconds: f64) -> Result<Duration, BadCommand> {
    Duration::try_from_secs_f64(seconds).map_err(|_| BadCommand::Seconds(seconds))
}

#[derive(Debug, thiserror::Error)]
enum BadCommand {
    #[error(
        "there is no command `{0}`; there are inbox, answer, follow, watch, pause, resume, start, remove, key, remind, why, log, \
         allow, link, backup, export, delete, status and stop"
    )]
    Unknown(String),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`timeout_seconds` must be a number of seconds, not {0}")]
    Seconds(f64),
    #[error("`{name}` must be an absolute path, not `{}`", path.display())]
    Relative { name: &'static str, path: PathBuf },
    #[error("`format` must be `markdown` or `html`")]
    Format,
}

impl IntoResponse for BadCommand {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Unknown(_) => StatusCode::NOT_FOUND,
            Self::Missing(_) | Self::Relative { .. } | Self::Seconds(_) | Self::Format => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
        };
        refusal(status, "invalid_argument", &self.to_string(), CORRECT)
    }
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
