//! A hub of the binary with folders of its own, and clients of rmcp at it.

use std::path::PathBuf;
use std::process::Stdio;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotification,
    CancelledNotificationParam, ClientConfig, ClientRequest, ProtocolVersion, RequestId, ServerResult,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RunningService};
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
    _hub: Child,
    /// What the hub still prints goes somewhere.
    _lines: Lines<BufReader<ChildStdout>>,
}

impl House {
    /// Starts a hub on a free port, and waits until it listens.
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| ()).await
    }

    /// The same with another environment.
    pub(crate) async fn open_with(change: impl FnOnce(&mut std::process::Command)) -> Self {
        let folder = TempDir::new().expect("a folder");
        let notes = folder.path().join("notes");
        let notes = notes.to_str().expect("text");
        let words = ["serve", "--host", "127.0.0.1", "--port", "0", "--transcripts", notes];
        let mut command = turnroom(&folder.path().join("data"), &words);
        change(&mut command);
        let mut command = Command::from(command);
        let mut hub = command.stderr(Stdio::inherit()).kill_on_drop(true).spawn().expect("the binary starts");
        let mut lines = BufReader::new(hub.stdout.take().expect("a pipe")).lines();
        let url = loop {
            let line = lines.next_line().await.expect("text").expect("the hub says where it listens");
            if let Some(url) = line.trim().strip_prefix("MCP ") {
                break url.trim().to_owned();
            }
        };
        Self { folder, url, _hub: hub, _lines: lines }
    }

    /// The folder of the transcripts.
    pub(super) fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    /// The folder of its data.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Where it serves MCP.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A client with a handshake, over a bridge that it starts itself.
    pub(super) async fn over_stdio(&self) -> Client {
        let notes = self.notes();
        let command = turnroom(&self.data(), &["stdio", "--transcripts", notes.to_str().expect("text")]);
        let builder = TokioChildProcess::builder(Command::from(command)).stderr(Stdio::inherit());
        let (bridge, _) = builder.spawn().expect("the binary starts");
        Client(config().serve(bridge).await.expect("a session"))
    }

    /// A client of the newest revision.
    pub(super) async fn over_http(&self) -> Client {
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let connected = config().serve_with_lifecycle(self.http(), lifecycle).await;
        Client(connected.expect("a session"))
    }

    /// A client of an older revision, with a session.
    pub(super) async fn over_old_http(&self) -> Client {
        Client(config().serve(self.http()).await.expect("a session"))
    }

    fn http(&self) -> StreamableHttpClientTransport<reqwest::Client> {
        StreamableHttpClientTransport::from_uri(self.url.clone())
    }

    /// Makes a room in which `@Bob` has joined as `bob`; gives `@Alice`, who has the floor. Both are settled there.
    pub(super) async fn two_in_a_room(&self, room: &str, bob: &Client) -> Client {
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

fn config() -> ClientConfig {
    ClientConfig::default()
}

/// One client.
pub(super) struct Client(RunningService<RoleClient, ClientConfig>);

impl Client {
    /// The revision of the protocol that client and hub have agreed on.
    pub(super) fn revision(&self) -> &'static str {
        let version = self.0.peer_info().expect("a session").protocol_version.clone();
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| **known == version);
        known.expect("a known revision").as_str()
    }

    /// Calls a tool; gives its answer, which must be no refusal.
    pub(super) async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        self.call_with_id(tool, arguments).await.1
    }

    /// Calls a tool; gives the id of the request too.
    pub(super) async fn call_with_id(&self, tool: &'static str, arguments: Value) -> (RequestId, Value) {
        let (id, result) = self.ask(tool, arguments).await;
        let answer = result.structured_content.expect("an answer");
        assert_ne!(result.is_error, Some(true), "{tool}: {answer}");
        (id, answer)
    }

    /// Calls a tool; gives the status, and the bytes of the text that a model reads.
    pub(super) async fn size_of(&self, tool: &'static str, arguments: Value) -> (String, usize) {
        let (_, result) = self.ask(tool, arguments).await;
        let texts = result.content.iter().filter_map(|content| content.as_text());
        let bytes = texts.map(|content| content.text.len()).sum();
        let answer = result.structured_content.expect("an answer");
        (answer["status"].as_str().expect("a status").to_owned(), bytes)
    }

    /// Takes a request back, although its answer has come.
    pub(super) async fn cancel(&self, request: RequestId) {
        let params = CancelledNotificationParam::new(Some(request), None);
        let sent = self.0.send_notification(CancelledNotification::new(params).into()).await;
        sent.expect("a connection");
    }

    /// The bytes of `tools/list` as JSON.
    pub(super) async fn size_of_catalogue(&self) -> usize {
        let page = self.0.list_tools(None).await.expect("a catalogue");
        assert!(page.next_cursor.is_none(), "all tools are on one page");
        serde_json::to_vec(&page).expect("JSON").len()
    }

    async fn ask(&self, tool: &'static str, arguments: Value) -> (RequestId, CallToolResult) {
        let Value::Object(arguments) = arguments else { panic!("arguments have names") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.0.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        let sent = sent.expect("a connection");
        let id = sent.id.clone();
        match sent.await_response().await.expect("an answer") {
            ServerResult::CallToolResult(result) => (id, result),
            other => panic!("{tool} has answered {other:?}"),
        }
    }
}

/// The messages that an answer gives, without notices.
pub(super) fn news(answer: &Value) -> Vec<Value> {
    let messages = answer["new_messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages.iter().filter(|message| message["sender"] != "@System").cloned().collect()
}
