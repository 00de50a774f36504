//! What the clients of older sessions are told, with a real hub: those who listen, who have gone, who are back.

use axum::body::BodyDataStream;
use serde_json::{Value, json};

use super::super::super::testing::{Scene, rpc, text};
use super::*;
use crate::hub::{Caller, Hub, Mouth};
use crate::tools;

/// A session that has subscribed to the puzzle, and what it hears.
struct Subscriber {
    id: String,
    stream: Option<BodyDataStream>,
}

impl Subscriber {
    async fn of_a_new_session(scene: &Scene) -> Self {
        let id = session_id(scene).await;
        let uri = json!({ "uri": "puzzlebox://puzzle/lamp" });
        let answer = text(ask(scene, &id, rpc(2, "resources/subscribe", &uri)).await).await;
        assert!(answer.contains(r#""result":{}"#), "{answer}");
        Self { id, stream: None }
    }

    /// Opens a stream, which goes on after the event that it saw last.
    async fn listen(&mut self, scene: &Scene, last_event: Option<u64>) {
        let mut request = stream_of(&self.id);
        if let Some(event) = last_event {
            request.headers_mut().insert(LAST_EVENT_HEADER, event.to_string().parse().unwrap());
        }
        let response = scene.ask_tcp(request).await;
        assert_eq!(response.status(), StatusCode::OK);
        self.stream = Some(response.into_body().into_data_stream());
    }

    /// The number of the next event, which tells that the puzzle has changed. rmcp counts all that it is given to tell.
    async fn is_told(&mut self) -> u64 {
        let stream = self.stream.as_mut().expect("it listens");
        loop {
            let event =
                String::from_utf8(stream.next().await.expect("it goes on").unwrap().to_vec()).unwrap();
            let field = |name| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let message = field("data:").and_then(|data| serde_json::from_str::<Value>(data).ok());
            let Some(message) = message else { continue };
            assert_eq!(message["method"], "notifications/resources/updated", "{message}");
            return field("id:").expect("events are counted").parse().unwrap();
        }
    }
}

async fn call_tool(hub: &Arc<Hub>, tool: &str, arguments: Value) {
    let caller = Caller::new(Session::Alone, Mouth::Mcp);
    let outcome = tools::call(hub, &caller, tool, arguments.as_object().unwrap().clone()).await;
    assert!(!outcome.is_error, "{}", outcome.json);
}

async fn act(hub: &Arc<Hub>) {
    call_tool(hub, "perform_action_on_puzzle", json!({ "puzzleId": "lamp", "actionName": "press" })).await;
}

async fn scene() -> (Scene, Arc<Hub>) {
    let (scene, hub) = Scene::with_hub().await;
    let state = |target| json!({ "actions": { "press": { "targetState": target } } });
    let lamp =
        json!({ "id": "lamp", "initialState": "off", "states": { "off": state("on"), "on": state("off") } });
    call_tool(&hub, "add_puzzle", json!({ "config": lamp })).await;
    (scene, hub)
}

#[tokio::test]
async fn nothing_is_told_to_who_has_gone_and_who_comes_back_is_told_once() {
    let (scene, hub) = scene().await;
    let mut here = Subscriber::of_a_new_session(&scene).await;
    here.listen(&scene, None).await;
    let mut late = Subscriber::of_a_new_session(&scene).await;
    let mut gone = Subscriber::of_a_new_session(&scene).await;
    gone.listen(&scene, None).await;
    act(&hub).await;
    assert_eq!((here.is_told().await, gone.is_told().await), (0, 0));
    gone.stream = None;
    for number in 1..=40 {
        act(&hub).await;
        assert_eq!(here.is_told().await, number, "each change is told");
    }

    late.listen(&scene, None).await;
    assert_eq!(late.is_told().await, 0, "the first that it was ever told");
    gone.listen(&scene, Some(0)).await;
    // rmcp begins with the event that was seen last.
    assert_eq!((gone.is_told().await, gone.is_told().await), (0, 1));

    act(&hub).await;
    assert_eq!((late.is_told().await, gone.is_told().await, here.is_told().await), (1, 2, 41));
}

#[tokio::test]
async fn who_comes_back_is_told_nothing_new_if_nothing_has_changed() {
    let (scene, hub) = scene().await;
    let mut client = Subscriber::of_a_new_session(&scene).await;
    for number in 0..3 {
        // From the second time on, before the older stream has ended.
        client.listen(&scene, None).await;
        for told in 0..number {
            assert_eq!(client.is_told().await, told, "rmcp repeats what it has told");
        }
        act(&hub).await;
        assert_eq!(client.is_told().await, number);
    }
}
