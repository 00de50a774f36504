//! A server in this process with a client of rmcp at it, at which somebody sits.
#![expect(deprecated, reason = "models of clients are asked by sampling")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, ClientConfig,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult, InputResponses,
    ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RunningService,
};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::hub::{Hub, Session};
use crate::mcp::asking::{KEY, Seals};
use crate::mcp::{Origin, Server, SessionSource};

/// What seals are made with.
pub(in crate::mcp::asking) const SECRET: &str = "a secret that has at least 32 bytes";

/// A hub with one puzzle, `p`.
pub(in crate::mcp::asking) struct House {
    pub(in crate::mcp::asking) hub: Arc<Hub>,
    pub(in crate::mcp::asking) seals: Arc<Seals>,
    _folder: tempfile::TempDir,
}

impl House {
    /// A puzzle that goes from A to B once `guard` lets it, and to C at once.
    pub(in crate::mcp::asking) async fn guarded(guard: Value) -> Self {
        Self::with(json!({ "initialState": "A", "states": {
            "A": {
                "resource": { "text": "All is well." },
                "actions": { "go": { "targetState": "B", "guard": guard }, "flee": { "targetState": "C" } },
            },
            "B": { "final": true },
            "C": { "actions": { "return": { "targetState": "A" } } },
        } }))
        .await
    }

    pub(in crate::mcp::asking) async fn with(mut config: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let seals = Arc::new(Seals::new("run", SECRET));
        let house = Self { hub, seals, _folder: folder };
        config["id"] = json!("p");
        let added =
            house.old_client(&json!({}), &[]).await.call("add_puzzle", json!({ "config": config })).await;
        assert_eq!(added["success"], true, "{added}");
        house
    }

    /// A client of an older revision that can do this, at which these answers are given, one after the other; then
    /// nothing is answered.
    pub(in crate::mcp::asking) async fn old_client(&self, can: &Value, answers: &[Value]) -> Client {
        self.client("2025-06-18", "old", can, answers).await
    }

    /// A client of the newest revision.
    pub(in crate::mcp::asking) async fn new_client(&self, can: &Value, answers: &[Value]) -> Client {
        self.client("2026-07-28", "new", can, answers).await
    }

    pub(in crate::mcp::asking) async fn client(
        &self,
        revision: &str,
        name: &str,
        can: &Value,
        answers: &[Value],
    ) -> Client {
        let session = SessionSource::Fixed(Session::Named(name.into()));
        let origin = Origin { session, folders: Vec::new(), toolsets: None, is_back: false, kept: None };
        let server = Server::new(self.hub.clone(), self.seals.clone(), origin);
        let (here, there) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let service = server.serve(there).await.expect("a session");
            drop(service.waiting().await);
        });
        let config = json!({
            "protocolVersion": revision, "capabilities": can, "clientInfo": { "name": name, "version": "1" },
        });
        let (heard, ears) = mpsc::unbounded_channel();
        let sitter = Sitter {
            config: serde_json::from_value(config).unwrap(),
            answers: Mutex::new(answers.iter().cloned().collect()),
            heard,
        };
        let lifecycle = if revision == "2026-07-28" {
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
        } else {
            ClientLifecycleMode::Initialize
        };
        let service = sitter.serve_with_lifecycle(here, lifecycle).await.expect("a session");
        Client { service: Arc::new(service), ears: Arc::new(tokio::sync::Mutex::new(ears)) }
    }

    /// What has happened to the puzzle since it was added.
    pub(in crate::mcp::asking) async fn history(&self) -> Vec<Value> {
        let client = self.old_client(&json!({}), &[]).await;
        let told = client.call("get_puzzle_history", json!({ "puzzleId": "p", "since_version": 1 })).await;
        told["events"].as_array().unwrap().clone()
    }
}

/// Whoever sits at a client, and its model.
pub(in crate::mcp::asking) struct Sitter {
    config: ClientConfig,
    answers: Mutex<VecDeque<Value>>,
    heard: mpsc::UnboundedSender<String>,
}

