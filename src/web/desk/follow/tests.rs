//! Looks that wait: what they tell, and when they end.

use std::sync::Arc;

use serde_json::Map;
use tokio::task::JoinHandle;

use super::*;
use crate::hub::{Mouth, Session};
use crate::mcp::Receipts;
use crate::web::desk::{Command, Desk};

const DAY: Duration = Duration::from_hours(25);

struct House {
    desk: Arc<HubDesk>,
    _folder: tempfile::TempDir,
}

impl House {
    async fn new(rooms: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let desk = Arc::new(HubDesk::new(hub.clone(), Arc::new(Receipts::new(hub))));
        let house = Self { desk, _folder: folder };
        for room in rooms {
            let path = format!("{room}.md");
            let arguments = json!({
                "filepath": path, "participants": ["@Ada"], "barrier": 0, "floor": "open", "max_agent_turns": 0,
            });
            house.tool("init_conversation", arguments).await;
        }
        house
    }

    async fn tool(&self, name: &str, arguments: Value) {
        let arguments: Map<String, Value> = serde_json::from_value(arguments).unwrap();
        let outcome = self.desk.call(&caller(), name, arguments).await;
        assert!(!outcome.is_error, "{}", outcome.json);
    }

    async fn say(&self, room: &str, content: &str) {
        let message = json!({
            "sender": "@Ada", "content": content, "room": room, "block": false, "expects_reply": false,
        });
        self.tool("send_message", message).await;
    }

    async fn watch(&self, watch: Watch) -> Value {
        self.desk.watch(&caller(), watch).await.unwrap()
    }

    /// A look that waits for as long as it may.
    fn spawn(&self, caller: Caller) -> JoinHandle<Result<Value, HubError>> {
        let desk = Arc::clone(&self.desk);
        let watch = Watch { seen: Some(BTreeMap::new()), limit: 10, wait: Duration::MAX, ..Watch::default() };
        tokio::spawn(async move { desk.watch(&caller, watch).await })
    }
}

fn caller() -> Caller {
    Caller { is_verified: true, ..Caller::new(Session::Alone, Mouth::Terminal) }
}

fn seen(answer: &Value) -> Option<BTreeMap<String, u64>> {
    serde_json::from_value(answer["seen"].clone()).unwrap()
}

/// What is told, by room, notices left out.
fn words(answer: &Value) -> Vec<(String, String)> {
    let rooms = answer["rooms"].as_array().unwrap().iter();
    let words = rooms.flat_map(|room| {
        let said = room["messages"].as_array().unwrap().iter().filter(|said| said["sender"] == "@Ada");
        said.map(|said| (text(&room["room"]), text(&said["content"]))).collect::<Vec<_>>()
    });
    words.collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn an_archived_room_that_speaks_again_tells_only_what_is_new() {
    let house = House::new(&["old", "young"]).await;
    house.say("old", "long ago").await;
    tokio::time::sleep(DAY).await;
    house.say("young", "just now").await;
    let look = Watch { limit: 50, ..Watch::default() };
    let first = house.watch(look.clone()).await;
    assert_eq!(words(&first), [("young".to_owned(), "just now".to_owned())]);
    house.say("old", "again").await;
    let second = house.watch(Watch { seen: seen(&first), ..look }).await;
    assert_eq!(words(&second), [("old".to_owned(), "again".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_waits_ends_with_its_caller_and_with_the_day() {
    let house = House::new(&[]).await;
    let caller = caller();
    let cancelled = house.spawn(caller.clone());
    let patient = house.spawn(self::caller());
    tokio::task::yield_now().await;
    caller.cancelled.cancel();
    assert!(matches!(cancelled.await.unwrap(), Err(HubError::Cancelled)));
    let told = patient.await.unwrap().unwrap();
    assert!(words(&told).is_empty(), "{told}");
}

#[tokio::test(start_paused = true)]
async fn only_so_many_looks_wait_at_once() {
    let house = House::new(&[]).await;
    let limit = house.desk.hub.limits().waits;
    let waiting: Vec<_> = (0..limit).map(|_| house.spawn(caller())).collect();
    while house.desk.looks.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    for command in [
        Command::Watch(Watch { wait: DAY, ..Watch::default() }),
        Command::Inbox { known: Some("one".into()), wait: DAY },
        Command::Follow { room: "talk".into(), after: Some(0), limit: 1, wait: DAY },
    ] {
        let refused = house.desk.command(&caller(), command).await;
        assert_eq!(refused.json["error"]["code"], "limit_reached", "{}", refused.json);
    }
    let at_once = Command::Watch(Watch { limit: 1, ..Watch::default() });
    assert!(!house.desk.command(&caller(), at_once).await.is_error);
    house.desk.hub.stop();
    for look in waiting {
        look.await.unwrap().unwrap();
    }
    assert_eq!(house.desk.looks.available_permits(), limit);
}
