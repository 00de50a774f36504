//! Who was told how much.

use std::fmt;
use std::ops::Sub;
use std::sync::Mutex;

use tokio::sync::watch;

use super::agent::HANDLES;

/// What agents had to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub answers: u64,
    pub bytes: u64,
}

/// What all agents had to read, and how far their debate is.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    cost: Mutex<Cost>,
    turns: watch::Sender<u32>,
}

impl Ledger {
    /// An agent was told something.
    pub(super) fn told(&self, text: &str) {
        let mut cost = self.cost.lock().expect("no agent panicked");
        cost.answers += 1;
        cost.bytes += text.len() as u64;
    }

    /// The next turn of the debate; its number, from 1.
    pub(super) fn next_turn(&self) -> u32 {
        self.turns.send_modify(|turns| *turns += 1);
        *self.turns.borrow()
    }

    /// Waits for a turn of the debate.
    pub(super) async fn until(&self, turn: u32) {
        let mut turns = self.turns.subscribe();
        turns.wait_for(|turns| *turns >= turn).await.expect("the debate goes on");
        // Those whom the last word wakes hear it.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }

    pub(super) fn so_far(&self) -> Cost {
        *self.cost.lock().expect("no agent panicked")
    }
}

impl Cost {
    pub(super) fn per_agent(self) -> Self {
        let agents = HANDLES.len() as u64;
        Self { answers: self.answers.div_ceil(agents), bytes: self.bytes.div_ceil(agents) }
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self { answers: self.answers - before.answers, bytes: self.bytes - before.bytes }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} | {}", self.answers, self.bytes)
    }
}
