//! The relay between a client that is a channel and hubs that are plain sockets.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, DuplexStream, duplex};
use tokio::net::UnixStream;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::JoinHandle;

use super::*;

/// Gives out the hubs that the test has made.
struct Hubs {
    coming: Receiver<Result<Link, BridgeError>>,
    needs: Sender<Need>,
}

impl Way for Hubs {
    async fn connect(&mut self, need: Need) -> Result<Link, BridgeError> {
        self.needs.try_send(need).ok();
        match self.coming.recv().await {
            Some(link) => link,
            None => std::future::pending().await,
        }
    }
}

struct Scene {
    client: Option<Sender<Line>>,
    gone: CancellationToken,
    output: BufReader<DuplexStream>,
    hubs: Sender<Result<Link, BridgeError>>,
    needs: Receiver<Need>,
    relay: JoinHandle<Result<(), BridgeError>>,
}

/// A hub that does what the test says.
struct Hub {
    reader: BufReader<LocalReader>,
    writer: LocalWriter,
}

impl Scene {
    fn new() -> Self {
        let (client, lines) = mpsc::channel(16);
        let (hubs, coming) = mpsc::channel(4);
        let (needs, seen_needs) = mpsc::channel(16);
        let (output, theirs) = duplex(1 << 20);
        let gone = CancellationToken::new();
        let relay = tokio::spawn(relay(lines, gone.clone(), theirs, Hubs { coming, needs }));
        Self { client: Some(client), gone, output: BufReader::new(output), hubs, needs: seen_needs, relay }
    }

    async fn hub(&self) -> Hub {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (reader, writer) = theirs.into_split();
        assert!(self.hubs.send(Ok(Link { reader: BufReader::new(reader), writer })).await.is_ok());
        let (reader, writer) = ours.into_split();
        Hub { reader: BufReader::new(reader), writer }
    }

    async fn say(&self, message: Value) {
        self.client.as_ref().unwrap().send(format!("{message}\n").into_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The client closes its side.
    fn end(&mut self) {
        self.client = None;
        self.gone.cancel();
    }

    /// Everything that the client still gets, after the bridge has ended.
    async fn rest(mut self) -> String {
        self.relay.await.unwrap().unwrap();
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).await.unwrap();
        rest
    }
}

impl Hub {
    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn say(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }
}

fn call(id: u32) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "wait"}})
}

fn answer(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"text": "Messgerät 李雷 🙂"}})
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"clientInfo": {"name": "a"}}})
}

fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

#[tokio::test]
async fn lines_pass_both_ways_unchanged() {
    let mut scene = Scene::new();
    let mut hub = scene.hub().await;
    scene.say(call(1)).await;
    assert_eq!(hub.hear().await, call(1));
    hub.say(answer(&json!(1))).await;
    assert_eq!(scene.hear().await, answer(&json!(1)));
}

