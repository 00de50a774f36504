//! Which puzzles there are, and what has happened to one.

use crate::hub::Hub;
use crate::hub::aggregate::Listed;
use crate::hub::error::HubError;
use crate::journal::Version;
use crate::puzzle::machine::Resource;

use super::{Happened, ListPuzzles, PuzzlePage, PuzzleState};

/// Puzzles that are loaded side by side.
const AT_ONCE: usize = 8;

impl Hub {
    /// How many puzzles there are.
    pub async fn puzzle_count(&self) -> Result<usize, HubError> {
        Ok(self.shared.puzzle_list().await?.all().filter(|listed| listed.is_open).count())
    }

    /// The ids of all puzzles, in the order in which they were added.
    pub async fn puzzle_ids(&self) -> Result<Vec<String>, HubError> {
        Ok(self.listed_puzzles().await?.into_iter().map(|listed| listed.id).collect())
    }

    async fn listed_puzzles(&self) -> Result<Vec<Listed>, HubError> {
        let list = self.shared.puzzle_list().await?;
        let mut listed: Vec<Listed> = list.all().filter(|listed| listed.is_open).cloned().collect();
        listed.sort_by_key(|listed| listed.number);
        Ok(listed)
    }

    /// Some puzzles, and how they stand.
    pub async fn list_puzzles(&self, request: &ListPuzzles) -> Result<PuzzlePage, HubError> {
        let mut listed = self.listed_puzzles().await?;
        if let Some(after) = &request.after {
            let place = listed.iter().position(|listed| listed.id == *after);
            listed.drain(..=place.ok_or_else(|| HubError::NoSuchPuzzle(after.clone()))?);
        }
        let more = listed.len() > request.limit;
        listed.truncate(request.limit);
        let mut puzzles = Vec::with_capacity(listed.len());
        for some in listed.chunks(AT_ONCE) {
            let states = some.iter().map(|listed| self.puzzle(&listed.id));
            // One that is damaged hides no other: `doctor` tells of it.
            puzzles.extend(futures::future::join_all(states).await.into_iter().flatten());
        }
        Ok(PuzzlePage { puzzles, more })
    }

    /// What has happened to a puzzle after a version, at most `limit` events; and how it stands.
    pub async fn puzzle_history(
        &self,
        puzzle: &str,
        after: u64,
        limit: usize,
    ) -> Result<(PuzzleState, Vec<Happened>), HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        let state = PuzzleState::of(live.log.lock(&*self.shared.journal).await?.state());
        let (events, _) = live.log.read(&*self.shared.journal, Version(after), limit).await?;
        let history = events.into_iter().map(|(event, version)| Happened { version: version.0, event });
        Ok((state, history.collect()))
    }

    /// The document of a state of a puzzle; nothing, if the state has none, or there is no such state.
    pub async fn puzzle_resource(&self, puzzle: &str, state: &str) -> Result<Option<Resource>, HubError> {
        let live = self.shared.puzzle(puzzle).await?;
        let locked = live.log.lock(&*self.shared.journal).await?;
        let machine = locked.state().machine();
        Ok(machine.find(state).and_then(|id| machine.state(id).resource.clone()))
    }
}
