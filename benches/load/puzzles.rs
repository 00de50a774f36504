//! Puzzles: an action, its way to those who listen, many puzzles, and many timers, beside a bare round trip and a bare
//! commit. The budgets are what Puzzlebox, which has no journal, costs with a client of this kind.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use futures::future::{join_all, try_join_all};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::agent::Agent;
use super::http::Connection;
use super::limits::Commits;
use super::process::{Hub, Server};
use super::report::{Figure, Samples, millis, number};
use super::talk::round_trip;

const ROUNDS: usize = 8;
const ACTS: usize = 50;
const LISTENERS: usize = 200;
const FAN_OUTS: usize = 15;
const VANISHED: usize = 400;
/// Time in which the hub sees that connections have ended.
const SEEN: Duration = Duration::from_secs(1);
const STILL: Duration = Duration::from_secs(2);
/// Agents that add puzzles side by side.
const HANDS: usize = 20;
const LONG: Duration = Duration::from_hours(1);
const MEBI: f64 = 1_048_576.0;
const URI: &str = "puzzlebox://puzzle/";

/// Measures them, with so many puzzles and so many timers.
pub(crate) async fn measure(binary: &Path, folder: &Path, many: usize) -> Result<Vec<Figure>> {
    let mut figures = acts(binary, &folder.join("acts")).await?;
    figures.extend(crowd(binary, &folder.join("crowd"), many).await?);
    figures.extend(timers(binary, &folder.join("timers"), many).await?);
    Ok(figures)
}

/// Two states, and a way to and fro.
fn to_and_fro() -> Value {
    let state =
        |name, target| json!({ "name": name, "actions": { "go": { "name": "go", "targetState": target } } });
    json!({ "initialState": "A", "states": { "A": state("A", "B"), "B": state("B", "A") } })
}

/// A state that ends by itself.
fn timed(after: Duration) -> Value {
    let after = after.as_millis().to_string();
    json!({
        "initialState": "A",
        "states": {
            "A": { "name": "A", "actions": {}, "after": { after: "B" } },
            "B": { "name": "B", "actions": {} },
        },
    })
}

async fn add(agent: &mut Agent, machine: &Value) -> Result<String> {
    let added = agent.call("add_puzzle", &json!({ "config": machine })).await?;
    Ok(added["puzzleId"].as_str().context("it has an id")?.to_owned())
}

async fn act(agent: &mut Agent, puzzle: &str) -> Result<Duration> {
    let begun = Instant::now();
    agent.call("perform_action_on_puzzle", &json!({ "puzzleId": puzzle, "actionName": "go" })).await?;
    Ok(begun.elapsed())
}

/// Actions alone, with one who listens, with many, and with many who have gone.
async fn acts(binary: &Path, folder: &Path) -> Result<Vec<Figure>> {
    let hub = Hub::start(binary, folder).await?;
    let address = hub.server.address;
    let mut actor = Agent::over_http(address).await?;
    let [alone, heard] = [add(&mut actor, &to_and_fro()).await?, add(&mut actor, &to_and_fro()).await?];
    let echo = Server::role("echo").await?;
    let mut bare = Connection::open(echo.address).await?;
    let commits = Commits::open(folder)?;
    let mut listener = Agent::over_http(address).await?;
    listener.listen(&format!("{URI}{heard}")).await?;
    let mut samples: [Samples; 4] = Default::default();
    let [answered, notified, trips, committed] = &mut samples;
    for _ in 0..ROUNDS {
        for _ in 0..ACTS {
            answered.add(act(&mut actor, &alone).await?);
            let begun = Instant::now();
            let (acted, told) = tokio::join!(act(&mut actor, &heard), async {
                listener.told().await.map(|()| begun.elapsed())
            });
            acted?;
            notified.add(told?);
            trips.add(round_trip(&mut bare).await?);
            committed.add(commits.one()?);
        }
    }
    let nothing = millis(trips.median() + committed.median());
    let answered = answered.median();
    let mut figures = vec![
        Figure::time("action on a puzzle, answered, median", answered).limit("round trip + commit", nothing),
        Figure::new("actions a second, one after the other", 1.0 / answered.as_secs_f64(), "/s")
            .at_least(649.0),
        Figure::time("action → notified, median", notified.median())
            .limit("round trip + commit", nothing)
            .at_most(1.23),
    ];
    figures.push(fan_out(address, &mut actor).await?);
    figures.push(vanished(address, &mut actor, &alone).await?);
    hub.stop().await?;
    Ok(figures)
}

async fn fan_out(hub: SocketAddr, actor: &mut Agent) -> Result<Figure> {
    let puzzle = add(actor, &to_and_fro()).await?;
    let mut listeners = Vec::new();
    for _ in 0..LISTENERS {
        let mut listener = Agent::over_http(hub).await?;
        listener.listen(&format!("{URI}{puzzle}")).await?;
        listeners.push(listener);
    }
    let mut last = Samples::default();
    for _ in 0..FAN_OUTS {
        let begun = Instant::now();
        let told =
            listeners.iter_mut().map(|listener| async { listener.told().await.map(|()| begun.elapsed()) });
        let (acted, told) = tokio::join!(act(actor, &puzzle), join_all(told));
        acted?;
        let told: Vec<Duration> = told.into_iter().collect::<Result<_>>()?;
        last.add(told.into_iter().max().unwrap_or_default());
    }
    let what = format!("action → the last of {LISTENERS} subscribers notified, median");
    Ok(Figure::time(what, last.median()).at_most(96.0))
}

