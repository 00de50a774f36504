//! Acting on a puzzle and waiting until those have answered who are asked first.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::{ActOnPuzzle, Acted, Happened, PuzzleState};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::waiting::MAX_WAIT;
use crate::puzzle::event::Cause;
use crate::puzzle::{Event, Pending, Puzzle, Refusal};

/// Events that are read at once.
const PAGE: usize = 100;

/// What became of what was asked.
enum Came {
    /// Nothing yet.
    Nothing,
    /// Others are asked now.
    AskedAnew(Box<Pending>),
    /// It is done.
    Done,
    /// It came to nothing.
    Refused(Refusal),
    /// The puzzle has gone elsewhere, and nobody is asked any more.
    MovedOn,
}

impl Hub {
    /// Acts on a puzzle. If somebody is asked first, it waits for what comes of that, for so long at most.
    pub async fn act_on_puzzle_and_wait(
        &self,
        caller: &Caller,
        request: ActOnPuzzle,
        limit: Duration,
    ) -> Result<Acted, HubError> {
        let over = Instant::now() + limit.min(MAX_WAIT);
        let mut changes = self.changes_of_puzzle(&request.puzzle).await?;
        loop {
            let acted = self.act_on_puzzle(caller, request.clone()).await?;
            let Acted::Pending(state, guards) = acted else { return Ok(acted) };
            if Instant::now() >= over {
                return Ok(Acted::Pending(state, guards));
            }
            let [pending] = guards.as_slice() else { return Ok(Acted::Pending(state, guards)) };
            let settled = self.settled(&request, pending, state.snapshot.version, &mut changes);
            tokio::select! {
                settled = settled => {
                    if let Some(done) = settled? {
                        return Ok(done);
                    }
                    // All have agreed, and whoever acts has to go on.
                }
                () = tokio::time::sleep_until(over) => {}
                () = self.shared.stop.cancelled() => return Err(HubError::Stopping),
                () = caller.cancelled.cancelled() => return Err(HubError::Cancelled),
            }
        }
    }

    /// Comes back when a question that is put to the client of a call has no more sense: with the reason. It was asked
    /// after the move of this version.
    pub async fn question_lapses(&self, caller: &Caller, puzzle: &str, entered_version: u64) -> HubError {
        let no_sense = async {
            let mut changes = self.changes_of_puzzle(puzzle).await?;
            loop {
                changes.borrow_and_update();
                let look = |puzzle: &Puzzle| {
                    (puzzle.entered_version() != entered_version).then(|| PuzzleState::of(puzzle))
                };
                if let Some(state) = self.look_at_puzzle(puzzle, look).await? {
                    return Ok(moved_on(entered_version, state));
                }
                // Without it there is nothing to look at any more.
                let _ = changes.changed().await;
            }
        };
        tokio::select! {
            () = self.shared.stop.cancelled() => HubError::Stopping,
            () = caller.cancelled.cancelled() => HubError::Cancelled,
            why = no_sense => match why {
                // It was there when it was asked about.
                Err(HubError::NoSuchPuzzle(_)) => Refusal::Removed.into(),
                Ok(error) | Err(error) => error,
            },
        }
    }

    /// Waits until a question is settled, and gives what came of it; nothing, if its actor has to act once more.
    async fn settled(
        &self,
        request: &ActOnPuzzle,
        asked: &Pending,
        mut seen: u64,
        changes: &mut watch::Receiver<u64>,
    ) -> Result<Option<Acted>, HubError> {
        let (mut asked, since) = (asked.clone(), seen);
        loop {
            changes.borrow_and_update();
            let (state, history) = match self.puzzle_history(&request.puzzle, seen, PAGE).await {
                // It was there when it was asked about.
                Err(HubError::NoSuchPuzzle(_)) => return Err(Refusal::Removed.into()),
                read => read?,
            };
            for happened in &history {
                seen = happened.version;
                match came(&asked, happened) {
                    Came::Nothing => {}
                    Came::AskedAnew(pending) => asked = *pending,
                    Came::Done => return Ok(Some(Acted::Done(state))),
                    Came::Refused(refusal) => return Err(refused(refusal, state)),
                    Came::MovedOn => return Err(moved_on(since, state)),
                }
            }
            if seen < state.snapshot.version {
                continue;
            }
            let waits = state.snapshot.pending.iter().find(|waiting| waiting.guard_id == asked.id);
            if waits.is_none_or(|waiting| waiting.asks.is_empty()) {
                return Ok(None);
            }
            // Without it there is nothing to read any more.
            let _ = changes.changed().await;
        }
    }
}

/// What an event means for a question.
fn came(asked: &Pending, happened: &Happened) -> Came {
    let is_same = |cause: &Cause, actor| *cause == asked.cause && actor == asked.actor.as_ref();
    match &happened.event {
        Event::GuardAsked { pending } if is_same(&pending.cause, pending.actor.as_ref()) => {
            Came::AskedAnew(pending.clone())
        }
        Event::ActionRefused(no) if no.pending.as_ref() == Some(&asked.id) => {
            let (action, guard) = (asked.cause.name(), no.guard.clone());
            Came::Refused(Refusal::GuardRefused { action, guard, by: no.by.clone(), why: no.why.clone() })
        }
        Event::PuzzleMoved(moved) if is_same(&moved.cause, moved.actor.as_ref()) => Came::Done,
        Event::PuzzleMoved(_) => Came::MovedOn,
        Event::PuzzleRemoved { .. } => Came::Refused(Refusal::Removed),
        _ => Came::Nothing,
    }
}

fn moved_on(expected: u64, state: PuzzleState) -> HubError {
    let snapshot = &state.snapshot;
    let refusal = Refusal::VersionConflict {
        expected,
        version: snapshot.version,
        state: snapshot.current_state.clone(),
        allowed: snapshot.available_actions.clone(),
    };
    refused(refusal, state)
}

fn refused(refusal: Refusal, state: PuzzleState) -> HubError {
    HubError::Puzzle { refusal, state: Some(Box::new(state)) }
}
