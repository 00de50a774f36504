//! HTTP: the guard, /mcp, /sse, /api. It moves bytes and watches clients; what a call means is not its business.

mod access;
mod answer;
mod api;
mod body;
mod caller;
mod clients;
mod connection;
mod desk;
mod guard;
mod kept;
mod machine;
mod marking;
mod newest;
mod page;
mod presence;
mod refusal;
mod sessions;
mod sse;
mod streamable;
#[cfg(test)]
mod testing;
mod toolsets;

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::connect_info::IntoMakeServiceWithConnectInfo;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::{Extension, Router};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio_util::sync::CancellationToken;

pub use access::Access;
pub use api::About;
pub use caller::{FOLDERS_HEADER, HUMAN_HEADER, SESSION_HEADER};
pub use clients::{Clients, Present};
pub use connection::{Connection, Line, Watched};
pub use desk::{Command, Desk, HubDesk, Watch as Watching};
pub use guard::{Entry, Guard, as_host};
use kept::{Ending, Watch};
pub use page::{room_path, task_path};
use presence::{Presence, Witness};
use sessions::SessionFiles;

use crate::clock::Clock;
use crate::hub::Hub;
use crate::mcp::Origin;
use crate::room::Now;

/// What the HTTP side is made of.
pub struct Parts {
    /// The hub.
    pub desk: Arc<dyn Desk>,
    /// The hub, for the page; without it there is none.
    pub hub: Option<Arc<Hub>>,
    /// What requests over TCP must show.
    pub guard: Guard,
    /// Who may see the page, and whose words are a person's.
    pub access: Access,
    /// What the hub tells about itself.
    pub about: About,
    /// Counts who is here.
    pub clients: Clients,
    /// The folder of the sessions of older MCP clients.
    pub sessions: PathBuf,
    /// How many such sessions there may be at once, over `/mcp` and over `/sse` each.
    pub max_sessions: usize,
    /// Reads the time.
    pub clock: Clock,
    /// Fired when somebody asks the hub to stop.
    pub stop: CancellationToken,
    /// Ends all streams and sessions at once; unsent answers are lost.
    pub closing: CancellationToken,
}

/// All routes, and the upkeep of their sessions.
pub struct Web {
    routes: Router,
    sessions: Arc<SessionFiles>,
    manager: Arc<LocalSessionManager>,
    calls: Clients,
}

impl Web {
    /// Puts the routes together. `make` makes an MCP server for the calls of one origin.
    pub fn new<S, F>(parts: Parts, make: F) -> Self
    where
        S: ServerHandler,
        F: Fn(Origin) -> S + Clone + Send + Sync + 'static,
    {
        let guard = Arc::new(parts.guard);
        let sessions = Arc::new(SessionFiles::new(parts.sessions));
        let manager = Arc::new(streamable::manager());
        let witness = SessionWitness {
            desk: parts.desk.clone(),
            sessions: sessions.clone(),
            manager: manager.clone(),
            clock: parts.clock,
        };
        let streamable = streamable::Streamable {
            desk: parts.desk.clone(),
            guard: guard.clone(),
            presence: Presence::new(parts.clients.clone(), witness, parts.max_sessions),
            manager: manager.clone(),
            sessions: sessions.clone(),
            closing: parts.closing.clone(),
        };
        let calls = Clients::none();
        let access = Arc::new(parts.access);
        let api = api::Api {
            desk: parts.desk.clone(),
            about: Arc::new(parts.about),
            clients: parts.clients.clone(),
            calls: calls.clone(),
            manager: manager.clone(),
            access: access.clone(),
            stop: parts.stop,
        };
        let page =
            parts.hub.map(|hub| page::routes(page::Page { access: access.clone(), hub, clock: parts.clock }));
        let routes = streamable::routes(streamable, make.clone())
            .merge(sse::routes(parts.desk, parts.closing, parts.max_sessions, make))
            .merge(api::routes(api, guard.clone()))
            .merge(page.unwrap_or_default())
            .layer(middleware::from_fn_with_state((parts.clients, calls.clone()), count))
            .layer(middleware::from_fn_with_state((guard, access, body::Intake::new()), guard::check));
        Self { routes, sessions, manager, calls }
    }

    /// The routes for one door.
    pub fn routes(&self, entry: Entry) -> Router {
        self.routes.clone().layer(Extension(entry))
    }

    /// The routes for one door, for the connections of a [`Watched`] listener.
    #[must_use]
    pub fn service(&self, entry: Entry) -> IntoMakeServiceWithConnectInfo<Router, Connection> {
        self.routes(entry).into_make_service_with_connect_info()
    }

    /// Calls whose answer is not sent yet.
    #[must_use]
    pub fn calls(&self) -> &Clients {
        &self.calls
    }

    /// Forgets sessions that nobody has used for a day. To be called at the start and every hour.
    pub async fn sweep(&self, now: Now) -> io::Result<()> {
        let in_use: HashSet<String> =
            self.manager.sessions.read().await.keys().map(ToString::to_string).collect();
        let sessions = self.sessions.clone();
        tokio::task::spawn_blocking(move || sessions.sweep(now, &in_use)).await.map_err(io::Error::other)?
    }
}

/// Counts each request until its whole answer is sent: as a client, and, if it can have an answer, as a call.
async fn count(State((clients, calls)): State<(Clients, Clients)>, request: Request, next: Next) -> Response {
    if let Some(connection) = Connection::of(request.extensions()) {
        connection.heard();
    }
    let present =
        Counted { _client: clients.enter(), _call: (!request.method().is_safe()).then(|| calls.enter()) };
    Watch::over(present).attach(next.run(request).await)
}

struct Counted {
    _client: Present,
    _call: Option<Present>,
}

impl Ending for Counted {
    fn whole(self) {}

    fn cut(self) {}
}

/// Passes on what became of a session.
struct SessionWitness {
    desk: Arc<dyn Desk>,
    sessions: Arc<SessionFiles>,
    manager: Arc<LocalSessionManager>,
    clock: Clock,
}

impl Witness for SessionWitness {
    fn session_over(&self, session: &Arc<str>) {
        self.desk.session_ended(&streamable::session(session));
    }

    fn session_forgotten(&self, session: &Arc<str>) {
        let (sessions, used) = (self.sessions.clone(), self.clock.now().wall);
        let (manager, session) = (self.manager.clone(), session.clone());
        // Ends soon: it touches a file, and closes a channel of the session.
        tokio::spawn(async move {
            let touched = session.clone();
            let touching = tokio::task::spawn_blocking(move || sessions.used(&touched, used));
            if let Err(error) = touching.await {
                tracing::debug!(%error, "the file of a session was not touched");
            }
            if let Err(error) = manager.close_session(&session).await {
                tracing::debug!(%error, "a forgotten session was closed already");
            }
        });
    }
}
