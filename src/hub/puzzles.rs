//! Puzzles: shared state machines that clients watch and act on.
//!
//! As a task, a puzzle is a stream of the journal, and decides by itself; here it is found, locked, stored, and told of.
//! What it asks of clients and programs is put to them outside its lock, and what they say is decided anew.

mod act;
mod add;
mod damaged;
mod items;
mod list;
mod live;
mod request;
mod room;
mod settle;
mod timers;
mod wait;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex as PlainMutex, MutexGuard};

use tokio::sync::{Mutex, watch};

use super::Hub;
use super::aggregate::{List, Listed, Making, plain};
use super::error::HubError;
use super::item::Item;
use super::shared::Shared;
use crate::journal::StreamId;
use crate::puzzle::Puzzle;
use live::LivePuzzle;
use timers::Timers;

pub use act::{Judge, NoJudge, Ruling};
pub use damaged::DamagedPuzzle;
pub use request::{
    ActOnPuzzle, Acted, AddPuzzle, AddedPuzzle, AnswerGuard, Happened, ListPuzzles, PuzzlePage, PuzzleState,
    WaitPuzzle,
};
pub(super) use timers::start;

/// The puzzles of a hub.
#[derive(Debug, Default)]
pub(super) struct Puzzles {
    list: Mutex<List<Puzzle>>,
    making: Making,
    /// Those that somebody has named since the start.
    live: PlainMutex<HashMap<String, Arc<LivePuzzle>>>,
    timers: Timers,
    /// What waits for people, by puzzle.
    items: PlainMutex<BTreeMap<String, Vec<Item>>>,
    /// Changes with everything that happens in any puzzle.
    changes: watch::Sender<u64>,
    /// Changes when one is added or removed.
    list_changes: watch::Sender<u64>,
}

impl Hub {
    /// How a puzzle stands.
    pub async fn puzzle(&self, puzzle: &str) -> Result<PuzzleState, HubError> {
        self.look_at_puzzle(puzzle, PuzzleState::of).await
    }

    /// Looks at a puzzle, which stays locked meanwhile: the look is short, and waits for nothing.
    pub async fn look_at_puzzle<T>(
        &self,
        puzzle: &str,
        look: impl FnOnce(&Puzzle) -> T,
    ) -> Result<T, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        let locked = live.log.lock(&*self.shared.journal).await?;
        Ok(look(locked.state()))
    }

    /// A watch that changes with everything that happens in one puzzle.
    pub async fn changes_of_puzzle(&self, puzzle: &str) -> Result<watch::Receiver<u64>, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        // That it is loaded is no change.
        drop(live.log.lock(&*self.shared.journal).await?);
        Ok(live.log.changes.subscribe())
    }

    /// Changes with everything that happens in any puzzle.
    #[must_use]
    pub fn puzzle_changes(&self) -> watch::Receiver<u64> {
        self.shared.puzzles.changes.subscribe()
    }

    /// Changes when a puzzle is added or removed.
    #[must_use]
    pub fn puzzle_list_changes(&self) -> watch::Receiver<u64> {
        self.shared.puzzles.list_changes.subscribe()
    }
}

impl Shared {
    async fn puzzle_list(&self) -> Result<tokio::sync::MutexGuard<'_, List<Puzzle>>, HubError> {
        let mut list = self.puzzles.list.lock().await;
        if list.is_unread() {
            list.catch_up(&*self.journal).await.map_err(HubError::NotReadable)?;
        }
        Ok(list)
    }

    /// The puzzle of this id.
    async fn puzzle(&self, id: &str) -> Result<Arc<LivePuzzle>, HubError> {
        if let Some(live) = self.puzzles.live().get(id) {
            return Ok(Arc::clone(live));
        }
        let list = self.puzzle_list().await?;
        let listed = list.get(id).filter(|listed| listed.is_open);
        let listed = listed.ok_or_else(|| HubError::NoSuchPuzzle(id.to_owned()))?;
        Ok(self.puzzles.of(listed))
    }

    /// Something has happened in a puzzle: what waits in it, and what is due, may be other than before.
    fn puzzle_changed(&self, puzzle: &Puzzle) {
        let id = &puzzle.about().puzzle;
        self.puzzles.timers.set(id, puzzle.due());
        self.puzzles.take_items(id, items::of(puzzle));
        self.note_of_puzzle_changed(puzzle);
        self.puzzles.changes.send_modify(|changes| *changes += 1);
        self.stirs.stir_elsewhere();
    }

    /// What a puzzle wants of people stands in the reply note of its room.
    fn note_of_puzzle_changed(&self, puzzle: &Puzzle) {
        let stream = puzzle.about().room_stream.as_deref().map(StreamId::parse);
        if let Some(Ok(stream)) = stream {
            self.replies.room_changed(&stream);
        }
    }
}

impl Puzzles {
    /// The puzzle, in memory or to be loaded when it is locked.
    fn of(&self, listed: &Listed) -> Arc<LivePuzzle> {
        let made = || LivePuzzle::new(listed.id.clone(), listed.stream.clone());
        Arc::clone(self.live().entry(listed.id.clone()).or_insert_with(made))
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Arc<LivePuzzle>>> {
        plain(&self.live)
    }

    /// Gives whether it was not known.
    fn take_damage(&self, puzzle: &str, item: Item) -> bool {
        let mut all = plain(&self.items);
        let known = all.get(puzzle).is_some_and(|known| known.iter().any(|known| known.want == item.want));
        if !known {
            all.insert(puzzle.to_owned(), vec![item]);
        }
        !known
    }

    fn take_items(&self, puzzle: &str, items: Vec<Item>) {
        let mut all = plain(&self.items);
        if items.is_empty() {
            all.remove(puzzle);
        } else {
            all.insert(puzzle.to_owned(), items);
        }
    }
}
