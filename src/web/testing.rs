//! What the tests of this module share: a desk without rooms, an MCP server without a hub, and requests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::body::Body;
use axum::http::request::{Builder, Parts as Head};
use axum::http::{Request, header};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{About, Access, Clients, Command, Desk, Entry, Guard, Parts, Web};
use crate::clock::Clock;
use crate::hub::{Caller, Hub, Receipt, SafeWait, Session};
use crate::mcp::{CallToken, Origin, Seals, Server, Toolsets};
use crate::secret;
use crate::tools::Outcome;

/// Few, so that a test can have too many.
pub(super) const MAX_SESSIONS: usize = 8;
pub(super) const TOKEN: &str = "a-token-of-the-tests";
/// The human token.
pub(super) const HUMAN: &str = "a-human-token-of-the-tests";

/// Remembers what it was told.
#[derive(Debug, Default)]
pub(super) struct FakeDesk {
    told: watch::Sender<Vec<String>>,
    issued: AtomicU64,
    pub(super) callers: Mutex<Vec<Caller>>,
}

impl FakeDesk {
    pub(super) fn tell(&self, what: String) {
        self.told.send_modify(|told| told.push(what));
    }

    pub(super) fn told(&self) -> Vec<String> {
        self.told.borrow().clone()
    }

    /// Waits until it was told something that starts so.
    pub(super) async fn heard(&self, start: &str) -> String {
        let mut told = self.told.subscribe();
        let told = told.wait_for(|told| told.iter().any(|what| what.starts_with(start))).await.unwrap();
        told.iter().find(|what| what.starts_with(start)).unwrap().clone()
    }
}

#[async_trait]
impl Desk for FakeDesk {
    async fn call(&self, caller: &Caller, tool: &str, arguments: Map<String, Value>) -> Outcome {
        self.callers.lock().unwrap().push(caller.clone());
        self.tell(format!("call {tool}"));
        match tool {
            "wait" => {
                caller.cancelled.cancelled().await;
                self.tell("cancelled".to_owned());
                Outcome { json: json!({}), is_error: false, receipt: Some(Receipt(7)), asks: None }
            }
            "refuse" => {
                Outcome { json: json!({"error": {"code": "no"}}), is_error: true, receipt: None, asks: None }
            }
            "break" => panic!("as the test wants"),
            _ => Outcome {
                json: Value::Object(arguments),
                is_error: false,
                receipt: Some(Receipt(7)),
                asks: None,
            },
        }
    }

    async fn command(&self, _caller: &Caller, command: Command) -> Outcome {
        Outcome { json: json!(format!("{command:?}")), is_error: false, receipt: None, asks: None }
    }

    async fn room_count(&self) -> usize {
        3
    }

    fn open_waits(&self) -> usize {
        2
    }

    fn safe_waits(&self) -> Vec<SafeWait> {
        Vec::new()
    }

    fn take_back(&self, receipt: Receipt) {
        self.tell(format!("take back {}", receipt.0));
    }

    fn issue(&self) -> CallToken {
        let id = self.issued.fetch_add(1, Ordering::Relaxed);
        CallToken { id, gone: CancellationToken::new() }
    }

    fn answer_sent(&self, call: &CallToken) -> Option<Receipt> {
        self.tell(format!("sent {}", call.id));
        None
    }

    fn answer_cut(&self, call: &CallToken) {
        call.gone.cancel();
        self.tell(format!("cut {}", call.id));
    }

    fn session_ended(&self, session: &Session) {
        self.tell(format!("ended {session:?}"));
    }
}

/// Its tool `wait` blocks until the call is cancelled; `echo` answers the session at once.
#[derive(Clone)]
pub(super) struct FakeServer {
    desk: Arc<FakeDesk>,
    origin: Origin,
}