#[tokio::test]
async fn after_a_restart_the_client_sees_nothing_but_a_longer_wait() {
    let mut scene = Scene::new();
    let mut hub = scene.hub().await;
    scene.say(initialize()).await;
    hub.hear().await;
    hub.say(answer(&json!(0))).await;
    scene.hear().await;
    scene.say(initialized()).await;
    hub.hear().await;
    for id in 1..=3 {
        scene.say(call(id)).await;
        hub.hear().await;
    }
    hub.say(answer(&json!(2))).await;
    assert_eq!(scene.hear().await["id"], 2);
    // The hub dies in the middle of an answer.
    hub.writer.write_all(br#"{"jsonrpc":"2.0","id":1,"res"#).await.unwrap();
    drop(hub);

    let mut hub = scene.hub().await;
    let opening = hub.hear().await;
    assert_eq!((&opening["method"], &opening["params"]), (&json!("initialize"), &initialize()["params"]));
    assert_ne!(opening["id"], 0);
    hub.say(answer(&opening["id"])).await;
    assert_eq!(hub.hear().await, initialized());
    assert_eq!(hub.hear().await, call(1));
    assert_eq!(hub.hear().await, call(3));
    hub.say(answer(&json!(3))).await;
    hub.say(answer(&json!(1))).await;
    assert_eq!(scene.hear().await, answer(&json!(3)));
    assert_eq!(scene.hear().await, answer(&json!(1)));
}

#[tokio::test]
async fn what_is_said_without_a_hub_is_kept_and_a_cancelled_request_is_not_repeated() {
    let mut scene = Scene::new();
    let hub = scene.hub().await;
    drop(hub);
    for id in 1..=2 {
        scene.say(call(id)).await;
    }
    scene
        .say(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    while scene.needs.recv().await != Some(Need::Now) {}
    let mut hub = scene.hub().await;
    assert_eq!(hub.hear().await, call(2));
    scene.say(call(3)).await;
    assert_eq!(hub.hear().await, call(3));
}

#[tokio::test]
async fn a_hub_is_needed_only_while_something_is_asked() {
    let mut scene = Scene::new();
    let mut hub = scene.hub().await;
    scene.say(call(1)).await;
    hub.hear().await;
    hub.say(answer(&json!(1))).await;
    scene.hear().await;
    while scene.needs.try_recv().is_ok() {}
    drop(hub);
    assert_eq!(scene.needs.recv().await, Some(Need::Later));
    scene.say(call(2)).await;
    assert_eq!(scene.needs.recv().await, Some(Need::Now));
}

#[tokio::test]
async fn the_end_of_the_client_ends_the_connection_and_answers_on_their_way_arrive() {
    let mut scene = Scene::new();
    let mut hub = scene.hub().await;
    scene.say(call(1)).await;
    hub.hear().await;
    scene.end();
    let mut nothing = String::new();
    assert_eq!(hub.reader.read_line(&mut nothing).await.unwrap(), 0);
    hub.say(answer(&json!(1))).await;
    drop(hub);
    assert_eq!(scene.rest().await, format!("{}\n", answer(&json!(1))));
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_hangs_does_not_keep_the_bridge() {
    let mut scene = Scene::new();
    let mut hub = scene.hub().await;
    scene.say(call(1)).await;
    hub.hear().await;
    let started = tokio::time::Instant::now();
    scene.end();
    assert_eq!(scene.rest().await, "");
    assert!(started.elapsed() <= Duration::from_secs(2));
    drop(hub);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_ends_while_there_is_no_hub_ends_the_bridge() {
    let mut scene = Scene::new();
    scene.end();
    assert_eq!(scene.rest().await, "");
    let mut scene = Scene::new();
    scene.say(call(1)).await;
    let started = tokio::time::Instant::now();
    scene.end();
    assert_eq!(scene.rest().await, "");
    assert!(started.elapsed() <= Duration::from_secs(2));
}

#[tokio::test]
async fn a_client_that_spoke_before_it_ended_gets_its_answer_from_a_hub_that_comes_late() {
    let mut scene = Scene::new();
    scene.say(call(1)).await;
    scene.end();
    let mut hub = scene.hub().await;
    assert_eq!(hub.hear().await, call(1));
    hub.say(answer(&json!(1))).await;
    drop(hub);
    assert_eq!(scene.rest().await, format!("{}\n", answer(&json!(1))));
}

#[tokio::test]
async fn when_no_hub_can_be_had_the_client_is_told_why() {
    let mut scene = Scene::new();
    scene.say(call(1)).await;
    while scene.needs.recv().await != Some(Need::Now) {}
    let refused = BridgeError::Refused("too old".to_owned());
    assert!(scene.hubs.send(Err(refused)).await.is_ok());
    let error = scene.hear().await;
    assert_eq!((&error["id"], &error["error"]["message"]), (&json!(1), &json!("too old")));
    assert!(matches!(scene.relay.await.unwrap(), Err(BridgeError::Refused(_))));
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_does_not_answer_the_handshake_is_no_hub() {
    let mut scene = Scene::new();
    scene.say(initialize()).await;
    while scene.needs.recv().await != Some(Need::Now) {}
    let mut deaf = scene.hub().await;
    assert_eq!(deaf.hear().await, initialize());
    let mut hub = scene.hub().await;
    assert_eq!(hub.hear().await, initialize());
    hub.say(answer(&json!(0))).await;
    assert_eq!(scene.hear().await["id"], 0);
}
