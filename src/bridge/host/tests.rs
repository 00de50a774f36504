//! The hub's side, over a socket pair, with a server that has no hub.

use std::sync::atomic::AtomicUsize;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::*;
use crate::platform::socket::{LocalReader, LocalWriter};

#[derive(Clone)]
struct FakeServer {
    origin: Origin,
    waiting: Arc<watch::Sender<usize>>,
    cancelled: Arc<AtomicUsize>,
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
        if request.name == "wait" {
            self.waiting.send_modify(|waiting| *waiting += 1);
            context.ct.cancelled().await;
            self.cancelled.fetch_add(1, Ordering::Relaxed);
        }
        Ok(CallToolResult::success(vec![ContentBlock::text(format!("{:?}", self.origin))]).into())
    }
}

type Make = Box<dyn Fn(Origin) -> FakeServer + Send + Sync>;

struct Scene {
    host: Arc<Host<Make>>,
    ended: Arc<Mutex<Vec<Session>>>,
    waiting: Arc<watch::Sender<usize>>,
    cancelled: Arc<AtomicUsize>,
    closing: CancellationToken,
}

struct Bridge {
    reader: BufReader<LocalReader>,
    writer: LocalWriter,
    attended: JoinHandle<()>,
}

const A: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

impl Scene {
    fn new() -> Self {
        let waiting = Arc::new(watch::Sender::new(0));
        let cancelled: Arc<AtomicUsize> = Arc::default();
        let ended: Arc<Mutex<Vec<Session>>> = Arc::default();
        let closing = CancellationToken::new();
        let (told, for_servers) = (ended.clone(), (waiting.clone(), cancelled.clone()));
        let make: Make = Box::new(move |origin| FakeServer {
            origin,
            waiting: for_servers.0.clone(),
            cancelled: for_servers.1.clone(),
        });
        let ended_now = move |session: &Session| told.lock().unwrap().push(session.clone());
        Self {
            host: Arc::new(Host::new(make, ended_now, closing.clone())),
            ended,
            waiting,
            cancelled,
            closing,
        }
    }

    fn connect(&self) -> Bridge {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let host = self.host.clone();
        let attended = tokio::spawn(async move { host.attend(theirs).await });
        let (reader, writer) = ours.into_split();
        Bridge { reader: BufReader::new(reader), writer, attended }
    }

    async fn bridge(&self) -> Bridge {
        let mut bridge = self.connect();
        bridge.say(&hello(1)).await;
        assert_eq!(bridge.hear().await["refused"], Value::Null);
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        bridge.say(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await;
        assert!(bridge.hear().await["result"].is_object());
        bridge.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        bridge
    }

    fn ended(&self) -> Vec<Session> {
        self.ended.lock().unwrap().clone()
    }
}

impl Bridge {
    async fn say(&mut self, message: &Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn call(&mut self, id: u32, tool: &str) {
        let params = json!({"name": tool, "arguments": {}});
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }
}

fn hello(protocol: u32) -> Value {
    json!({"protocol": protocol, "version": "9.9.9", "bridge": A, "folders": ["/a"], "client": 7})
}

fn session() -> Session {
    Session::Named(format!("bridge:{A}").into())
}

#[tokio::test]
async fn a_bridge_has_its_own_session_and_folders() {
    let scene = Scene::new();
    let mut bridge = scene.bridge().await;
    bridge.call(1, "echo").await;
    let text = bridge.hear().await["result"]["content"][0]["text"].to_string();
    assert!(text.contains(&format!("bridge:{A}")) && text.contains("/a"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_bridge_ends_its_calls_and_its_session_at_once() {
    let scene = Scene::new();
    let mut bridge = scene.bridge().await;
    bridge.call(1, "wait").await;
    scene.waiting.subscribe().wait_for(|waiting| *waiting == 1).await.unwrap();
    let started = tokio::time::Instant::now();
    drop((bridge.reader, bridge.writer));
    bridge.attended.await.unwrap();
    assert_eq!(scene.ended(), [session()]);
    assert_eq!(scene.cancelled.load(Ordering::Relaxed), 1);
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test]
async fn what_was_asked_before_the_end_is_still_answered() {
    let scene = Scene::new();
    let mut bridge = scene.bridge().await;
    bridge.call(1, "echo").await;
    drop(bridge.writer);
    let mut rest = String::new();
    bridge.reader.read_to_string(&mut rest).await.unwrap();
    assert!(rest.contains("\"id\":1"), "{rest}");
    bridge.attended.await.unwrap();
}

#[tokio::test]
async fn another_protocol_gets_a_clear_answer() {
    let scene = Scene::new();
    let mut bridge = scene.connect();
    bridge.say(&hello(2)).await;
    let refused = bridge.hear().await["refused"].to_string();
    assert!(refused.contains("turnroom stop"), "{refused}");
    bridge.attended.await.unwrap();
    assert!(scene.ended().is_empty());
}

#[tokio::test(start_paused = true)]
async fn somebody_who_does_not_greet_is_sent_away() {
    let scene = Scene::new();
    for said in ["", "{\"protocol\":", "\n"] {
        let mut bridge = scene.connect();
        bridge.writer.write_all(said.as_bytes()).await.unwrap();
        bridge.attended.await.unwrap();
    }
    assert!(scene.ended().is_empty());
}

#[tokio::test]
async fn a_bridge_that_comes_back_begins_its_session_anew_and_the_old_connection_does_not_end_it() {
    let scene = Scene::new();
    let old = scene.bridge().await;
    let mut new = scene.bridge().await;
    assert_eq!(scene.ended(), [session()]);
    drop((old.reader, old.writer));
    old.attended.await.unwrap();
    assert_eq!(scene.ended(), [session()]);
    new.call(1, "echo").await;
    assert_eq!(new.hear().await["id"], 1);
}

#[tokio::test]
async fn closing_ends_every_bridge() {
    let scene = Scene::new();
    let mut bridge = scene.bridge().await;
    scene.closing.cancel();
    bridge.attended.await.unwrap();
    // An error instead of an end, if the hub had not read everything.
    assert!(matches!(bridge.reader.read_line(&mut String::new()).await, Ok(0) | Err(_)));
    assert_eq!(scene.ended(), [session()]);
}