impl Sitter {
    async fn answer<T: serde::de::DeserializeOwned>(&self, question: String) -> Result<T, ErrorData> {
        let answer = self.answers.lock().unwrap().pop_front();
        self.heard.send(question).unwrap();
        match answer {
            Some(Value::String(broken)) => Err(ErrorData::internal_error(broken, None)),
            Some(answer) => Ok(serde_json::from_value(answer).unwrap()),
            None => std::future::pending().await,
        }
    }
}

impl ClientHandler for Sitter {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("{request:?}")
        };
        self.answer(message).await
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.answer(serde_json::to_string(&params.messages).unwrap()).await
    }

    async fn on_cancelled(&self, _: CancelledNotificationParam, _: NotificationContext<RoleClient>) {
        self.heard.send("cancelled".to_owned()).unwrap();
    }
}

#[derive(Clone)]
pub(in crate::mcp::asking) struct Client {
    pub(in crate::mcp::asking) service: Arc<RunningService<RoleClient, Sitter>>,
    ears: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>>,
}

impl Client {
    /// Calls a tool. What it asks on the way is answered.
    pub(in crate::mcp::asking) async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let params = params(tool, arguments);
        self.service.call_tool(params).await.expect("an answer").structured_content.expect("JSON")
    }

    /// Does `go` as `@Ada`.
    pub(in crate::mcp::asking) async fn go(&self) -> Value {
        self.call("perform_action_on_puzzle", going()).await
    }

    /// Calls a tool once, whatever it asks; gives its answer, or else what has to come back with the answer.
    pub(in crate::mcp::asking) async fn once(&self, params: CallToolRequestParams) -> Result<Value, String> {
        match self.service.call_tool_once(params).await.expect("an answer") {
            CallToolResponse::Complete(result) => Ok(result.structured_content.expect("JSON")),
            CallToolResponse::InputRequired(asks) => {
                assert!(asks.input_requests.expect("a question").contains_key(KEY));
                Err(asks.request_state.expect("a state"))
            }
            other => panic!("{other:?}"),
        }
    }

    /// Begins `go`; gives what has to come back with the answer.
    pub(in crate::mcp::asking) async fn asked(&self) -> String {
        self.once(params("perform_action_on_puzzle", going())).await.expect_err("a question")
    }

    /// Comes back with a verdict, for a call with these arguments.
    pub(in crate::mcp::asking) async fn back(&self, arguments: Value, state: &str, verdict: &str) -> Value {
        let responses = InputResponses::from([(KEY.to_owned(), filled(verdict))]);
        let params = params("perform_action_on_puzzle", arguments).with_request_state(state);
        self.once(params.with_input_responses(responses)).await.expect("an answer")
    }

    /// What the sitter hears next: a question, or that one is not asked any more.
    pub(in crate::mcp::asking) async fn hears(&self) -> String {
        self.ears.lock().await.recv().await.expect("a client")
    }
}

pub(in crate::mcp::asking) fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments have names") };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

/// The arguments of `go`.
pub(in crate::mcp::asking) fn going() -> Value {
    json!({ "puzzleId": "p", "actionName": "go", "actor": "@Ada" })
}

/// A client can show forms.
pub(in crate::mcp::asking) fn forms() -> Value {
    json!({ "elicitation": {} })
}

/// A client has a model.
pub(in crate::mcp::asking) fn models() -> Value {
    json!({ "sampling": {} })
}

/// A form that is filled in.
pub(in crate::mcp::asking) fn filled(verdict: &str) -> Value {
    json!({ "action": "accept", "content": { "verdict": verdict, "why": "I looked" } })
}

/// Words of a model.
pub(in crate::mcp::asking) fn words(words: &str) -> Value {
    json!({ "model": "m", "role": "assistant", "content": { "type": "text", "text": words } })
}
