//! A puzzle may live in a room: what happens to it is told there, and whoever has to act is called.

use std::sync::Arc;

use crate::hub::shared::Shared;
use crate::hub::{self, HubError};
use crate::puzzle::event::{Moved, Refused};
use crate::puzzle::{Event, Puzzle};
use crate::room::command::PuzzleNews;
use crate::room::event::{PuzzleState, PuzzleStep};
use crate::room::{Command, Handle};

impl Shared {
    /// Tells the room of a puzzle what has happened last. Telling twice changes nothing.
    pub(super) async fn tell_room_of(self: &Arc<Self>, puzzle: &Puzzle, events: &[Event]) {
        let Some(room) = &puzzle.about().room else { return };
        let told = async {
            let stream = puzzle.about().room_stream.as_deref();
            let Some(live) = self.lodging_room(room, stream).await? else { return Ok(()) };
            let mut locked = live.lock(self).await?;
            let before = puzzle.version().saturating_sub(events.len() as u64);
            for (version, event) in (before + 1..).zip(events) {
                let Some(what) = step(puzzle, event) else { continue };
                let id = puzzle.about().puzzle.clone();
                let news = PuzzleNews { puzzle: id, version, what, to: called(puzzle) };
                locked.execute(Command::TellPuzzle(news)).await?;
            }
            Ok::<_, HubError>(())
        };
        if let Err(error) = told.await {
            // The log of the puzzle is the truth; the room is told again of the next step.
            tracing::warn!(puzzle = %puzzle.about().puzzle, %room, %error, "a room is not told of a puzzle");
        }
    }
}

/// Who has to act.
fn called(puzzle: &Puzzle) -> Vec<Handle> {
    if puzzle.is_removed() { Vec::new() } else { hub::PuzzleState::of(puzzle).called() }
}

/// What an event means to a room; nothing, if it need not know.
fn step(puzzle: &Puzzle, event: &Event) -> Option<PuzzleStep> {
    let place = |state: &str| PuzzleState { state: state.to_owned(), node: puzzle.machine().node(state) };
    Some(match event {
        Event::PuzzleAdded(added) => PuzzleStep::Added {
            place: place(added.through.last().map_or("", |step| &step.to)),
            drawing: puzzle.machine().drawing(),
        },
        Event::PuzzleMoved(moved) => {
            let Moved { from, to, cause, actor, .. } = &**moved;
            PuzzleStep::Moved {
                from: from.clone(),
                place: place(to),
                action: cause.name(),
                by: actor.clone(),
            }
        }
        Event::GuardAsked { pending } => PuzzleStep::Asked {
            guard: pending.id.clone(),
            question: pending.question.clone(),
            action: pending.cause.name(),
            by: pending.actor.clone(),
            asked: pending.asks.clone(),
        },
        Event::ActionRefused(refused) => {
            let Refused { cause, by, why, .. } = &**refused;
            let state = puzzle.current().to_owned();
            PuzzleStep::Refused { state, action: cause.name(), by: by.clone(), reason: why.clone() }
        }
        Event::PuzzleRemoved { .. } => PuzzleStep::Removed,
        Event::VerdictGiven(_) | Event::RequestJoined(_) => return None,
    })
}
