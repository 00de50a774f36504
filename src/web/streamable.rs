//! Streamable HTTP at `/mcp`, for all revisions of MCP: rmcp does the protocol, the layer here watches the clients.
//!
//! rmcp neither cancels a call of an older client that goes away nor tells anybody. So each request gets a token that
//! reaches the handler, and the body of each response is watched.
//!
//! **Invariant (a cut answer is not resumed):** an answer that did not arrive is taken back, and the client calls
//! again. To a client that asks for the rest of it rmcp gives an empty stream, and some ask for ever; after a restart
//! it gives the answer to another call that happens to have the same number.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::answer::end_with_answer;
use super::connection::Connection;
use super::desk::Desk;
use super::guard::Guard;
use super::kept::{Ending, Watch};
use super::marking::MarkedSessions;
use super::newest::Newest;
use super::presence::{Presence, Sign};
use super::refusal::limit_reached;
use super::sessions::SessionFiles;
use super::toolsets::wish;
use crate::hub::Session;
use crate::mcp::{Audiences, CallToken, Listener, MAX_MESSAGE, Origin, SessionSource};

const SESSION_HEADER: &str = "mcp-session-id";
const LAST_EVENT_HEADER: &str = "last-event-id";
/// rmcp counts only messages: a session whose only call waits must not end.
const SESSION_LIFE: Duration = Duration::from_hours(24);
/// A comment on each open stream, so that no proxy and no client takes it for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The code that other servers of MCP use too.
const NO_SUCH_SESSION: i32 = -32001;

/// What the transport at `/mcp` is made of.
pub(super) struct Streamable {
    pub(super) desk: Arc<dyn Desk>,
    pub(super) guard: Arc<Guard>,
    pub(super) presence: Presence,
    pub(super) manager: Arc<LocalSessionManager>,
    pub(super) sessions: Arc<SessionFiles>,
    /// Ends all streams.
    pub(super) closing: CancellationToken,
}

/// A manager of sessions that live a day.
pub(super) fn manager() -> LocalSessionManager {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(SESSION_LIFE);
    // An empty first event would invite clients to resume an answer that is cut.
    manager.session_config.sse_retry = None;
    manager
}

/// The routes `/mcp` and `/mcp/`.
pub(super) fn routes<S, F>(parts: Streamable, make: F) -> Router
where
    S: ServerHandler,
    F: Fn(Origin) -> S + Send + Sync + 'static,
{
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(parts.guard.host_names())
        .with_allowed_origins(parts.guard.origins())
        .with_sse_keep_alive(Some(KEEP_ALIVE))
        .with_max_request_body_bytes(MAX_MESSAGE)
        .with_cancellation_token(parts.closing.clone());
    config.session_store = Some(parts.sessions.clone());
    let origin = Origin {
        session: SessionSource::FromHttp,
        folders: Vec::new(),
        toolsets: None,
        is_back: false,
        kept: Some(parts.sessions.clone()),
    };
    let service = StreamableHttpService::new(
        move || Ok(make(origin.clone())),
        Arc::new(MarkedSessions(parts.manager.clone())),
        config,
    );
    let watcher = Watcher {
        desk: parts.desk,
        presence: parts.presence,
        manager: parts.manager,
        sessions: parts.sessions,
        streams: Newest::default(),
        audiences: Audiences::default(),
    };
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/", service)
        .route_layer(middleware::from_fn_with_state(watcher, watch))
}

#[derive(Clone)]
struct Watcher {
    desk: Arc<dyn Desk>,
    presence: Presence,
    manager: Arc<LocalSessionManager>,
    sessions: Arc<SessionFiles>,
    streams: Newest,
    audiences: Audiences,
}

async fn watch(State(watcher): State<Watcher>, mut request: Request, next: Next) -> Response {
    let method = request.method().clone();
    if method == Method::GET && names_an_answer(request.headers()) {
        return (StatusCode::GONE, "an answer that was cut is not resumed; call again").into_response();
    }
    match wish(request.uri()) {
        Ok(Some(toolsets)) => drop(request.extensions_mut().insert(toolsets)),
        Ok(None) => {}
        Err(refused) => return *refused,
    }
    let names_a_session = request.headers().contains_key(SESSION_HEADER);
    let session = session_of(request.headers());
    if let Some(session) = &session {
        request.extensions_mut().insert(watcher.audiences.of(session));
    }
    let connection = Connection::of(request.extensions());
    let call = (method == Method::POST).then(|| watcher.begin(&mut request));
    if method == Method::GET
        && let Some(session) = &session
    {
        watcher.streams.end(session);
        watcher.let_begin_anew(session, request.headers_mut()).await;
    }
    let mut response = next.run(request).await;
    if names_a_session && response.status() == StatusCode::NOT_FOUND {
        response = no_such_session();
    }
    if let Some(call) = call {
        response = call.attach(end_with_answer(response));
    }
    // A new session is named by the answer.
    let session = session.or_else(|| session_of(response.headers()));
    match session {
        Some(session) if response.status().is_success() => {
            let response = watcher.note(&method, session.clone(), connection, response).await;
            if method == Method::GET { watcher.listen(session, response) } else { response }
        }
        _ => response,
    }
}

