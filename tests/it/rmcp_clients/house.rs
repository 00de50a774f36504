//! A hub of the binary with folders of its own, and clients of rmcp at it.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotification,
    CancelledNotificationParam, ClientConfig, ClientRequest, ProtocolVersion, RequestId, ServerResult,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RequestHandle, RunningService,
};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::support::turnroom;

/// `turnroom serve`; it ends with the test.
pub(crate) struct House {
    folder: TempDir,
    url: String,
    hub: Child,
    /// What the hub still prints goes somewhere.
    lines: Lines<BufReader<ChildStdout>>,
}

impl House {
    /// Starts a hub on a free port, and waits until it listens.
    pub(crate) async fn open() -> Self {
        Self::open_in(TempDir::new().expect("a folder")).await
    }

    /// Starts a hub with its data and transcripts in `folder`.
    pub(crate) async fn open_in(folder: TempDir) -> Self {
        let (hub, lines, url) = start(folder.path(), "0", &[], Stdio::inherit(), None).await;
        Self { folder, url, hub, lines }
    }

    /// Starts a hub in another zone of time.
    pub(crate) async fn open_in_zone(zone: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let (hub, lines, url) = start(folder.path(), "0", &[], Stdio::inherit(), Some(zone)).await;
        Self { folder, url, hub, lines }
    }

    /// Starts a hub with more words on its command line, which logs all that it can, into a file.
    pub(crate) async fn open_talkative(words: &[&str]) -> Self {
        let folder = TempDir::new().expect("a folder");
        let log = File::create(folder.path().join("log")).expect("a log");
        let (hub, lines, url) =
            start(folder.path(), "0", &[words, &["-vv"]].concat(), log.into(), None).await;
        Self { folder, url, hub, lines }
    }

    /// Kills the hub, and starts it again at the same place.
    pub(crate) async fn kill_and_start_again(&mut self) {
        self.hub.kill().await.expect("it runs");
        let port = self.url.trim_end_matches("/mcp").rsplit(':').next().expect("a port").to_owned();
        (self.hub, self.lines, self.url) =
            start(self.folder.path(), &port, &[], Stdio::inherit(), None).await;
    }

    /// What a talkative hub has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).expect("a log")
    }

    /// The folder of the transcripts.
    pub(crate) fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    /// The folder of its data.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Stops the process without ending it, as a machine does that falls asleep; returns when it stands still.
    pub(crate) async fn freeze(&self) {
        self.signal("-STOP").await;
        while !self.state().await.starts_with('T') {
            tokio::task::yield_now().await;
        }
    }

    /// Lets a process go on that was frozen.
    pub(crate) async fn thaw(&self) {
        self.signal("-CONT").await;
    }

    async fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.pid()]).status().await;
        assert!(status.expect("kill is there").success());
    }

    async fn state(&self) -> String {
        let told = Command::new("ps").args(["-o", "state=", "-p", &self.pid()]).output().await;
        String::from_utf8(told.expect("ps is there").stdout).expect("text")
    }

    fn pid(&self) -> String {
        self.hub.id().expect("it runs").to_string()
    }

    /// Where it serves MCP.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A client with a handshake, over a bridge that it starts itself.
    pub(crate) async fn over_stdio(&self) -> Client {
        self.over_stdio_with(|_| ()).await.0
    }

    /// The same; `change` changes the command of the bridge. Gives its process too.
    pub(crate) async fn over_stdio_with(
        &self,
        change: impl FnOnce(&mut std::process::Command),
    ) -> (Client, u32) {
        let bridge = self.bridge(change);
        let process = bridge.id().expect("it runs");
        (Client(config().serve(bridge).await.expect("a session")), process)
    }

    /// A bridge; `change` changes its command.
    pub(crate) fn bridge(&self, change: impl FnOnce(&mut std::process::Command)) -> TokioChildProcess {
        let notes = self.notes();
        let mut command = turnroom(&self.data(), &["stdio", "--transcripts", notes.to_str().expect("text")]);
        change(&mut command);
        let builder = TokioChildProcess::builder(Command::from(command)).stderr(Stdio::inherit());
        builder.spawn().expect("the binary starts").0
    }

    /// A client of the newest revision.
    pub(crate) async fn over_http(&self) -> Client {
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let connected = config().serve_with_lifecycle(self.http(), lifecycle).await;
        Client(connected.expect("a session"))
    }

    /// A client of an older revision, with a session.
    pub(crate) async fn over_old_http(&self) -> Client {
        Client(config().serve(self.http()).await.expect("a session"))
    }

    /// A client of the newest revision that asks for some tools only.
    pub(crate) async fn over_http_with(&self, toolsets: &str) -> Client {
        let url = format!("{}?toolsets={toolsets}", self.url);
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let http = StreamableHttpClientTransport::from_uri(url);
        Client(config().serve_with_lifecycle(http, lifecycle).await.expect("a session"))
    }

    /// The same, of an older revision.
    pub(crate) async fn over_old_http_with(&self, toolsets: &str) -> Client {
        let url = format!("{}?toolsets={toolsets}", self.url);
        Client(config().serve(StreamableHttpClientTransport::from_uri(url)).await.expect("a session"))
    }

    /// The way to it over HTTP.
    pub(crate) fn http(&self) -> StreamableHttpClientTransport<reqwest::Client> {
        StreamableHttpClientTransport::from_uri(self.url.clone())
    }

    /// Makes a room in which `@Bob` has joined as `bob`; gives `@Alice`, who has the floor. Both are settled there.
    pub(crate) async fn two_in_a_room(&self, room: &str, bob: &Client) -> Client {
        let alice = self.over_old_http().await;
        let arguments = json!({
            "filepath": format!("{room}.md"), "room": room, "participants": ["@Alice", "@Bob"],
            "first_speaker": "@Alice",
        });
        alice.call("init_conversation", arguments).await;
        let join = |handle: &str| json!({ "handle": handle, "room": room });
        tokio::join!(
            alice.call("join_conversation", join("@Alice")),
            bob.call("join_conversation", join("@Bob"))
        );
        alice
    }
}

