//! Guards that ask the acting client, over a bridge and over HTTP of the new and of an older revision.
#![expect(deprecated, reason = "models of clients are asked by sampling")]

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, InputResponses, ProtocolVersion, SamplingMessage,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::house::House;

/// The ways to the hub.
#[derive(Clone, Copy, Debug)]
enum Way {
    Stdio,
    OldStdio,
    Http,
    OldHttp,
}

const WAYS: [Way; 4] = [Way::Stdio, Way::OldStdio, Way::Http, Way::OldHttp];

/// Lets everything pass, once all that it waits for are asked too; its model does so too.
#[derive(Clone)]
struct Sitter(Arc<Barrier>);

impl ClientHandler for Sitter {
    fn get_info(&self) -> ClientConfig {
        let config = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {}, "sampling": {} },
            "clientInfo": { "name": "sitter", "version": "1" },
        });
        serde_json::from_value(config).expect("a config")
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.0.wait().await;
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "verdict": "pass" })))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text("PASS: it is good"), "m".to_owned()))
    }
}

struct Client(RunningService<RoleClient, Sitter>);

impl Client {
    async fn open(house: &House, way: Way, barrier: &Arc<Barrier>) -> Self {
        let new = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let (sitter, old) = (Sitter(barrier.clone()), ClientLifecycleMode::Initialize);
        let session = match way {
            Way::Stdio => sitter.serve_with_lifecycle(house.bridge(|_| ()), new).await,
            Way::OldStdio => sitter.serve_with_lifecycle(house.bridge(|_| ()), old).await,
            Way::Http => sitter.serve_with_lifecycle(house.http(), new).await,
            Way::OldHttp => sitter.serve_with_lifecycle(house.http(), old).await,
        };
        Self(session.expect("a session"))
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let answer = self.0.call_tool(params(tool, arguments)).await.expect("an answer");
        answer.structured_content.expect("JSON")
    }

    async fn go(&self, puzzle: &str) -> Value {
        self.call("perform_action_on_puzzle", json!({ "puzzleId": puzzle, "actionName": "go" })).await
    }

    /// Adds a puzzle that goes from A to B once `guard` lets it.
    async fn add(&self, id: &str, guard: Value) {
        let config = json!({ "id": id, "initialState": "A", "states": {
            "A": { "actions": { "go": { "targetState": "B" } }, "exitGuard": guard }, "B": { "final": true },
        } });
        let added = self.call("add_puzzle", json!({ "config": config })).await;
        assert_eq!(added["success"], true, "{added}");
    }
}

fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments have names") };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

#[tokio::test]
async fn a_form_and_a_model_are_asked_over_every_way() {
    let house = House::open().await;
    for way in WAYS {
        let client = Client::open(&house, way, &Arc::new(Barrier::new(1))).await;
        let id = format!("{way:?}");
        client.add(&id, json!([{ "form": "May it?" }, { "sampling": "Is it good?" }])).await;
        let done = client.go(&id).await;
        assert_eq!(done["currentState"], "B", "{way:?}: {done}");
        let history = client.call("get_puzzle_history", json!({ "puzzleId": id, "since_version": 1 })).await;
        let asked = history["events"][0]["verdicts"].as_array().expect("verdicts").iter();
        assert_eq!(asked.map(|one| &one["asked"]).collect::<Vec<_>>(), ["form", "sampling"], "{history}");
    }
}

#[tokio::test]
async fn of_those_whose_forms_are_open_together_one_wins_over_whatever_way() {
    let house = House::open().await;
    let barrier = Arc::new(Barrier::new(2 * WAYS.len()));
    let mut racers = Vec::new();
    for way in WAYS.into_iter().chain(WAYS) {
        racers.push(Client::open(&house, way, &barrier).await);
    }
    racers[0].add("race", json!({ "form": "May it?" })).await;
    let ends = futures::future::join_all(racers.iter().map(|racer| racer.go("race"))).await;
    let (won, lost): (Vec<_>, Vec<_>) = ends.into_iter().partition(|end| end["error"].is_null());
    assert_eq!(won.len(), 1, "{won:?}");
    for end in lost {
        let told = (&end["error"]["code"], &end["currentState"], &end["version"]);
        assert_eq!(told, (&json!("version_conflict"), &json!("B"), &json!(2)), "{end}");
    }
}

#[tokio::test]
async fn what_comes_back_with_an_answer_is_taken_once_and_not_after_a_restart() {
    let mut house = House::open().await;
    for way in [Way::Http, Way::Stdio] {
        let client = Client::open(&house, way, &Arc::new(Barrier::new(1))).await;
        let id = format!("{way:?}");
        client.add(&id, json!({ "form": "May it?" })).await;
        let call = params("perform_action_on_puzzle", json!({ "puzzleId": id, "actionName": "go" }));
        let asked = || async {
            match client.0.call_tool_once(call.clone()).await.expect("an answer") {
                CallToolResponse::InputRequired(asks) => asks.request_state.expect("a state"),
                other => panic!("{other:?}"),
            }
        };
        let back = |state: String, verdict: &str| {
            let answer = json!({ "action": "accept", "content": { "verdict": verdict } });
            let responses = InputResponses::from([("guard".to_owned(), answer)]);
            let params = call.clone().with_request_state(state).with_input_responses(responses);
            async {
                match client.0.call_tool_once(params).await.expect("an answer") {
                    CallToolResponse::Complete(result) => result.structured_content.expect("JSON"),
                    other => panic!("{other:?}"),
                }
            }
        };
        let state = asked().await;
        assert_eq!(back(state.clone(), "refuse").await["error"]["code"], "guard_refused");
        assert_eq!(back(state, "pass").await["error"]["code"], "request_state_used");
        let state = asked().await;
        house.kill_and_start_again().await;
        assert_eq!(back(state, "pass").await["error"]["code"], "request_state_invalid");
        assert_eq!(back(asked().await, "pass").await["currentState"], "B");
    }
}
