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

/// A pause before a turn: less than anybody thinks, and enough for the note. It also puts the machine to sleep, so
/// that such a turn costs what the waking of its threads costs.
const THOUGHT: Duration = Duration::from_millis(4);
const ROUNDS: usize = 8;
const TURNS: usize = 40;
const PAUSED_TURNS: usize = 12;
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

    /// One turn after a pause: the other waits, the speaker posts. Gives how long it is until the other knows.
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
    async fn turns(&mut self, turns: usize, samples: &mut Samples) -> Result<()> {
        let other = 1 - self.speaker;
        let wait = json!({ "handle": TALKERS[other], "room": self.room, "timeout_seconds": 60 });
        self.agents[other].ask("wait_for_turn", &wait).await?;
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
        Ok(())
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
    /// Turn after turn.
    turns: Samples,
    /// Turns after a pause.
    paused: Samples,
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
    let mut figures = figures(&rooms, &limits);
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
    Ok(Room::of(messages, pair, came))
}

async fn bridged(hub: &Hub) -> Result<Room> {
    let one = Agent::over_bridge(&hub.binary, &hub.data, &hub.notes).await?;
    let other = Agent::over_bridge(&hub.binary, &hub.data, &hub.notes).await?;
    let mut pair = Pair { room: "bridged".to_owned(), agents: [one, other], speaker: 0, said: 10 };
    let came = pair.come().await?;
    pair.warm_up().await?;
    Ok(Room::of(10, pair, came))
}

impl Room {
    fn of(messages: u64, pair: Pair, came: Duration) -> Self {
        Self { messages, pair, came, turns: Samples::default(), paused: Samples::default(), written: 0 }
    }

    async fn talk(&mut self, hub: &Hub) -> Result<()> {
        let before = hub.server.written()?;
        self.pair.turns(TURNS, &mut self.turns).await?;
        self.written += hub.server.written()? - before;
        for _ in 0..PAUSED_TURNS {
            self.paused.add(self.pair.turn().await?);
        }
        Ok(())
    }
}

/// What is compared with, measured in the same two ways.
#[derive(Default)]
struct Limits {
    echo: Samples,
    commit: Samples,
    paused_echo: Samples,
    paused_commit: Samples,
}

/// All of them in turn, a few at a time, so that what else the machine does meets each alike.
async fn side_by_side(hub: &Hub, folder: &Path, rooms: &mut [Room], bridged: &mut Room) -> Result<Limits> {
    let echo = Server::role("echo").await?;
    let mut connection = Connection::open(echo.address).await?;
    let commits = Commits::open(folder)?;
    let mut limits = Limits::default();
    for _ in 0..ROUNDS {
        for room in rooms.iter_mut().chain(std::iter::once(&mut *bridged)) {
            room.talk(hub).await?;
        }
        for _ in 0..TURNS {
            limits.echo.add(round_trip(&mut connection).await?);
        }
        for _ in 0..TURNS {
            limits.commit.add(commits.one()?);
        }
        for _ in 0..PAUSED_TURNS {
            tokio::time::sleep(THOUGHT).await;
            limits.paused_echo.add(round_trip(&mut connection).await?);
            tokio::time::sleep(THOUGHT).await;
            limits.paused_commit.add(commits.one()?);
        }
    }
    Ok(limits)
}

pub(crate) async fn round_trip(connection: &mut Connection) -> Result<Duration> {
    let begun = Instant::now();
    connection.write("/", "", &[b' '; 600]).await?;
    connection.read().await?;
    Ok(begun.elapsed())
}

fn figures(rooms: &[Room], limits: &Limits) -> Vec<Figure> {
    let mut figures = vec![
        Figure::time("bare round trip, median", limits.echo.median()),
        Figure::time("bare durable commit, median", limits.commit.median()),
    ];
    for room in rooms {
        let place = format!("HTTP, at message {}", room.messages);
        figures.extend(woken(&place, room, limits, 1));
        let turns = number((ROUNDS * TURNS) as u64);
        let written = number(room.written) / turns / 1024.0;
        figures.push(
            Figure::new(format!("written per turn at message {}", room.messages), written, "KiB")
                .note("journal, note, and both answers"),
        );
        figures
            .push(Figure::time(format!("room of {} messages comes into memory", room.messages), room.came));
    }
    if let [shortest, .., longest] = rooms {
        let growth = longest.turns.median().div_duration_f64(shortest.turns.median());
        let name = format!("a turn at message {} against {}", longest.messages, shortest.messages);
        figures.push(Figure::new(name, growth, "×").at_most(1.2));
    }
    figures
}

/// How long a post takes to wake the other, beside so many round trips and a commit.
fn woken(place: &str, room: &Room, limits: &Limits, trips: u32) -> Vec<Figure> {
    let bare = millis(trips * limits.echo.median() + limits.commit.median());
    let paused = millis(trips * limits.paused_echo.median() + limits.paused_commit.median());
    let limit = if trips == 1 { "round trip + commit" } else { "2 round trips + commit" };
    vec![
        Figure::time(format!("post → wake, {place}, median"), room.turns.median())
            .limit(limit, bare)
            .at_most(1.5 * bare)
            .note(format!("p99 {:.2} ms", millis(room.turns.p99()))),
        Figure::time(format!("the same after a pause, {place}, median"), room.paused.median())
            .limit(format!("{limit} after a pause"), paused)
            .note(format!("p99 {:.2} ms", millis(room.paused.p99()))),
    ]
}

fn over_bridge(room: &Room, limits: &Limits) -> Result<Vec<Figure>> {
    let size = memory(room.pair.agents[0].bridge().context("it has a bridge")?)?;
    let mut figures = woken("stdio bridges", room, limits, 2);
    figures.push(Figure::new("memory of a stdio bridge", number(size) / MEBI, "MiB").at_most(15.0));
    Ok(figures)
}
