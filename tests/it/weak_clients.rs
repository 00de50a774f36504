//! Weak clients finish a debate: language models that are not careful, and a person who is not quick.
//!
//! Time is injected: the runtime's clock stands still while anybody works. The players know the hub only by
//! its tools, through a [`door::Door`].

mod agent;
mod chance;
mod door;
mod habits;
mod in_process;
mod judge;
mod person;
mod record;
mod table;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use habits::trios;
use in_process::InProcess;
use record::Player;

/// Seeds that every run plays. `TURNROOM_SEEDS` plays more; `TURNROOM_SEED` plays one, and shows its whole trace.
const SEEDS: u64 = 100;

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
    let (mut spent, mut failed) = (BTreeMap::<&str, Spent>::new(), Vec::new());
    let trios = trios();
    for seed in seeds() {
        let kinds = trios[usize::try_from(seed).unwrap() % trios.len()];
        let door = Arc::new(InProcess::open().await);
        match table::play(door.clone(), seed, kinds).await {
            Ok(players) => {
                for (kind, player) in players {
                    spent.entry(kind).or_default().add(&player);
                }
            }
            Err(fault) => failed.push(fault),
        }
        door.shut_down().await;
    }
    println!(
        "{:10} {:>7} {:>6} {:>8} {:>8} {:>6}",
        "player", "debates", "calls", "messages", "bytes", "again"
    );
    for (kind, spent) in &spent {
        println!("{}", spent.line(kind));
    }
    if let Some(first) = failed.first() {
        let all: Vec<_> = failed.iter().filter_map(|fault| fault.lines().next()).collect();
        panic!("{first}\n{} seeds failed:\n{}", all.len(), all.join("\n"));
    }
}

fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("TURNROOM_SEED") {
        Some(only) => only..only + 1,
        None => 0..number("TURNROOM_SEEDS").unwrap_or(SEEDS),
    }
}
