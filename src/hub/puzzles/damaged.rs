//! Puzzles whose logs are damaged: people are told, lists say so, and whoever gives one up can remove it.

use std::sync::Arc;

use crate::hub::aggregate::Log;
use crate::hub::error::HubError;
use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::journal::Version;
use crate::puzzle::event::About;
use crate::puzzle::{Event, Puzzle};
use crate::room::command::PuzzleNews;
use crate::room::event::PuzzleStep;
use crate::room::{Command, Handle};

/// A puzzle that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedPuzzle {
    /// Which one.
    pub puzzle: String,
    /// What is wrong.
    pub problem: String,
}

impl Shared {
    /// Takes note of a puzzle that could not be read, and gives what is wrong if its log is damaged.
    pub(super) fn note_damage_of_puzzle(&self, puzzle: &str, error: &HubError) -> Option<DamagedPuzzle> {
        let HubError::LogDamaged { .. } = error else { return None };
        let (puzzle, problem) = (puzzle.to_owned(), error.to_string());
        let want = Want::PuzzleDamaged { puzzle: puzzle.clone(), problem: problem.clone() };
        let key = format!("puzzle/{puzzle}/{}", want.kind());
        let item = Item::new("", &puzzle, (Handle::user(), self.clock.now().wall), &key, want);
        if self.puzzles.take_damage(&puzzle, item) {
            self.stirs.stir_elsewhere();
        }
        Some(DamagedPuzzle { puzzle, problem })
    }

    /// Removes a puzzle that cannot be read: it is listed as over, and its log stays as it is.
    pub(super) async fn give_up_puzzle(self: &Arc<Self>, live: &Log<Puzzle>) -> Result<(), HubError> {
        let puzzle = live.id.as_str();
        self.puzzles.shelf.close(&*self.journal, puzzle, self.clock.now().wall).await?;
        self.puzzles.timers.set(puzzle, None);
        self.puzzles.take_items(puzzle, Vec::new());
        self.stirs.stir_elsewhere();
        // Its first event says where it lives. Where that is damaged, too, no room is told.
        let Ok((events, _)) = live.read(&*self.journal, Version::EMPTY, 1).await else { return Ok(()) };
        let Some((Event::PuzzleAdded(added), _)) = events.into_iter().next() else { return Ok(()) };
        if let Err(error) = self.tell_of_the_end(&added.about).await {
            tracing::warn!(%puzzle, %error, "a room is not told that a puzzle is gone");
            self.until_the_disk_works(move |shared| {
                let added = added.clone();
                async move { shared.tell_of_the_end(&added.about).await }
            });
        }
        Ok(())
    }

    /// Tells the room of a puzzle that was given up that it is gone. The own room of it is over, too.
    async fn tell_of_the_end(self: &Arc<Self>, about: &About) -> Result<(), HubError> {
        let Some(room) = self.room_of_puzzle(about).await? else { return Ok(()) };
        let mut locked = room.lock(self).await?;
        let version = locked.room().known_of_puzzle(&about.puzzle) + 1;
        let news = PuzzleNews {
            puzzle: about.puzzle.clone(),
            steps: vec![(version, PuzzleStep::Removed)],
            to: Vec::new(),
            questions: Vec::new(),
            is_timed: false,
        };
        locked.execute(Command::TellPuzzle(news)).await?;
        drop(locked);
        if about.has_own_room { self.end_own_room(&room).await } else { Ok(()) }
    }
}
