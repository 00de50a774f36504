//! Clients, sessions, and programs that share one hub.

use serde_json::json;

use crate::rmcp_clients::house::{House, news};

#[tokio::test]
async fn connected_clients_go_on_in_their_sessions_after_the_hub_was_killed_and_started_again() {
    let mut house = House::open().await;
    let (carol, bob) = (house.over_http().await, house.over_stdio().await);
    let alice = house.two_in_a_room("talk", &bob).await;
    carol.call("join_conversation", json!({ "handle": "@Carol" })).await;
    house.kill_and_start_again().await;
    let word = json!({ "sender": "@Alice", "content": "still there, @Bob @Carol?", "block": false });
    alice.call("send_message", word).await;
    for (client, handle) in [(&bob, "@Bob"), (&carol, "@Carol")] {
        let heard = client.call("wait_for_turn", json!({ "handle": handle, "timeout_seconds": 60 })).await;
        let [word] = news(&heard).try_into().expect("one word");
        assert_eq!(word["content"], "still there, @Bob @Carol?", "{handle}");
    }
    // The older session knows its room, as it did before.
    let look = alice.call("wait_for_turn", json!({ "handle": "@Alice", "timeout_seconds": 0 })).await;
    assert_eq!((&look["room"], &look["active_turn"]), (&json!("talk"), &json!("@Bob")));
}

#[tokio::test]
async fn programs_that_only_know_the_stdio_command_share_one_room() {
    let house = House::open().await;
    let mut clients = Vec::new();
    for _ in 0..5 {
        clients.push(house.over_stdio().await);
    }
    let handles: Vec<String> = (0..5).map(|number| format!("@Agent{number}")).collect();
    let room = json!({ "filepath": "talk.md", "participants": handles, "barrier": "all" });
    clients[0].call("init_conversation", room).await;
    let joins = clients.iter().zip(&handles).map(|(client, handle)| {
        client.call("join_conversation", json!({ "handle": handle, "timeout_seconds": 60 }))
    });
    for answer in futures::future::join_all(joins).await {
        assert_eq!(answer["active_participants"], json!(handles));
    }
}
