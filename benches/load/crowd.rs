//! Many agents wait in one room: what that costs, and how long it takes to wake them all.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::agent::Agent;
use super::http::Connection;
use super::process::{Hub, Server};
use super::report::{Figure, Samples, millis, number};

const REPEATS: u64 = 3;
const STILL: Duration = Duration::from_secs(2);
/// Least time until all waits have begun; they are also counted.
const SETTLED: Duration = Duration::from_millis(500);
/// Milliseconds in which the last of so many must be woken.
const BUDGETS: [(usize, f64); 4] = [(10, 20.0), (100, 100.0), (300, 300.0), (1_000, 1_000.0)];
/// Memory of a few waits says nothing.
const ENOUGH: usize = 100;

/// Measures rooms with these numbers of agents.
pub(crate) async fn measure(binary: &Path, folder: &Path, sizes: &[usize]) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for size in sizes {
        figures.extend(one(binary, &folder.join(format!("{size}")), *size).await?);
    }
    Ok(figures)
}

async fn one(binary: &Path, folder: &Path, size: usize) -> Result<Vec<Figure>> {
    let hub = Hub::start(binary, folder).await?;
    let mut leader = Agent::over_http(hub.server.address).await?;
    let names: Vec<String> = (0..size).map(|number| format!("@Agent{number}")).collect();
    let participants: Vec<&str> = names.iter().map(String::as_str).chain(["@Leader"]).collect();
    let room = json!({
        "filepath": "crowd.md", "room": "crowd", "participants": participants, "floor": "open",
        "max_agent_turns": 0, "turn_lease_seconds": 86_400,
    });
    leader.call("init_conversation", &room).await?;
    leader
        .call("join_conversation", &json!({ "handle": "@Leader", "room": "crowd", "timeout_seconds": 0 }))
        .await?;
    let before = hub.server.memory()?;
    let mut crowd = gather(&hub, &mut leader, &names).await?;
    let memory = hub.server.memory()?.saturating_sub(before);
    let used = hub.server.cpu()?;
    tokio::time::sleep(STILL).await;
    let idle = hub.server.cpu()?.saturating_sub(used).div_duration_f64(STILL) * 100.0;
    let mut last = Samples::default();
    for number in 0..REPEATS {
        // From the first word on one of them has the floor; it has no reason to wait.
        let waiting = usize::from(number > 0);
        if number > 0 {
            wait(&mut leader, &mut crowd[waiting..], &names[waiting..]).await?;
        }
        let post = json!({
            "sender": "@Leader", "room": "crowd", "content": format!("@all go {number}"), "timeout_seconds": 0,
        });
        let begun = Instant::now();
        leader.ask("send_message", &post).await?;
        let answers =
            crowd[waiting..].iter_mut().map(|agent| async { agent.answer().await.map(|_| begun.elapsed()) });
        let woken: Vec<Duration> = join_all(answers).await.into_iter().collect::<Result<_>>()?;
        last.add(woken.into_iter().max().unwrap_or_default());
        leader.answer().await?;
    }
    hub.server.kill().await?;
    let bare = if size >= ENOUGH { Some(bare_memory(size).await?) } else { None };
    Ok(figures(size, &last, memory, idle, bare))
}

async fn gather(hub: &Hub, leader: &mut Agent, names: &[String]) -> Result<Vec<Agent>> {
    let mut crowd = Vec::new();
    for name in names {
        let mut agent = Agent::over_http(hub.server.address).await?;
        agent
            .call("join_conversation", &json!({ "handle": name, "room": "crowd", "timeout_seconds": 0 }))
            .await?;
        crowd.push(agent);
    }
    // They have heard of those who came after them, so that what is measured is the word to all.
    for (agent, name) in crowd.iter_mut().zip(names) {
        for _ in 0..2 {
            let look = json!({ "handle": name, "room": "crowd", "timeout_seconds": 0 });
            agent.call("wait_for_turn", &look).await?;
        }
    }
    wait(leader, &mut crowd, names).await?;
    Ok(crowd)
}

/// All of them wait, and have begun to when this is done.
async fn wait(leader: &mut Agent, crowd: &mut [Agent], names: &[String]) -> Result<()> {
    for (agent, name) in crowd.iter_mut().zip(names) {
        agent
            .ask("wait_for_turn", &json!({ "handle": name, "room": "crowd", "timeout_seconds": 3_600 }))
            .await?;
    }
    loop {
        tokio::time::sleep(SETTLED).await;
        let state = leader.call("list_participants", &json!({ "room": "crowd" })).await?;
        let members = state["participants"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_waiting = |member: &&Value| member["is_waiting"] == true;
        if members.iter().filter(is_waiting).count() >= crowd.len() {
            return Ok(());
        }
    }
}

/// What so many waits cost a bare MCP server: bytes.
async fn bare_memory(size: usize) -> Result<u64> {
    let probe = Server::role("probe").await?;
    let mut first = Agent::over_http(probe.address).await?;
    first.call("look", &json!({})).await?;
    let before = probe.memory()?;
    let mut crowd = Vec::new();
    for _ in 0..size {
        let mut agent = Agent::over_http(probe.address).await?;
        agent.call("look", &json!({})).await?;
        agent.ask("wait", &json!({})).await?;
        crowd.push(agent);
    }
    tokio::time::sleep(SETTLED).await;
    let memory = probe.memory()?.saturating_sub(before);
    let mut waker = Connection::open(probe.address).await?;
    waker.write("/wake", "", b"{}").await?;
    waker.read().await?;
    for agent in &mut crowd {
        agent.answer().await?;
    }
    probe.kill().await?;
    Ok(memory)
}

fn figures(size: usize, last: &Samples, memory: u64, idle: f64, bare: Option<u64>) -> Vec<Figure> {
    let mut woken =
        Figure::new(format!("`@all` to {size} waiting agents, last one woken"), millis(last.median()), "ms");
    if let Some((_, budget)) = BUDGETS.iter().find(|(agents, _)| *agents == size) {
        woken = woken.at_most(*budget);
    }
    let mut figures = vec![woken];
    if let Some(bare) = bare {
        let each = |bytes: u64| number(bytes) / number(size as u64) / 1024.0;
        figures.push(
            Figure::new(format!("memory per waiting agent, of {size}"), each(memory), "KiB")
                .limit("bare MCP server", each(bare))
                .at_most(each(bare) + 8.0),
        );
        figures.push(
            Figure::new(format!("idle cost of {size} waiting agents"), idle, "% of a core").at_most(1.0),
        );
    }
    figures
}
