//! Acting on a puzzle and waiting until those have answered who are asked first.

use std::time::Duration;

use super::{ActOnPuzzle, Acted, Happened, PuzzleState};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
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

/// What is waited for.
struct Waits {
    asked: Box<Pending>,
    /// The version at which the action began to wait.
    since: u64,
    /// The version up to which it is known what has happened.
    seen: u64,
}

/// How what is waited for stands.
enum Stands {
    /// It is over.
    Over(Acted),
    /// It goes on.
    On(PuzzleState),
    /// Those who were asked have agreed, and something has happened since: the actor may be needed.
    Agreed,
}

impl Hub {
    /// Acts on a puzzle. If somebody is asked first, it waits for what comes of that, for so long at most.
    pub async fn act_on_puzzle_and_wait(
        &self,
        caller: &Caller,
        mut request: ActOnPuzzle,
        limit: Duration,
    ) -> Result<Acted, HubError> {
        let changes = self.changes_of_puzzle(&request.puzzle).await?;
        let mut wait = self.shared.patient(caller, Some(limit), changes);
        let mut waits: Option<Waits> = None;
        loop {
            wait.looks();
            let acted = self.act_or_look(caller, &mut request, limit, &mut waits).await?;
            if waits.is_none() || wait.is_over() || !matches!(acted, Acted::Pending(..)) {
                return Ok(acted);
            }
            wait.sleep().await?;
        }
    }

    /// Comes back when the puzzle has moved since a question was put to the client of a call, after the move of this version:
    /// the question has no more sense.
    ///
    /// # Errors
    /// It has none for another reason, or that cannot be told.
    pub async fn question_lapses(
        &self,
        caller: &Caller,
        puzzle: &str,
        entered_version: u64,
    ) -> Result<(), HubError> {
        let no_sense = async {
            let mut changes = self.changes_of_puzzle(puzzle).await?;
            loop {
                changes.borrow_and_update();
                if self.look_at_puzzle(puzzle, Puzzle::entered_version).await? != entered_version {
                    return Ok(());
                }
                // Without it there is nothing to look at any more.
                let _ = changes.changed().await;
            }
        };
        tokio::select! {
            () = self.shared.stop.cancelled() => Err(HubError::Stopping),
            () = caller.cancelled.cancelled() => Err(HubError::Cancelled),
            moved = no_sense => moved,
        }
    }

    /// Acts the first time, and when the actor may be needed again; else it looks at what was asked.
    async fn act_or_look(
        &self,
        caller: &Caller,
        request: &mut ActOnPuzzle,
        limit: Duration,
        waits: &mut Option<Waits>,
    ) -> Result<Acted, HubError> {
        if let Some(waits) = waits {
            match self.stands(&request.puzzle, waits).await? {
                Stands::Over(acted) => return Ok(acted),
                Stands::On(state) => return Ok(Acted::Pending(state, waits.asked.clone())),
                Stands::Agreed => {}
            }
        }
        let acted = self.act_within(caller, request.clone(), limit).await?;
        if let Acted::Pending(state, asked) = &acted {
            let version = state.snapshot.version;
            // If it has to act once more, then on what it knows now.
            request.expected_version.get_or_insert(version);
            let since = waits.as_ref().map_or(version, |waits| waits.since);
            *waits = Some(Waits { asked: asked.clone(), since, seen: version });
        }
        Ok(acted)
    }

    /// How a question stands.
    async fn stands(&self, puzzle: &str, waits: &mut Waits) -> Result<Stands, HubError> {
        let first = waits.seen;
        loop {
            let (state, history) = self.puzzle_history(puzzle, waits.seen, PAGE).await?;
            for happened in &history {
                waits.seen = happened.version;
                match came(&waits.asked, happened) {
                    Came::Nothing => {}
                    Came::AskedAnew(pending) => waits.asked = pending,
                    Came::Done => return Ok(Stands::Over(Acted::Done(state))),
                    Came::Refused(refusal) => return Err(refused(refusal, state)),
                    Came::MovedOn => return Err(moved_on(waits.since, state)),
                }
            }
            if waits.seen < state.snapshot.version {
                continue;
            }
            let asked = state.snapshot.pending.iter().find(|waiting| waiting.guard_id == waits.asked.id);
            let has_agreed = asked.is_none_or(|waiting| waiting.asks.is_empty());
            return Ok(if has_agreed && waits.seen > first { Stands::Agreed } else { Stands::On(state) });
        }
    }
}

/// What an event means for a question.
fn came(asked: &Pending, happened: &Happened) -> Came {
    match &happened.event {
        Event::GuardAsked { pending } if asked.is_of(&pending.cause, pending.doer()) => {
            Came::AskedAnew(pending.clone())
        }
        Event::ActionRefused(no) if no.pending.as_ref() == Some(&asked.id) => {
            let (action, guard) = (asked.cause.name(), no.guard.clone());
            Came::Refused(Refusal::GuardRefused { action, guard, by: no.by.clone(), why: no.why.clone() })
        }
        Event::PuzzleMoved(moved) if asked.is_of(&moved.cause, moved.doer()) => Came::Done,
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
