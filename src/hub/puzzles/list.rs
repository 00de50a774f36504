//! Which puzzles there are, and what has happened to one.

use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::journal::Version;
use crate::puzzle::machine::Resource;

use super::{DamagedPuzzle, Happened, ListPuzzles, PuzzlePage, PuzzleState};

/// Puzzles that are loaded side by side.
const AT_ONCE: usize = 8;

impl Hub {
    /// How many puzzles there are.
    pub async fn puzzle_count(&self) -> Result<usize, HubError> {
        Ok(self.shared.puzzle_list().await?.open().count())
    }

    /// The ids of all puzzles, in the order in which they were added.
    pub async fn puzzle_ids(&self) -> Result<Vec<String>, HubError> {
        Ok(self.puzzle_ids_after(None, usize::MAX).await?.0)
    }

    /// The ids of the puzzles that were added after this one, which may be gone by now, in their order, at most `limit`;
    /// and whether there are more.
    pub async fn puzzle_ids_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<String>, bool), HubError> {
        let list = self.shared.puzzle_list().await?;
        let after = match after {
            Some(id) => list.get(id).ok_or_else(|| HubError::NoSuchPuzzle(id.to_owned()))?.number,
            None => 0,
        };
        let mut later = list.open().filter(|listed| listed.number > after).map(|listed| &listed.id);
        let ids = later.by_ref().take(limit).cloned().collect();
        Ok((ids, later.next().is_some()))
    }

    /// Some puzzles, and how they stand.
    pub async fn list_puzzles(&self, request: &ListPuzzles) -> Result<PuzzlePage, HubError> {
        let (ids, more) = self.puzzle_ids_after(request.after.as_deref(), request.limit).await?;
        let (puzzles, damaged) = self.some_puzzles(&ids).await;
        Ok(PuzzlePage { puzzles, damaged, last: ids.last().cloned(), more })
    }

    /// How these stand, and which of them are damaged. One that is hides no other.
    pub async fn some_puzzles(&self, ids: &[String]) -> (Vec<PuzzleState>, Vec<DamagedPuzzle>) {
        let (mut puzzles, mut damaged) = (Vec::with_capacity(ids.len()), Vec::new());
        for some in ids.chunks(AT_ONCE) {
            let states = futures::future::join_all(some.iter().map(|id| self.puzzle(id))).await;
            for (id, state) in some.iter().zip(states) {
                match state {
                    Ok(state) => puzzles.push(state),
                    Err(error) => damaged.extend(self.shared.note_damage_of_puzzle(id, &error)),
                }
            }
        }
        (puzzles, damaged)
    }

    /// What has happened to a puzzle after a version, at most `limit` events; and how it stands. That of one that was removed
    /// can still be read.
    pub async fn puzzle_history(
        &self,
        puzzle: &str,
        after: u64,
        limit: usize,
    ) -> Result<(PuzzleState, Vec<Happened>), HubError> {
        let live = self.shared.present_or_past_puzzle(puzzle).await?;
        let (events, _) = live.read(&*self.shared.journal, Version(after), limit).await?;
        // It stands at least as far as the last of them has brought it.
        let state = self.shared.look(live.lock(&*self.shared.journal).await?.state());
        let history = events.into_iter().map(|(event, version)| Happened { version: version.0, event });
        Ok((self.shared.placed(state).await, history.collect()))
    }

    /// The document of a state of a puzzle; nothing, if the state has none, or there is no such state.
    pub async fn puzzle_resource(&self, puzzle: &str, state: &str) -> Result<Option<Resource>, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        let locked = live.lock(&*self.shared.journal).await?;
        let machine = locked.state().machine();
        Ok(machine.find(state).and_then(|id| machine.state(id).resource.clone()))
    }
}
