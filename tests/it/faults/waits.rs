//! Waits whose client gives up, goes away, or has a hub that stands still.

use serde_json::{Value, json};

use super::{member, until};
use crate::rmcp_clients::house::{Client, House, news};

fn is_waiting(member: &Value) -> bool {
    member["is_waiting"] == true
}

/// Bob's next answer brings Alice's words once, and the one after it does not.
async fn gives_once(alice: &Client, bob: &Client, room: &str) {
    let post = json!({ "sender": "@Alice", "room": room, "content": "one, @Bob", "block": false });
    let posted = alice.call("send_message", post).await;
    assert_eq!(posted["posted"]["delivery"][0]["state"], "queued", "{room}: nobody waits any more");
    for expected in [1, 0] {
        let look = json!({ "handle": "@Bob", "room": room, "timeout_seconds": 0 });
        let given = news(&bob.call("wait_for_turn", look).await);
        assert_eq!(given.len(), expected, "{room}: {given:?}");
        assert!(given.iter().all(|message| message.get("redelivered").is_none()), "{room}: {given:?}");
    }
}

fn long_wait(room: &str) -> Value {
    json!({ "handle": "@Bob", "room": room, "timeout_seconds": 600 })
}

#[tokio::test]
async fn a_wait_that_its_client_cancels_ends_and_consumes_nothing() {
    let house = House::open().await;
    for (room, bob) in [("pipe", house.over_stdio().await), ("http", house.over_old_http().await)] {
        let alice = house.two_in_a_room(room, &bob).await;
        let waiting = bob.begin("wait_for_turn", long_wait(room)).await;
        until(&alice, room, "@Bob", is_waiting).await;
        bob.cancel(waiting.id.clone()).await;
        until(&alice, room, "@Bob", |member| !is_waiting(member)).await;
        gives_once(&alice, &bob, room).await;
    }
}

#[tokio::test]
async fn a_wait_whose_connection_breaks_ends_and_consumes_nothing() {
    let house = House::open().await;
    let clients = [
        ("pipe", house.over_stdio().await, house.over_stdio().await),
        ("http", house.over_http().await, house.over_http().await),
        ("old-http", house.over_old_http().await, house.over_old_http().await),
    ];
    for (room, doomed, heir) in clients {
        let alice = house.two_in_a_room(room, &doomed).await;
        let waiting = doomed.begin("wait_for_turn", long_wait(room)).await;
        until(&alice, room, "@Bob", is_waiting).await;
        drop((waiting, doomed));
        until(&alice, room, "@Bob", |member| !is_waiting(member)).await;
        assert_eq!(member(&alice, room, "@Bob").await["status"], "active", "its place stays");
        gives_once(&alice, &heir, room).await;
    }
}

#[tokio::test]
async fn a_wait_outlives_a_hub_that_stands_still() {
    let house = House::open().await;
    for (room, bob) in [("pipe", house.over_stdio().await), ("http", house.over_http().await)] {
        let alice = house.two_in_a_room(room, &bob).await;
        let waiting = bob.begin("wait_for_turn", long_wait(room)).await;
        until(&alice, room, "@Bob", is_waiting).await;
        house.freeze().await;
        let post = json!({ "sender": "@Alice", "room": room, "content": "one, @Bob", "block": false });
        let posting = alice.begin("send_message", post).await;
        house.thaw().await;
        posting.await_response().await.expect("the post is answered");
        let woken = waiting.await_response().await.expect("the wait is answered");
        assert!(format!("{woken:?}").contains("one, @Bob"), "{room}: {woken:?}");
    }
}

#[tokio::test]
async fn a_look_without_a_wait_is_offered_by_the_tool() {
    let house = House::open().await;
    let bob = house.over_http().await;
    house.two_in_a_room("talk", &bob).await;
    assert!(bob.description_of("wait_for_turn").await.contains("timeout_seconds=0 only looks"));
    let look = json!({ "handle": "@Bob", "room": "talk", "timeout_seconds": 0 });
    bob.call("wait_for_turn", look.clone()).await;
    let seen = bob.call("wait_for_turn", look).await;
    assert_eq!((&seen["status"], &seen["waited_ms"]), (&json!("timeout"), &Value::Null));
}

#[tokio::test]
async fn a_connection_alone_keeps_nobody_here() {
    let house = House::open().await;
    let room = json!({
        "filepath": "talk.md", "room": "talk", "participants": ["@Alice", "@Bob", "@user"],
        "barrier": 1, "turn_lease_seconds": 1,
    });
    let user = house.over_http().await;
    user.call("init_conversation", room).await;
    // The bridge of Bob's client lives on, and nothing comes from it any more.
    let silent = house.over_stdio().await;
    silent.call("join_conversation", json!({ "handle": "@Bob", "room": "talk" })).await;
    let bob = until(&user, "talk", "@Bob", |member| member["status"] == "away").await;
    assert_eq!(bob["is_waiting"], false);
    let post = json!({ "sender": "@user", "room": "talk", "content": "@all hear me", "block": false });
    let posted = user.call("send_message", post).await;
    let delivery = posted["posted"]["delivery"].as_array().expect("a list").clone();
    let states: Vec<_> = delivery.iter().map(|one| (one["handle"].clone(), one["state"].clone())).collect();
    assert_eq!(states, [(json!("@Alice"), json!("expected")), (json!("@Bob"), json!("away"))]);
    drop(silent);
}