/// An action on a puzzle whose subscribers have gone without a word, beside one on a puzzle that had none.
async fn vanished(hub: SocketAddr, actor: &mut Agent, alone: &str) -> Result<Figure> {
    let puzzle = add(actor, &to_and_fro()).await?;
    for _ in 0..VANISHED {
        subscribe_and_vanish(hub, &format!("{URI}{puzzle}")).await?;
    }
    sleep(SEEN).await;
    let (mut with, mut without) = (Samples::default(), Samples::default());
    for _ in 0..ACTS * 2 {
        with.add(act(actor, &puzzle).await?);
        without.add(act(actor, alone).await?);
    }
    let without = millis(without.median());
    Ok(Figure::time(format!("action with {VANISHED} vanished subscribers, median"), with.median())
        .limit("without them", without)
        .at_most(1.2 * without))
}

/// A session of an older revision with a stream, whose client ends as if by a crash.
async fn subscribe_and_vanish(hub: SocketAddr, uri: &str) -> Result<()> {
    let mut client = Connection::open(hub).await?;
    let accept = "accept: application/json, text/event-stream\r\n";
    let about = json!({ "name": "load", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    client.write("/mcp", accept, hello.to_string().as_bytes()).await?;
    let session = client.read_in_session().await?.1.context("no session")?;
    let headers = format!("{accept}mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\n");
    for message in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": { "uri": uri } }),
    ] {
        client.write("/mcp", &headers, message.to_string().as_bytes()).await?;
        client.read().await?;
    }
    let mut stream = Connection::open(hub).await?;
    stream.request("GET", "/mcp", &headers, b"").await?;
    stream.begin_stream().await
}

/// Adds so many, by some agents side by side.
async fn add_many(hub: SocketAddr, many: usize, machine: &Value) -> Result<()> {
    let hands = (0..HANDS).map(|_| async {
        let mut agent = Agent::over_http(hub).await?;
        for _ in 0..many / HANDS {
            add(&mut agent, machine).await?;
        }
        anyhow::Ok(())
    });
    try_join_all(hands).await?;
    Ok(())
}

async fn crowd(binary: &Path, folder: &Path, many: usize) -> Result<Vec<Figure>> {
    let hub = Hub::start(binary, folder).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let before = hub.server.memory()?;
    add_many(hub.server.address, many, &to_and_fro()).await?;
    let memory = hub.server.memory()?;
    let (mut listed, mut resources) = (Samples::default(), Samples::default());
    for _ in 0..FAN_OUTS {
        let begun = Instant::now();
        agent.call("list_puzzles", &json!({})).await?;
        listed.add(begun.elapsed());
        let begun = Instant::now();
        agent.resources().await?;
        resources.add(begun.elapsed());
    }
    hub.stop().await?;
    let budget = 271.0 * number(many as u64) / 10_000.0;
    Ok(vec![
        Figure::new(
            format!("memory for {many} puzzles"),
            number(memory.saturating_sub(before)) / MEBI,
            "MiB",
        )
        .at_most(budget)
        .note(format!("the whole hub {:.0} MiB", number(memory) / MEBI)),
        Figure::time(format!("first page of {many} puzzles, median"), listed.median()),
        Figure::time(format!("first page of resources with {many} puzzles, median"), resources.median()),
    ])
}

/// Timers that are not due, and timers that come due while no hub runs.
async fn timers(binary: &Path, folder: &Path, many: usize) -> Result<Vec<Figure>> {
    let hub = Hub::start(binary, &folder.join("idle")).await?;
    add_many(hub.server.address, many, &timed(LONG)).await?;
    sleep(SEEN).await;
    let used = hub.server.cpu()?;
    sleep(STILL).await;
    let idle = hub.server.cpu()?.saturating_sub(used).div_duration_f64(STILL) * 100.0;
    hub.stop().await?;

    let folder = folder.join("due");
    let hub = Hub::start(binary, &folder).await?;
    let begun = Instant::now();
    let due = Duration::from_millis(2 * many as u64 + 2_000);
    add_many(hub.server.address, many, &timed(due)).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let last = add(&mut agent, &timed(due)).await?;
    let is_in_time = begun.elapsed() < due;
    hub.stop().await?;
    sleep_until(Instant::now() + due).await;
    let begun = Instant::now();
    let hub = Hub::start(binary, &folder).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let wait = json!({ "puzzleId": last, "states": ["B"], "timeout_seconds": 60 });
    agent.call("wait_for_puzzle", &wait).await?;
    let fired = begun.elapsed();
    hub.stop().await?;
    let mut all = Figure::time(format!("{many} timers that came due while no hub ran, all fired"), fired);
    if !is_in_time {
        all = all.note("some had fired before");
    }
    Ok(vec![
        Figure::new(format!("idle cost of {many} pending timers"), idle, "% of a core").at_most(1.0),
        all.note("from the start of the process"),
    ])
}
