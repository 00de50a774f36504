//! Two agents talk: how long it is from a post to the end of the other's wait, in rooms with a short and a long
//! past, over HTTP and over bridges, beside a bare round trip and a bare commit.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use tokio::time::Instant;

use super::agent::Agent;
use super::fixture::{Fixture, TALKERS, text};
use super::http::Connection;
use super::limits::Commits;
use super::process::{Hub, Server, memory};
use super::report::{Figure, Samples, millis, number};

/// The next one speaks so long after the last turn: less than anybody thinks, and enough for the note.
const THOUGHT: Duration = Duration::from_millis(4);
const ROUNDS: usize = 8;
const TURNS: usize = 25;
/// Turns until the note of a long room has been made.
const MOST_WARM_UP: usize = 400;
const WARM: Duration = Duration::from_millis(100);
const MEBI: f64 = 1_048_576.0;

/// Two agents in a room, one of whom has the floor.
struct Pair {
    room: String,
    agents: [Agent; 2],
    speaker: usize,
    said: u64,
}

impl Pair {
    /// Both call for the first time. Gives how long the first call takes, which brings the room into memory.
    async fn come(&mut self) -> Result<Duration> {
        let begun = Instant::now();
        let mut first = None;
        for (agent, handle) in self.agents.iter_mut().zip(TALKERS) {
            let look = json!({ "handle": handle, "room": self.room, "timeout_seconds": 0 });
            agent.call("wait_for_turn", &look).await?;
            first.get_or_insert(begun.elapsed());
        }
        Ok(first.unwrap_or_default())
    }

    /// One turn: the other waits, the speaker posts. Gives how long it is until the other knows.
    async fn turn(&mut self) -> Result<Duration> {
        let other = 1 - self.speaker;
        let wait = json!({ "handle": TALKERS[other], "room": self.room, "timeout_seconds": 60 });
        self.agents[other].ask("wait_for_turn", &wait).await?;
        tokio::time::sleep(THOUGHT).await;
        let begun = self.post(json!(0)).await?;
        self.agents[other].answer().await?;
        let woken = begun.elapsed();
        self.agents[self.speaker].answer().await?;
        self.speaker = other;
        Ok(woken)
    }

    async fn post(&mut self, timeout: serde_json::Value) -> Result<Instant> {
        self.said += 1;
        let (speaker, other) = (self.speaker, 1 - self.speaker);
        let post = json!({
            "sender": TALKERS[speaker], "room": self.room, "content": text(TALKERS[other], self.said),
            "timeout_seconds": timeout,
        });
        let begun = Instant::now();
        self.agents[speaker].ask("send_message", &post).await?;
        Ok(begun)
    }

    /// Turn after turn without a thought: each one answers by posting, and waits in that call.
    async fn back_and_forth(&mut self, turns: usize) -> Result<Samples> {
        let other = 1 - self.speaker;
        let wait = json!({ "handle": TALKERS[other], "room": self.room, "timeout_seconds": 60 });
        self.agents[other].ask("wait_for_turn", &wait).await?;
        let mut samples = Samples::default();
        for _ in 0..turns {
            let begun = self.post(json!(60)).await?;
            self.speaker = 1 - self.speaker;
            self.agents[self.speaker].answer().await?;
            samples.add(begun.elapsed());
        }
        // The last speaker still waits.
        self.post(json!(0)).await?;
        let last = self.speaker;
        self.speaker = 1 - last;
        self.agents[self.speaker].answer().await?;
        self.agents[last].answer().await?;
        Ok(samples)
    }

    async fn warm_up(&mut self) -> Result<()> {
        let mut quick = 0;
        for _ in 0..MOST_WARM_UP {
            let begun = Instant::now();
            self.turn().await?;
            quick = if begun.elapsed() < WARM { quick + 1 } else { 0 };
            if quick == 10 {
                break;
            }
        }
        Ok(())
    }
}

struct Room {
    messages: u64,
    pair: Pair,
    came: Duration,
    samples: Samples,
    written: u64,
}

/// Measures it in rooms with pasts of these lengths.
pub(crate) async fn measure(binary: &Path, folder: &Path, pasts: &[u64]) -> Result<Vec<Figure>> {
    let (data, notes) = (folder.join("data"), folder.join("notes"));
    std::fs::create_dir_all(&notes)?;
    let mut fixture = Fixture::open(&data)?;
    for messages in pasts {
        fixture.room(&format!("past-{messages}"), &notes, *messages).await?;
    }
    fixture.room("bridged", &notes, 10).await?;
    fixture.close().await;
    let hub = Hub::start(binary, folder).await?;
    let mut rooms = Vec::new();
    for messages in pasts {
        rooms.push(enter(&hub, *messages).await?);
    }
    let mut bridged = bridged(&hub).await?;
    let limits = side_by_side(&hub, folder, &mut rooms, &mut bridged).await?;
    let quick = rooms[0].pair.back_and_forth(200).await?;
    let mut figures = figures(&rooms, &limits);
    figures.push(
        Figure::time("back and forth without a thought, HTTP, median", quick.median())
            .note("a speaker that is answered at once still waits for the note to hold its own words"),
    );
    figures.extend(over_bridge(&bridged, &limits)?);
    hub.stop().await?;
    Ok(figures)
}

