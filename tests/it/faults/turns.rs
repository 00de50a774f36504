//! Turns whose holder is gone.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::rmcp_clients::house::{House, news};

#[tokio::test]
async fn a_dead_holder_keeps_the_floor_from_nobody() {
    let house = House::open().await;
    let (carol, user) = (house.over_http().await, house.over_old_http().await);
    let room = json!({
        "filepath": "talk.md", "participants": ["@Bob", "@Carol"], "first_speaker": "@Bob", "turn_lease_seconds": 1,
    });
    user.call("init_conversation", room).await;
    let (bob, bridge) = house.over_stdio_with(|_| ()).await;
    tokio::join!(
        bob.call("join_conversation", json!({ "handle": "@Bob" })),
        carol.call("join_conversation", json!({ "handle": "@Carol" })),
    );
    kill(bridge);

    let word = json!({ "sender": "@user", "content": "Who goes on, @Carol?", "block": false });
    assert!(user.call("send_message", word).await["posted"].is_object(), "a person always speaks");
    let wait = json!({ "handle": "@Carol", "timeout_seconds": 60 });
    let mut answer = carol.call("wait_for_turn", wait.clone()).await;
    while answer["status"] == "message_received" {
        answer = carol.call("wait_for_turn", wait.clone()).await;
    }
    assert_eq!(answer["status"], "your_turn", "{answer}");
    let read = carol.call("read_messages", json!({ "handle": "@Carol" })).await;
    assert!(read.to_string().contains("@Bob was silent for too long"), "it stands in the log: {read}");
}

#[tokio::test]
async fn a_person_passes_the_turn_of_a_dead_holder() {
    let house = House::open().await;
    let (carol, user) = (house.over_http().await, house.over_old_http().await);
    let (bob, bridge) = house.over_stdio_with(|_| ()).await;
    let alice = house.two_in_a_room("talk", &bob).await;
    carol.call("join_conversation", json!({ "handle": "@Carol" })).await;
    alice
        .call("send_message", json!({ "sender": "@Alice", "content": "@Bob, then @Carol", "block": false }))
        .await;
    kill(bridge);
    user.call("pass_turn", json!({ "handle": "@user" })).await;
    let answer = carol.call("wait_for_turn", json!({ "handle": "@Carol", "timeout_seconds": 60 })).await;
    assert_eq!(answer["active_turn"], "@Carol", "{answer}");
    assert_eq!(news(&answer).len(), 1);
}

/// As if the machine had killed it: it says no farewell.
pub(super) fn kill(process: u32) {
    let process = Pid::from_raw(process.try_into().expect("a process")).expect("a process");
    kill_process(process, Signal::KILL).expect("it runs");
}
