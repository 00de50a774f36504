//! Weak clients finish a debate: language models that are not careful, and a person who is not quick.
//!
//! The players know the hub only by its tools, through a [`door::Door`]. In process time is injected: the runtime's
//! clock stands still while anybody works. Against the binary time is real, and short.

mod agent;
mod chance;
mod door;
mod habits;
mod in_process;
mod judge;
#[cfg(unix)]
mod over_http;
mod pace;
mod person;
mod record;
#[cfg(unix)]
mod session;
mod table;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use habits::{Kind, trios};
use in_process::InProcess;
#[cfg(unix)]
use over_http::OverHttp;
use pace::Pace;
use record::Player;

/// Seeds that every run plays. `TURNROOM_SEEDS` plays more; `TURNROOM_SEED` plays one, and shows its whole trace.
const SEEDS: u64 = 100;
/// Seeds that every run plays against the binary, side by side. `TURNROOM_REAL_SEEDS` plays more.
#[cfg(unix)]
const REAL_SEEDS: u64 = 5;

/// What each player of a debate did, or what went wrong.
type Played = Result<BTreeMap<&'static str, Player>, String>;

/// What one kind of player spent, over all seeds.
#[derive(Default)]
struct Spent {
    debates: u64,
    calls: u64,
    bytes: u64,
    messages: u64,
    again: u64,
}

impl Spent {
    fn add(&mut self, player: &Player) {
        self.debates += 1;
        self.calls += player.calls;
        self.bytes += player.bytes;
        self.messages += player.believed.len() as u64;
        self.again += player.again;
    }

    /// One line of the table: what a debate costs on average.
    fn line(&self, kind: &str) -> String {
        let each = |all: u64| all / self.debates.max(1);
        let (calls, messages, bytes) = (each(self.calls), each(self.messages), each(self.bytes));
        format!("{kind:10} {:>7} {calls:>6} {messages:>8} {bytes:>8} {:>6}", self.debates, self.again)
    }
}

#[tokio::test(start_paused = true)]
async fn weak_clients_finish_a_debate() {
    let mut played = Vec::new();
    for seed in seeds("TURNROOM_SEEDS", SEEDS) {
        let door = Arc::new(InProcess::open().await);
        played.push(table::play(door.clone(), Pace::CALM, seed, kinds(seed)).await);
        door.shut_down().await;
    }
    println!("{}", report(played));
}

#[cfg(unix)]
#[tokio::test]
async fn weak_clients_finish_a_debate_against_the_binary() {
    let debates = seeds("TURNROOM_REAL_SEEDS", REAL_SEEDS).map(async |seed| {
        let door = Arc::new(OverHttp::open().await);
        table::play(door, Pace::HURRIED, seed, kinds(seed)).await
    });
    println!("{}", report(futures::future::join_all(debates).await));
}

fn kinds(seed: u64) -> [Kind; 3] {
    let trios = trios();
    trios[usize::try_from(seed).expect("a small number") % trios.len()]
}

/// A table of what each kind of player spent.
///
/// # Panics
///
/// When a debate was not as it must be.
fn report(played: Vec<Played>) -> String {
    let (mut spent, mut failed) = (BTreeMap::<&str, Spent>::new(), Vec::new());
    for debate in played {
        match debate {
            Ok(players) => {
                for (kind, player) in players {
                    spent.entry(kind).or_default().add(&player);
                }
            }
            Err(fault) => failed.push(fault),
        }
    }
    let head = format!(
        "{:10} {:>7} {:>6} {:>8} {:>8} {:>6}",
        "player", "debates", "calls", "messages", "bytes", "again"
    );
    let table = spent.iter().fold(head, |table, (kind, spent)| table + "\n" + &spent.line(kind));
    if let Some(first) = failed.first() {
        let all: Vec<_> = failed.iter().filter_map(|fault| fault.lines().next()).collect();
        panic!("{table}\n{first}\n{} seeds failed:\n{}", all.len(), all.join("\n"));
    }
    table
}

fn seeds(wish: &str, usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("TURNROOM_SEED") {
        Some(only) => only..only + 1,
        None => 0..number(wish).unwrap_or(usual),
    }
}