impl Watcher {
    fn begin(&self, request: &mut Request) -> Watch<Call> {
        let token = self.desk.issue();
        let connection = Connection::of(request.extensions());
        request.extensions_mut().insert(token.clone());
        Watch::over(Call { desk: self.desk.clone(), token, connection })
    }

    /// A session that was begun before the start of the hub gets all that its stream has: the number that its client
    /// saw last is of another count.
    async fn let_begin_anew(&self, session: &str, headers: &mut HeaderMap) {
        if self.sessions.is_restored(session) || !self.manager.sessions.read().await.contains_key(session) {
            headers.remove(LAST_EVENT_HEADER);
        }
    }

    /// The client listens from now on: whatever is told comes on the stream in `response`.
    fn listen(&self, session: Arc<str>, response: Response) -> Response {
        let listener = Watch::over(self.audiences.enter(&session));
        self.streams.begin(session, listener.attach(response))
    }

    async fn note(
        &self,
        method: &Method,
        session: Arc<str>,
        connection: Option<Connection>,
        response: Response,
    ) -> Response {
        let sign = match *method {
            Method::GET => Sign::Stream,
            Method::POST => Sign::Call,
            _ => {
                self.presence.end(&session);
                return response;
            }
        };
        if let Some(stay) = self.presence.enter(session.clone(), sign, connection) {
            // From here on, a client that leaves is noticed.
            let stay = Watch::over(stay);
            if !self.manager.sessions.read().await.contains_key(&session) {
                // Its client has ended it while this request was on its way.
                self.presence.end(&session);
            }
            return stay.attach(response);
        }
        // It has begun already; nobody will know of it.
        if let Err(error) = self.manager.close_session(&session).await {
            tracing::debug!(%error, "a session that was refused has ended already");
        }
        limit_reached("MCP sessions at once", self.presence.limit(), "sessions")
    }
}

/// However its stream ends, its client listens no more.
impl Ending for Listener {
    fn whole(self) {}

    fn cut(self) {}
}

/// One request whose answer may get lost.
struct Call {
    desk: Arc<dyn Desk>,
    token: CallToken,
    connection: Option<Connection>,
}

impl Ending for Call {
    fn whole(self) {
        let receipt = self.desk.answer_sent(&self.token);
        if let (Some(connection), Some(receipt)) = (self.connection, receipt) {
            connection.sent(move || self.desk.take_back(receipt));
        }
    }

    fn cut(self) {
        self.desk.answer_cut(&self.token);
    }
}

/// rmcp says it in plain text; a client that reads only JSON-RPC learns here what to do. No request is named: whatever
/// was asked, its session is not there.
fn no_such_session() -> Response {
    let error = json!({ "code": NO_SUCH_SESSION, "message": "no such session; send initialize again" });
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": error });
    (StatusCode::NOT_FOUND, Json(body)).into_response()
}

/// Whether the event that the client saw last belongs to the answer to a call. rmcp numbers those `3/7`, event and call,
/// and the events of the stream that belongs to no call `3`.
fn names_an_answer(headers: &HeaderMap) -> bool {
    headers.get(LAST_EVENT_HEADER).is_some_and(|id| id.as_bytes().contains(&b'/'))
}

/// The session that a header names. rmcp makes UUIDs; nothing else is worth remembering.
fn session_of(headers: &HeaderMap) -> Option<Arc<str>> {
    let id = headers.get(SESSION_HEADER)?.to_str().ok()?;
    Uuid::try_parse(id).ok().map(|_| id.into())
}

/// The session of calls that carry this id.
pub(super) fn session(id: &Arc<str>) -> Session {
    Session::Named(id.clone())
}

#[cfg(test)]
mod tests;