impl ServerHandler for FakeServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let head = context.extensions.get::<Head>();
        let token = head.and_then(|head| head.extensions.get::<CallToken>());
        let session = head.and_then(|head| head.headers.get("mcp-session-id")).map(|id| id.to_str().unwrap());
        let toolsets = head.and_then(|head| head.extensions.get::<Toolsets>());
        let toolsets = toolsets.or(self.origin.toolsets.as_ref()).map(ToString::to_string);
        self.desk.tell(format!("call {}", request.name));
        if request.name == "wait" {
            let gone = token.map_or_else(CancellationToken::new, |token| token.gone.clone());
            tokio::select! {
                () = gone.cancelled() => self.desk.tell("gone".to_owned()),
                () = context.ct.cancelled() => self.desk.tell("cancelled".to_owned()),
            }
        }
        let text = format!("{:?} {session:?} {} {toolsets:?}", self.origin.session, token.is_some());
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// The whole HTTP side over a fake hub.
pub(super) struct Scene {
    pub(super) web: Web,
    pub(super) desk: Arc<FakeDesk>,
    pub(super) clients: Clients,
    pub(super) stop: CancellationToken,
    pub(super) closing: CancellationToken,
    pub(super) folder: tempfile::TempDir,
}

impl Scene {
    pub(super) fn new() -> Self {
        Self::bound("127.0.0.1", "127.0.0.1")
    }

    pub(super) fn bound(host: &str, address: &str) -> Self {
        Self::in_folder(
            tempfile::tempdir().unwrap(),
            Guard::new(host, address.parse().unwrap(), TOKEN.into()),
        )
    }

    /// On loopback, and the token is asked for all the same.
    pub(super) fn strict() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap(), on_loopback().strict())
    }

    /// The hub is started anew.
    pub(super) fn restarted(self) -> Self {
        self.closing.cancel();
        Self::in_folder(self.folder, on_loopback())
    }

    fn in_folder(folder: tempfile::TempDir, guard: Guard) -> Self {
        let desk = Arc::new(FakeDesk::default());
        let for_servers = desk.clone();
        Self::of(folder, guard, desk, move |origin| FakeServer { desk: for_servers.clone(), origin })
    }

    /// With the MCP server of a hub over memory.
    pub(super) async fn with_hub() -> (Self, Arc<Hub>) {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let served = hub.clone();
        let seals = Arc::new(Seals::new("run", &secret::token()));
        let make = move |origin| Server::new(served.clone(), seals.clone(), origin);
        (Self::of(folder, on_loopback(), Arc::default(), make), hub)
    }

    fn of<S, F>(folder: tempfile::TempDir, guard: Guard, desk: Arc<FakeDesk>, make: F) -> Self
    where
        S: ServerHandler,
        F: Fn(Origin) -> S + Clone + Send + Sync + 'static,
    {
        let (stop, closing) = (CancellationToken::new(), CancellationToken::new());
        let (clients, clock) = (Clients::none(), Clock::start());
        let parts = Parts {
            access: Access::new(HUMAN.into()),
            hub: None,
            desk: desk.clone(),
            guard,
            about: About {
                version: "1.2.3",
                pid: 4,
                url: None,
                data_folder: folder.path().to_owned(),
                started: clock.now().wall,
            },
            clients: clients.clone(),
            sessions: folder.path().join("sessions"),
            max_sessions: MAX_SESSIONS,
            clock,
            stop: stop.clone(),
            closing: closing.clone(),
        };
        std::fs::create_dir_all(&parts.sessions).unwrap();
        let web = Web::new(parts, make);
        Self { web, desk, clients, stop, closing, folder }
    }

    pub(super) async fn ask(&self, entry: Entry, request: Request<Body>) -> axum::response::Response {
        tower::ServiceExt::oneshot(self.web.routes(entry), request).await.unwrap()
    }

    pub(super) async fn ask_tcp(&self, request: Request<Body>) -> axum::response::Response {
        self.ask(Entry::Tcp, request).await
    }
}

fn on_loopback() -> Guard {
    Guard::new("127.0.0.1", "127.0.0.1".parse().unwrap(), TOKEN.into())
}

/// A POST as a client on this machine sends it.
pub(super) fn post(path: &str) -> Builder {
    Request::post(path)
        .header(header::HOST, "127.0.0.1:8000")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
}

pub(super) fn rpc(id: u32, method: &str, params: &Value) -> Body {
    Body::from(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string())
}

pub(super) fn initialize() -> Body {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    rpc(1, "initialize", &params)
}

pub(super) fn call(id: u32, tool: &str) -> Body {
    rpc(id, "tools/call", &json!({"name": tool, "arguments": {}}))
}

pub(super) async fn text(response: axum::response::Response) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}
