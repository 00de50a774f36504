//! What a conversation costs those who read it.

use serde_json::json;

use crate::rmcp_clients::house::{Client, House, news};

/// Speaks to the other one; gives the bytes of the answer, and of the messages in it.
async fn speak(client: &Client, sender: &str, content: &str) -> (usize, usize) {
    let look = json!({ "handle": sender, "room": "long", "timeout_seconds": 0 });
    let read = client.call("wait_for_turn", look).await;
    let post = json!({ "sender": sender, "room": "long", "content": content, "block": false });
    let posted = client.call("send_message", post).await;
    assert!(news(&posted).is_empty(), "what was read does not come again");
    (read.to_string().len() + posted.to_string().len(), news(&read).len())
}

#[tokio::test]
async fn a_turn_costs_its_reader_the_same_late_as_early() {
    const TURNS: usize = 100;
    let house = House::open().await;
    let (alice, bob) = (house.over_http().await, house.over_old_http().await);
    let room = json!({
        "filepath": "long.md", "room": "long", "participants": ["@Alice", "@Bob"], "max_agent_turns": 0,
    });
    alice.call("init_conversation", room).await;
    let join = |handle: &str| json!({ "handle": handle, "room": "long" });
    tokio::join!(
        alice.call("join_conversation", join("@Alice")),
        bob.call("join_conversation", join("@Bob"))
    );
    let state = alice.call("list_participants", json!({ "room": "long" })).await;
    let is_alices = state["active_turn"] == "@Alice";
    let mut costs = Vec::new();
    for turn in 0..TURNS {
        let (client, sender, other) =
            if (turn % 2 == 0) == is_alices { (&alice, "@Alice", "@Bob") } else { (&bob, "@Bob", "@Alice") };
        let content = format!("Turn {turn:03}: the plan holds, and here is why. What do you say, {other}?");
        costs.push(speak(client, sender, &content).await);
    }
    let middle = &costs[10..];
    assert!(middle.iter().all(|(_, given)| *given == 1), "each message comes once to its reader: {costs:?}");
    let bytes = |part: &[(usize, usize)]| part.iter().map(|(bytes, _)| bytes).sum::<usize>();
    let (early, late) = (bytes(&costs[10..40]), bytes(&costs[70..100]));
    assert!(late <= early + early / 20, "{early} bytes for 30 early turns, {late} for 30 late ones");
}
