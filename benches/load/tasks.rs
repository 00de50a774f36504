//! Tasks: records in short and long logs, and lists with few and many tasks, beside each other.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::agent::Agent;
use super::process::Hub;
use super::report::{Figure, Samples};

const ROUNDS: usize = 40;
/// Agents that make tasks side by side.
const HANDS: usize = 20;
const OPEN: usize = 10;
const MANY: usize = 1_000;
/// In so long, a hub that rests uses next to nothing.
const STILL: Duration = Duration::from_secs(1);
/// Records that a reader of the end of a log asks for.
const TAIL: u64 = 5;

struct Log {
    task: String,
    records: u64,
    published: Samples,
    read: Samples,
}

/// Measures logs of these lengths, and lists.
pub(crate) async fn measure(binary: &Path, folder: &Path, lengths: &[u64]) -> Result<Vec<Figure>> {
    let mut figures = logs(binary, &folder.join("logs"), lengths).await?;
    figures.extend(lists(binary, &folder.join("lists")).await?);
    Ok(figures)
}

/// All tasks of a hub live in one room, which has nothing else to do.
async fn start(binary: &Path, folder: &Path) -> Result<(Hub, Agent)> {
    let hub = Hub::start(binary, folder).await?;
    let mut agent = Agent::over_http(hub.server.address).await?;
    let room = json!({ "filepath": "work.md", "room": "work", "participants": ["@Ann", "@Ben"] });
    agent.call("init_conversation", &room).await?;
    Ok((hub, agent))
}

async fn create(agent: &mut Agent) -> Result<String> {
    let made = json!({
        "title": "Work", "description": "To be done.", "creator": "@Ann", "role": "architect", "flow": "solo",
        "gate": "open", "room": "work", "cast": { "architect": "@Ann", "executor": "@Ann", "reviewer": "@Ben" },
    });
    let made = agent.call("context_create", &made).await?;
    Ok(made["task_id"].as_str().context("it has an id")?.to_owned())
}

async fn publish(agent: &mut Agent, task: &str) -> Result<Duration> {
    let payload = json!({ "summary": "a step", "body": "what was done in it; ".repeat(10) });
    let record = json!({
        "task_id": task, "role": "executor", "content_type": "note", "payload": payload, "agent": "@Ann",
    });
    timed(agent, "context_publish", &record).await
}

async fn timed(agent: &mut Agent, tool: &str, arguments: &Value) -> Result<Duration> {
    let begun = Instant::now();
    agent.call(tool, arguments).await?;
    Ok(begun.elapsed())
}

async fn logs(binary: &Path, folder: &Path, lengths: &[u64]) -> Result<Vec<Figure>> {
    let (hub, mut agent) = start(binary, folder).await?;
    let mut logs = Vec::new();
    for records in lengths {
        let task = create(&mut agent).await?;
        for _ in 0..*records {
            publish(&mut agent, &task).await?;
        }
        logs.push(Log { task, records: *records, published: Samples::default(), read: Samples::default() });
    }
    for _ in 0..ROUNDS {
        for log in &mut logs {
            log.published.add(publish(&mut agent, &log.task).await?);
            log.records += 1;
            let tail = json!({ "task_id": log.task, "since_version": log.records - TAIL });
            log.read.add(timed(&mut agent, "context_read", &tail).await?);
        }
    }
    hub.stop().await?;
    let mut figures = Vec::new();
    for (log, records) in logs.iter().zip(lengths) {
        figures.push(Figure::time(
            format!("record {records} of a task published, median"),
            log.published.median(),
        ));
        figures.push(Figure::time(format!("the end of a log of {records} read, median"), log.read.median()));
    }
    if let ([shortest, .., longest], [first, .., last]) = (&logs[..], lengths) {
        let growth = longest.published.median().div_duration_f64(shortest.published.median());
        figures.push(Figure::new(format!("record {last} against {first}"), growth, "×").at_most(1.2));
        let growth = longest.read.median().div_duration_f64(shortest.read.median());
        figures.push(
            Figure::new(format!("reading the end of {last} against {first}"), growth, "×").at_most(1.2),
        );
    }
    Ok(figures)
}

/// A hub with few tasks, and one that had many more; then both with many.
async fn lists(binary: &Path, folder: &Path) -> Result<Vec<Figure>> {
    let (plain, mut first) = start(binary, &folder.join("plain")).await?;
    let (worn, mut second) = start(binary, &folder.join("worn")).await?;
    for agent in [&mut first, &mut second] {
        for _ in 0..OPEN {
            create(agent).await?;
        }
    }
    make(&worn, true).await?;
    rest(&worn).await?;
    let (mut few, mut closed, mut many) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        few.add(timed(&mut first, "context_list", &json!({})).await?);
        closed.add(timed(&mut second, "context_list", &json!({})).await?);
    }
    make(&plain, false).await?;
    rest(&plain).await?;
    for _ in 0..ROUNDS {
        many.add(timed(&mut first, "context_list", &json!({})).await?);
    }
    plain.stop().await?;
    worn.stop().await?;
    let growth = closed.median().div_duration_f64(few.median());
    Ok(vec![
        Figure::time(format!("list of {OPEN} open tasks, median"), few.median()),
        Figure::time(format!("the same with {MANY} closed ones beside, median"), closed.median()),
        Figure::new("with closed ones against without", growth, "×").at_most(1.2),
        Figure::time(format!("first page of {MANY} open tasks, median"), many.median()),
    ])
}

/// Waits until a hub has nothing left to do.
async fn rest(hub: &Hub) -> Result<()> {
    loop {
        let before = hub.server.cpu()?;
        tokio::time::sleep(STILL).await;
        if hub.server.cpu()? <= before + STILL / 100 {
            return Ok(());
        }
    }
}

/// Makes many tasks.
async fn make(hub: &Hub, is_closed: bool) -> Result<()> {
    let hands = (0..HANDS).map(|_| async {
        let mut agent = Agent::over_http(hub.server.address).await?;
        for _ in 0..MANY / HANDS {
            let task = create(&mut agent).await?;
            if is_closed {
                let close = json!({ "task_id": task, "decision": "close", "by": "@Ann" });
                let state = agent.call("context_decide", &close).await?;
                ensure!(state["status"] == "closed", "not closed: {state}");
            }
        }
        anyhow::Ok(())
    });
    try_join_all(hands).await?;
    Ok(())
}