/// Starts the binary; gives where it listens too.
async fn start(
    folder: &Path,
    port: &str,
    more: &[&str],
    log: Stdio,
    zone: Option<&str>,
) -> (Child, Lines<BufReader<ChildStdout>>, String) {
    let notes = folder.join("notes");
    let notes = notes.to_str().expect("text");
    let words = [&["serve", "--host", "127.0.0.1", "--port", port, "--transcripts", notes], more].concat();
    let mut command = Command::from(turnroom(&folder.join("data"), &words));
    command.envs(zone.map(|zone| ("TZ", zone)));
    let mut hub = command.stderr(log).kill_on_drop(true).spawn().expect("the binary starts");
    let mut lines = BufReader::new(hub.stdout.take().expect("a pipe")).lines();
    let url = loop {
        let line = lines.next_line().await.expect("text").expect("the hub says where it listens");
        if let Some(url) = line.trim().strip_prefix("MCP ") {
            break url.trim().to_owned();
        }
    };
    (hub, lines, url)
}

fn config() -> ClientConfig {
    ClientConfig::default()
}

/// One client.
pub(crate) struct Client(RunningService<RoleClient, ClientConfig>);

impl Client {
    /// The revision of the protocol that client and hub have agreed on.
    pub(crate) fn revision(&self) -> &'static str {
        let version = self.0.peer_info().expect("a session").protocol_version.clone();
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| **known == version);
        known.expect("a known revision").as_str()
    }

    /// Calls a tool; gives its answer, which must be no refusal.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        self.call_with_id(tool, arguments).await.1
    }

    /// Calls a tool; gives the id of the request too.
    pub(crate) async fn call_with_id(&self, tool: &'static str, arguments: Value) -> (RequestId, Value) {
        let (id, result) = self.ask(tool, arguments).await;
        let answer = result.structured_content.expect("an answer");
        assert_ne!(result.is_error, Some(true), "{tool}: {answer}");
        (id, answer)
    }

    /// Calls a tool; gives the code of its error if it refuses.
    pub(crate) async fn refusal(
        &self,
        tool: impl Into<Cow<'static, str>>,
        arguments: Value,
    ) -> Option<String> {
        let (_, result) = self.ask(tool, arguments).await;
        let answer = result.structured_content.expect("an answer");
        answer["error"]["code"].as_str().map(str::to_owned)
    }

    /// The tools that have all of these arguments.
    pub(crate) async fn tools_with(&self, arguments: &[&str]) -> Vec<String> {
        let page = self.0.list_tools(None).await.expect("a catalogue");
        let has_all = |tool: &rmcp::model::Tool| {
            let known = &tool.input_schema["properties"];
            arguments.iter().all(|argument| !known[*argument].is_null())
        };
        page.tools.into_iter().filter(has_all).map(|tool| tool.name.into_owned()).collect()
    }

    /// Calls a tool; gives the status, and the bytes of the text that a model reads.
    pub(crate) async fn size_of(&self, tool: &'static str, arguments: Value) -> (String, usize) {
        let (_, result) = self.ask(tool, arguments).await;
        let texts = result.content.iter().filter_map(|content| content.as_text());
        let bytes = texts.map(|content| content.text.len()).sum();
        let answer = result.structured_content.expect("an answer");
        (answer["status"].as_str().expect("a status").to_owned(), bytes)
    }

    /// Takes a request back, although its answer has come.
    pub(crate) async fn cancel(&self, request: RequestId) {
        let params = CancelledNotificationParam::new(Some(request), None);
        let sent = self.0.send_notification(CancelledNotification::new(params).into()).await;
        sent.expect("a connection");
    }

    /// The bytes of `tools/list` as JSON.
    pub(crate) async fn size_of_catalogue(&self) -> usize {
        let page = self.0.list_tools(None).await.expect("a catalogue");
        assert!(page.next_cursor.is_none(), "all tools are on one page");
        serde_json::to_vec(&page).expect("JSON").len()
    }

    /// What a tool says of itself.
    pub(crate) async fn description_of(&self, tool: &str) -> String {
        let page = self.0.list_tools(None).await.expect("a catalogue");
        let tool = page.tools.into_iter().find(|known| known.name == tool).expect("the tool is there");
        tool.description.expect("it says something").into_owned()
    }

    /// Begins a call, whose answer nobody need wait for.
    pub(crate) async fn begin(
        &self,
        tool: impl Into<Cow<'static, str>>,
        arguments: Value,
    ) -> RequestHandle<RoleClient> {
        let Value::Object(arguments) = arguments else { panic!("arguments have names") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.0.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        sent.expect("a connection")
    }

    async fn ask(&self, tool: impl Into<Cow<'static, str>>, arguments: Value) -> (RequestId, CallToolResult) {
        let sent = self.begin(tool, arguments).await;
        let id = sent.id.clone();
        match sent.await_response().await.expect("an answer") {
            ServerResult::CallToolResult(result) => (id, result),
            other => panic!("a tool has answered {other:?}"),
        }
    }
}

/// The messages that an answer gives, without notices.
pub(crate) fn news(answer: &Value) -> Vec<Value> {
    let messages = answer["new_messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages.iter().filter(|message| message["sender"] != "@System").cloned().collect()
}
