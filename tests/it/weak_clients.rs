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

const SEEDS: u64 = 100;

/// What one kind of player spent, over all seeds.
#[derive(Default)]
struct Spent {
    debates: u64,
    calls: u64,
    bytes: u64,
    posts: u64,
    again: u64,
}

#[tokio::test(start_paused = true)]
async fn weak_clients_finish_a_debate() {
    let (mut spent, mut failed) = (BTreeMap::<&str, Spent>::new(), Vec::new());
    let only: Option<u64> = std::env::var("TURNROOM_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in (0..SEEDS).filter(|seed| only.is_none_or(|only| only == *seed)) {
        let trios = trios();
        let kinds = trios[usize::try_from(seed).unwrap() % trios.len()];
        let door = Arc::new(InProcess::open().await);
        match table::play(door.clone(), seed, kinds).await {
            Ok(players) => {
                for (kind, player) in players {
                    let spent = spent.entry(kind).or_default();
                    spent.debates += 1;
                    spent.calls += player.calls;
                    spent.bytes += player.bytes;
                    spent.posts += player.believed.len() as u64;
                    spent.again += player.again;
                }
            }
            Err(fault) => failed.push((seed, fault)),
        }
        door.shut_down().await;
    }
    println!(
        "{:10} {:>7} {:>6} {:>8} {:>10} {:>10}",
        "player", "debates", "calls", "messages", "bytes", "came again"
    );
    for (kind, spent) in &spent {
        let Spent { debates, calls, bytes, posts, again } = spent;
        let each = |all: &u64| all / debates;
        println!(
            "{kind:10} {debates:>7} {:>6} {:>8} {:>10} {again:>10}",
            each(calls),
            each(posts),
            each(bytes)
        );
    }
    let seeds: Vec<_> = failed.iter().map(|(seed, _)| *seed).collect();
    let firsts: Vec<_> = failed
        .iter()
        .map(|(seed, fault)| format!("{seed}: {}", fault.lines().next().unwrap_or_default()))
        .collect();
    if let Some((_, first)) = failed.first() {
        panic!("{first}\n\nfailed seeds: {seeds:?}\n{}", firsts.join("\n"));
    }
}
