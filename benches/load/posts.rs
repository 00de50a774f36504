//! Many rooms at once: how many posts a second are stored and answered.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use futures::future::try_join_all;
use serde_json::json;
use tokio::time::Instant;

use super::agent::Agent;
use super::fixture::{Fixture, TALKERS, text};
use super::http::Connection;
use super::process::{Hub, Server};
use super::report::{Figure, number};

const ROOMS: usize = 50;
const TIME: Duration = Duration::from_secs(2);
const ROUNDS: usize = 2;

/// Measures posts in many rooms, beside the same number of bare round trips at a time.
pub(crate) async fn measure(binary: &Path, folder: &Path) -> Result<Vec<Figure>> {
    let mut fixture = Fixture::open(&folder.join("data"))?;
    for room in 0..ROOMS {
        fixture.room(&name(room), &folder.join("notes"), 10).await?;
    }
    fixture.close().await;
    let hub = Hub::start(binary, folder).await?;
    let echo = Server::role("echo").await?;
    let mut talkers = Vec::new();
    for room in 0..ROOMS {
        let mut agent = Agent::over_http(hub.server.address).await?;
        let look = json!({ "handle": TALKERS[0], "room": name(room), "timeout_seconds": 0 });
        agent.call("wait_for_turn", &look).await?;
        talkers.push((agent, name(room), 10));
    }
    let (mut posts, mut trips, mut written) = (0, 0, 0);
    for _ in 0..ROUNDS {
        let (before, over) = (hub.server.written()?, Instant::now() + TIME);
        posts += try_join_all(talkers.iter_mut().map(|talker| talk(talker, over))).await?.iter().sum::<u64>();
        written += hub.server.written()? - before;
        let over = Instant::now() + TIME;
        trips += try_join_all((0..ROOMS).map(|_| knock(&echo, over))).await?.iter().sum::<u64>();
    }
    hub.stop().await?;
    let seconds = TIME.as_secs_f64() * number(ROUNDS as u64);
    Ok(vec![
        Figure::new(format!("posts a second over {ROOMS} rooms"), number(posts) / seconds, "/s")
            .limit("bare round trips a second", number(trips) / seconds)
            .at_least(1_000.0),
        Figure::new("written per post over many rooms", number(written) / number(posts) / 1024.0, "KiB")
            .note("journal, note, and the answer"),
    ])
}

fn name(room: usize) -> String {
    format!("busy-{room}")
}

/// Both talkers of a room speak in turn, over one connection.
async fn talk((agent, room, said): &mut (Agent, String, u64), over: Instant) -> Result<u64> {
    let mut posts = 0;
    while Instant::now() < over {
        let (sender, other) = if said.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        let post = json!({
            "sender": TALKERS[sender], "room": room, "content": text(TALKERS[other], *said), "timeout_seconds": 0,
        });
        agent.call("send_message", &post).await?;
        *said += 1;
        posts += 1;
    }
    Ok(posts)
}

async fn knock(echo: &Server, over: Instant) -> Result<u64> {
    let mut connection = Connection::open(echo.address).await?;
    let mut trips = 0;
    while Instant::now() < over {
        connection.write("/", "", &[b' '; 600]).await?;
        connection.read().await?;
        trips += 1;
    }
    Ok(trips)
}