async fn enter(hub: &Hub, messages: u64) -> Result<Room> {
    let address = hub.server.address;
    let agents = [Agent::over_http(address).await?, Agent::over_http(address).await?];
    let mut pair = Pair { room: format!("past-{messages}"), agents, speaker: 0, said: messages };
    let came = pair.come().await?;
    pair.warm_up().await?;
    Ok(Room { messages, pair, came, samples: Samples::default(), written: 0 })
}

async fn bridged(hub: &Hub) -> Result<Room> {
    let one = Agent::over_bridge(&hub.binary, &hub.data, &hub.notes).await?;
    let other = Agent::over_bridge(&hub.binary, &hub.data, &hub.notes).await?;
    let mut pair = Pair { room: "bridged".to_owned(), agents: [one, other], speaker: 0, said: 10 };
    let came = pair.come().await?;
    pair.warm_up().await?;
    Ok(Room { messages: 10, pair, came, samples: Samples::default(), written: 0 })
}

#[derive(Default)]
struct Limits {
    echo: Samples,
    commit: Samples,
}

/// All of them in turn, a few at a time, so that what else the machine does meets each alike.
async fn side_by_side(hub: &Hub, folder: &Path, rooms: &mut [Room], bridged: &mut Room) -> Result<Limits> {
    let echo = Server::role("echo").await?;
    let mut connection = Connection::open(echo.address).await?;
    let commits = Commits::open(folder)?;
    let mut limits = Limits::default();
    for _ in 0..ROUNDS {
        for room in rooms.iter_mut().chain(std::iter::once(&mut *bridged)) {
            let before = hub.server.written()?;
            for _ in 0..TURNS {
                room.samples.add(room.pair.turn().await?);
            }
            room.written += hub.server.written()? - before;
        }
        for _ in 0..TURNS {
            tokio::time::sleep(THOUGHT).await;
            limits.echo.add(round_trip(&mut connection).await?);
            tokio::time::sleep(THOUGHT).await;
            limits.commit.add(commits.one()?);
        }
    }
    Ok(limits)
}

async fn round_trip(connection: &mut Connection) -> Result<Duration> {
    let begun = Instant::now();
    connection.write("/", "", &[b' '; 600]).await?;
    connection.read().await?;
    Ok(begun.elapsed())
}

fn figures(rooms: &[Room], limits: &Limits) -> Vec<Figure> {
    let (echo, commit) = (limits.echo.median(), limits.commit.median());
    let bare = millis(echo + commit);
    let mut figures =
        vec![Figure::time("bare round trip, median", echo), Figure::time("bare durable commit, median", commit)];
    let first = rooms.first().map_or(bare, |room| millis(room.samples.median()));
    for room in rooms {
        let median = millis(room.samples.median());
        figures.push(
            Figure::new(format!("post → wake, HTTP, at message {}, median", room.messages), median, "ms")
                .limit("round trip + commit", bare)
                .at_most(1.5 * bare)
                .note(format!(
                    "p99 {:.2} ms; {:.2} × that of the shortest room",
                    millis(room.samples.p99()),
                    median / first
                )),
        );
        let turns = number((ROUNDS * TURNS) as u64);
        figures.push(
            Figure::new(
                format!("written per turn at message {}", room.messages),
                number(room.written) / turns / 1024.0,
                "KiB",
            )
            .note("journal, note, and both answers"),
        );
        figures.push(Figure::time(format!("room of {} messages comes into memory", room.messages), room.came));
    }
    figures
}

fn over_bridge(room: &Room, limits: &Limits) -> Result<Vec<Figure>> {
    let bare = millis(2 * limits.echo.median() + limits.commit.median());
    let size = memory(room.pair.agents[0].bridge().context("it has a bridge")?)?;
    Ok(vec![
        Figure::time("post → wake, stdio bridges, median", room.samples.median())
            .limit("2 round trips + commit", bare)
            .at_most(1.5 * bare)
            .note(format!("p99 {:.2} ms", millis(room.samples.p99()))),
        Figure::new("memory of a stdio bridge", number(size) / MEBI, "MiB").at_most(15.0),
    ])
}
