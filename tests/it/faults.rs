//! Faults that users of such systems have met, tried on the binary over its real transports; `docs/faults.md`
//! names them.

mod cost;
mod identity;
mod mentions;
mod network;
mod platforms;
mod storage;
mod turns;
mod waits;

use serde_json::{Value, json};

use crate::rmcp_clients::house::Client;

/// What `list_participants` says of one.
async fn member(client: &Client, room: &str, handle: &str) -> Value {
    let state = client.call("list_participants", json!({ "room": room })).await;
    let members = state["participants"].as_array().expect("a list").clone();
    members.into_iter().find(|member| member["handle"] == handle).expect("it is in the room")
}

/// Looks until a participant is as it should be.
async fn until(client: &Client, room: &str, handle: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let looking = async {
        loop {
            let member = member(client, room, handle).await;
            if is_so(&member) {
                return member;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_mins(1), looking).await.expect("it comes to be so")
}
