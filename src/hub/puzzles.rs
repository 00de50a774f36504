//! Puzzles: shared state machines that clients watch and act on.
//!
//! As a task, a puzzle is a stream of the journal, and decides by itself; here it is found, locked, stored, and told of.
//! What it asks of clients and programs is put to them outside its lock, and what they say is decided anew.

mod act;
mod add;
mod damaged;
mod items;
mod list;
mod programs;
mod request;
mod room;
mod settle;
mod stored;
mod timers;
mod to_come;
mod wait;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as PlainMutex};

use tokio::sync::{MutexGuard, watch};

use super::Hub;
use super::aggregate::{List, Listed, Log, Shelf, plain};
use super::error::HubError;
use super::item::Item;
use super::shared::Shared;
use crate::journal::StreamId;
use crate::puzzle::{Puzzle, Refusal};
use programs::AtWork;
use timers::Timers;
use to_come::ToCome;

pub use damaged::DamagedPuzzle;
pub use programs::{Judge, NoJudge, Ruling};
pub use request::{
    ActOnPuzzle, Acted, AddPuzzle, AddedPuzzle, AnswerGuard, Calls, Happened, ListPuzzles, PuzzlePage,
    PuzzleRoom, PuzzleState, WaitPuzzle,
};
pub(super) use timers::start;

/// The puzzles of a hub.
#[derive(Debug, Default)]
pub(super) struct Puzzles {
    shelf: Shelf<Puzzle>,
    timers: Timers,
    /// What waits for people, by puzzle.
    items: PlainMutex<BTreeMap<String, Vec<Item>>>,
    at_work: AtWork,
    /// The puzzles whose rooms are told again when the disk works.
    untold: PlainMutex<BTreeSet<String>>,
    to_come: ToCome,
}

impl Hub {
    /// How a puzzle stands.
    pub async fn puzzle(&self, puzzle: &str) -> Result<PuzzleState, HubError> {
        let state = self.look_at_puzzle(puzzle, |puzzle| self.shared.look(puzzle)).await?;
        Ok(self.shared.placed(state).await)
    }

    /// Looks at a puzzle, which stays locked meanwhile: the look is short.
    pub async fn look_at_puzzle<T>(
        &self,
        puzzle: &str,
        look: impl FnOnce(&Puzzle) -> T,
    ) -> Result<T, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        let locked = live.lock(&*self.shared.journal).await?;
        Ok(look(locked.state()))
    }

    /// A watch that changes with everything that happens in one puzzle.
    pub async fn changes_of_puzzle(&self, puzzle: &str) -> Result<watch::Receiver<u64>, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        // What cannot be read cannot be watched, and what nobody has taken in yet comes before.
        drop(live.lock(&*self.shared.journal).await?);
        Ok(live.changes.subscribe())
    }

    /// Changes with everything that happens in any puzzle.
    #[must_use]
    pub fn puzzle_changes(&self) -> watch::Receiver<u64> {
        self.shared.puzzles.shelf.changes.subscribe()
    }

    /// Changes when a puzzle is added or removed.
    #[must_use]
    pub fn puzzle_list_changes(&self) -> watch::Receiver<u64> {
        self.shared.puzzles.shelf.list_changes.subscribe()
    }
}

impl Shared {
    async fn puzzle_list(&self) -> Result<MutexGuard<'_, List<Puzzle>>, HubError> {
        self.puzzles.shelf.list(&*self.journal).await
    }

    /// The puzzle of this id, if it was not removed.
    async fn puzzle(&self, id: &str) -> Result<Arc<Log<Puzzle>>, HubError> {
        match self.puzzles.shelf.get(id) {
            Some(live) => Ok(live),
            None => self.puzzle_of(id, |listed| listed.is_open).await,
        }
    }

    /// The puzzle of this id, also if it was removed: what has happened to it can still be read.
    async fn present_or_past_puzzle(&self, id: &str) -> Result<Arc<Log<Puzzle>>, HubError> {
        self.puzzle_of(id, |_| true).await
    }

    async fn puzzle_of(
        &self,
        id: &str,
        is_wanted: impl Fn(&Listed) -> bool,
    ) -> Result<Arc<Log<Puzzle>>, HubError> {
        let list = self.puzzle_list().await?;
        let listed = list.get(id).ok_or_else(|| HubError::NoSuchPuzzle(id.to_owned()))?;
        if is_wanted(listed) {
            Ok(self.puzzles.shelf.of(listed, |_| {}))
        } else {
            Err(Refusal::Removed.into())
        }
    }

    /// Something has happened in a puzzle: what waits in it, and what is due, may be other than before. It is locked.
    async fn puzzle_changed(self: &Arc<Self>, puzzle: &Puzzle) {
        let id = &puzzle.about().puzzle;
        self.puzzles.timers.set(id, puzzle.due());
        self.puzzles.take_items(id, self.items_of(puzzle).await);
        self.note_of_puzzle_changed(puzzle);
        self.puzzles.shelf.changes.happened();
        self.stirs.stir_elsewhere();
        self.go_on_by_itself(puzzle);
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
