//! The start of a hub that has many rooms, and the first calls after it.

use std::path::Path;

use anyhow::Result;
use serde_json::json;
use tokio::time::Instant;

use super::agent::Agent;
use super::fixture::{Fixture, TALKERS};
use super::process::Hub;
use super::report::{Figure, Samples, millis, number};

const REPEATS: usize = 5;
const MEBI: f64 = 1_048_576.0;

/// Measures a hub with so many rooms of so many messages.
pub(crate) async fn measure(
    binary: &Path,
    folder: &Path,
    rooms: usize,
    messages: u64,
) -> Result<Vec<Figure>> {
    let mut fixture = Fixture::open(&folder.join("data"))?;
    for room in 0..rooms {
        fixture.room(&format!("cold-{room}"), &folder.join("notes"), messages).await?;
    }
    fixture.close().await;
    let (mut starts, mut named) = (Samples::default(), Samples::default());
    for repeat in 0..REPEATS {
        let hub = Hub::start(binary, folder).await?;
        starts.add(hub.server.started_in);
        let mut agent = Agent::over_http(hub.server.address).await?;
        let begun = Instant::now();
        let look = json!({ "handle": TALKERS[0], "room": format!("cold-{repeat}"), "timeout_seconds": 0 });
        agent.call("wait_for_turn", &look).await?;
        named.add(begun.elapsed());
        hub.stop().await?;
    }
    let hub = Hub::start(binary, folder).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let begun = Instant::now();
    agent.call("list_conversations", &json!({})).await?;
    let listed = begun.elapsed();
    let memory = hub.server.memory()?;
    let begun = Instant::now();
    agent.call("list_conversations", &json!({})).await?;
    let again = begun.elapsed();
    hub.stop().await?;
    let hub = Hub::start(binary, folder).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let begun = Instant::now();
    agent.call("list_conversations", &json!({})).await?;
    let later = begun.elapsed();
    hub.stop().await?;
    let what = format!("{rooms} rooms of {messages} messages");
    Ok(vec![
        Figure::time(format!("cold start with {what}"), starts.median()).at_most(200.0),
        Figure::time(format!("first call that names a room, of {what}"), named.median()),
        Figure::time(format!("first list of {what}, ever"), listed).note(format!(
            "again {:.2} ms; after a restart {:.2} ms",
            millis(again),
            millis(later)
        )),
        Figure::new(format!("memory after a list of {what}"), number(memory) / MEBI, "MiB"),
    ])
}
