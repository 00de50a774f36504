//! What is due in puzzles: `after` of a state, and guards that nobody has answered in time.
//!
//! One look-out for all of them: it sleeps until the first is due, however many wait.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt};
use tokio::sync::Notify;

use super::plain;
use crate::hub::again::AGAIN;
use crate::hub::aggregate::Listed;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::puzzle::Refusal;

/// Clocks may be set: nothing sleeps for longer.
const MAX_SLEEP: Duration = Duration::from_mins(1);
/// Puzzles that are loaded side by side.
const AT_ONCE: usize = 8;

/// When something is due, in which puzzle.
#[derive(Debug, Default)]
pub(super) struct Timers {
    due: Mutex<Due>,
    /// The first may be another than before.
    rung: Notify,
}

#[derive(Debug, Default)]
struct Due {
    in_order: BTreeSet<(DateTime<Utc>, String)>,
    by_puzzle: HashMap<String, DateTime<Utc>>,
}

impl Timers {
    /// When something is due in a puzzle next.
    pub(super) fn set(&self, puzzle: &str, at: Option<DateTime<Utc>>) {
        let mut due = plain(&self.due);
        let first = due.in_order.first().cloned();
        if let Some(before) = due.by_puzzle.remove(puzzle) {
            due.in_order.remove(&(before, puzzle.to_owned()));
        }
        if let Some(at) = at {
            due.by_puzzle.insert(puzzle.to_owned(), at);
            due.in_order.insert((at, puzzle.to_owned()));
        }
        if due.in_order.first() != first.as_ref() {
            self.rung.notify_one();
        }
    }

    fn first(&self) -> Option<(DateTime<Utc>, String)> {
        plain(&self.due).in_order.first().cloned()
    }
}

/// Learns what waits in all puzzles, tells rooms what they may have missed, and looks after what is due, until the hub
/// stops.
pub(in crate::hub) fn start(shared: &Arc<Shared>) {
    let (shared, tracker, stop) = (Arc::clone(shared), shared.tasks.clone(), shared.stop.clone());
    let work = async move {
        let learn = async {
            while let Err(error) = shared.learn_puzzles().await {
                tracing::warn!(%error, "what is due in puzzles is not known yet");
                tokio::time::sleep(AGAIN).await;
            }
        };
        // Only a hub that tells rooms what they have missed leaves something undone.
        if shared.settings.is_after_crash {
            shared.whole(learn).await;
        } else {
            learn.await;
        }
        match look_out(&shared).await {}
    };
    tracker.spawn(async move { stop.run_until_cancelled(work).await });
}

async fn look_out(shared: &Arc<Shared>) -> Infallible {
    loop {
        let timers = &shared.puzzles.timers;
        let Some((at, puzzle)) = timers.first() else {
            timers.rung.notified().await;
            continue;
        };
        let left = (at - shared.clock.now().wall).to_std().unwrap_or_default();
        if !left.is_zero() {
            tokio::select! {
                () = timers.rung.notified() => {}
                () = tokio::time::sleep(left.min(MAX_SLEEP)) => {}
            }
            continue;
        }
        if let Err(error) = shared.whole(shared.tick(&puzzle)).await {
            tracing::warn!(%puzzle, %error, "what is due in a puzzle cannot be done now");
            shared.note_damage_of_puzzle(&puzzle, &error);
            let again = error.is_of_a_disk().then(|| shared.clock.now().wall + AGAIN);
            timers.set(&puzzle, again);
        }
    }
}

impl Shared {
    /// Does what is due in a puzzle.
    async fn tick(self: &Arc<Self>, puzzle: &str) -> Result<(), HubError> {
        let live = match self.puzzle(puzzle).await {
            Err(HubError::Puzzle { refusal: Refusal::Removed, .. }) => {
                self.puzzles.timers.set(puzzle, None);
                return Ok(());
            }
            live => live?,
        };
        let now = self.clock.now().wall;
        let mut locked = live.lock(&*self.journal).await?;
        let events = locked.decide(now, |puzzle| Ok::<_, HubError>(puzzle.tick(now))).await?;
        self.puzzle_happened(&live, &locked, &events).await;
        if events.is_empty() {
            // It stands elsewhere than was known here; looked at now, it has done what was due. Or a program has to let
            // it pass, which is asked meanwhile.
            self.puzzle_changed(locked.state()).await;
            let due = locked.state().due();
            self.puzzles.timers.set(puzzle, due.map(|at| if at > now { at } else { now + AGAIN }));
        }
        Ok(())
    }

    /// Learns what waits in all puzzles.
    async fn learn_puzzles(self: &Arc<Self>) -> Result<(), HubError> {
        let listed: Vec<Listed> = self.puzzle_list().await?.open().cloned().collect();
        let learnt = stream::iter(listed).for_each_concurrent(AT_ONCE, async |listed| {
            if let Err(error) = self.learn_puzzle(&listed).await {
                tracing::warn!(puzzle = %listed.id, %error, "what waits in a puzzle is not known");
                self.note_damage_of_puzzle(&listed.id, &error);
            }
        });
        learnt.await;
        Ok(())
    }

    async fn learn_puzzle(self: &Arc<Self>, listed: &Listed) -> Result<(), HubError> {
        let live = self.puzzles.shelf.of(listed, |_| {});
        let locked = live.lock(&*self.journal).await?;
        let puzzle = locked.state();
        if puzzle.is_removed() {
            // The hub died before it was listed so.
            return self.puzzles.shelf.close(&*self.journal, &listed.id, self.clock.now().wall).await;
        }
        self.puzzle_changed(puzzle).await;
        if self.settings.is_after_crash {
            self.tell_room_of(&live, puzzle, &[]).await;
        }
        Ok(())
    }
}
