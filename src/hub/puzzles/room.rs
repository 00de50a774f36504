//! A puzzle may live in a room: what happens to it is told there, and whoever has to act is called.

use std::sync::Arc;

use super::{Calls, plain};
use crate::hub::aggregate::Log;
use crate::hub::live::LiveRoom;
use crate::hub::shared::Shared;
use crate::hub::{self, HubError};
use crate::journal::Version;
use crate::puzzle::event::{About, Moved, Refused};
use crate::puzzle::{Event, Pending, Puzzle};
use crate::room::command::PuzzleNews;
use crate::room::event::{PuzzleQuestion, PuzzleState, PuzzleStep};
use crate::room::{Command, Handle, Phase};

/// Of what a room has missed it is told so much: the newest.
const MOST: usize = 100;

impl Shared {
    /// Tells the room of a puzzle, which is locked, what has happened last, and what it has missed before. Telling twice
    /// changes nothing. Where the disk did not work, it is told again later.
    pub(super) async fn tell_room_of(
        self: &Arc<Self>,
        live: &Arc<Log<Puzzle>>,
        puzzle: &Puzzle,
        events: &[Event],
    ) {
        if let Err(error) = self.told(live, puzzle, events).await {
            tracing::warn!(puzzle = %live.id, %error, "a room is not told of a puzzle");
            if error.is_of_a_disk() {
                self.tell_again(live);
            }
        }
    }

    /// Tells a room again until it knows, the first time as soon as the puzzle is free. What was told meanwhile is not told
    /// twice.
    fn tell_again(self: &Arc<Self>, live: &Arc<Log<Puzzle>>) {
        if !plain(&self.puzzles.untold).insert(live.id.clone()) {
            return;
        }
        let live = Arc::clone(live);
        self.until_the_disk_works(move |shared| {
            let live = Arc::clone(&live);
            async move {
                let locked = live.lock(&*shared.journal).await?;
                let told = shared.told(&live, locked.state(), &[]).await;
                if !told.as_ref().is_err_and(HubError::is_of_a_disk) {
                    plain(&shared.puzzles.untold).remove(&live.id);
                }
                told
            }
        });
    }

    /// The room in which a puzzle lives; nothing, if it lives in none, or that is gone.
    pub(super) async fn room_of_puzzle(
        self: &Arc<Self>,
        about: &About,
    ) -> Result<Option<Arc<LiveRoom>>, HubError> {
        match &about.room {
            Some(room) => self.lodging_room(room, about.room_stream.as_deref()).await,
            None => Ok(None),
        }
    }

    /// How a puzzle stands, which is locked, with who is awaited.
    pub(super) fn look(&self, puzzle: &Puzzle) -> hub::PuzzleState {
        hub::PuzzleState { awaited: self.awaited(puzzle), ..hub::PuzzleState::of(puzzle) }
    }

    /// The same, and whether turns can still be taken in its room. No puzzle is locked: the list of rooms may be held while a
    /// disk works.
    pub(super) async fn placed(&self, mut state: hub::PuzzleState) -> hub::PuzzleState {
        if let Some(room) = &mut state.room {
            room.calls = match self.lodging(&room.id, room.stream.as_deref()).await {
                Some(entry) if entry.is_open => Calls::Here,
                Some(_) => Calls::Closed,
                None => Calls::Deleted,
            };
        }
        state
    }

    /// Whoever acts on a puzzle, or answers in it, is here: its turn in the room does not lapse meanwhile.
    pub(super) async fn hear_in_room_of(self: &Arc<Self>, puzzle: &Puzzle, who: &Handle) {
        let heard = async {
            let Some(room) = self.room_of_puzzle(puzzle.about()).await? else { return Ok(()) };
            room.lock(self).await?.hear_from_elsewhere(who.key()).await
        };
        if let Err(error) = heard.await {
            tracing::debug!(puzzle = %puzzle.about().puzzle, %error, "a room does not know that somebody is here");
        }
    }

    async fn told(
        self: &Arc<Self>,
        live: &Log<Puzzle>,
        puzzle: &Puzzle,
        events: &[Event],
    ) -> Result<(), HubError> {
        let Some(room) = self.room_of_puzzle(puzzle.about()).await? else { return Ok(()) };
        let mut locked = room.lock(self).await?;
        if locked.room().phase() == Phase::Closed {
            return Ok(());
        }
        let known = locked.room().known_of_puzzle(&live.id);
        let missed = usize::try_from(puzzle.version().saturating_sub(known)).unwrap_or(usize::MAX).min(MOST);
        let read = match missed.checked_sub(events.len()) {
            None | Some(0) => Vec::new(),
            Some(_) => {
                let after = Version(puzzle.version() - missed as u64);
                live.read(&*self.journal, after, missed).await?.0
            }
        };
        let read: Vec<Event> = read.into_iter().map(|(event, _)| event).collect();
        let events = if read.is_empty() { events } else { &read };
        let state = self.look(puzzle);
        let steps = steps(puzzle, events, &state.awaited);
        if !steps.is_empty() {
            let (to, questions) = (state.called(), questions(puzzle, &state.awaited));
            let is_timed = puzzle.timer().is_some() && state.snapshot.available_actions.is_empty();
            let news = PuzzleNews { puzzle: live.id.clone(), steps, to, questions, is_timed };
            locked.execute(Command::TellPuzzle(news)).await?;
        }
        drop(locked);
        let is_over = state.snapshot.is_removed || state.snapshot.is_final;
        if is_over && puzzle.about().has_own_room { self.end_own_room(&room).await } else { Ok(()) }
    }

    fn awaited(&self, puzzle: &Puzzle) -> Vec<Handle> {
        puzzle.awaited(&self.settings.judge.names(), self.clock.now().wall)
    }
}

/// What the last events mean to a room, each with its version. That an answer is no is told with what comes of it.
fn steps(puzzle: &Puzzle, events: &[Event], awaited: &[Handle]) -> Vec<(u64, PuzzleStep)> {
    let first = puzzle.version() + 1 - events.len() as u64;
    let mut steps = Vec::new();
    for (version, (number, event)) in (first..).zip(events.iter().enumerate()) {
        let next = events.get(number + 1);
        let is_told_next = matches!(
            (event, next),
            (Event::VerdictGiven(given), Some(Event::ActionRefused(_))) if !given.pass
        );
        if !is_told_next && let Some(step) = step(puzzle, (event, next), awaited) {
            steps.push((version, step));
        }
    }
    steps
}

/// What waits for others than its actor.
fn questions(puzzle: &Puzzle, awaited: &[Handle]) -> Vec<PuzzleQuestion> {
    let waits = |pending: &&Pending| {
        !pending.has_passed() || pending.actor.as_ref().is_none_or(|actor| !awaited.contains(actor))
    };
    let waiting = puzzle.pendings().iter().filter(waits);
    let question = |pending: &Pending| PuzzleQuestion {
        by: pending.actor.clone(),
        asks: pending.still_asked(),
        needed: pending.still_needed(),
        action: pending.cause.name(),
    };
    waiting.map(question).collect()
}

/// What an event means to a room; `next` is what has followed at once.
fn step(puzzle: &Puzzle, (event, next): (&Event, Option<&Event>), awaited: &[Handle]) -> Option<PuzzleStep> {
    let machine = puzzle.machine();
    let place = |state: &str| PuzzleState {
        state: state.to_owned(),
        node: machine.node(state),
        is_final: machine.find(state).is_some_and(|id| machine.is_final(id)),
    };
    Some(match event {
        Event::PuzzleAdded(added) => PuzzleStep::Added {
            place: place(added.through.last().map_or("", |step| &step.to)),
            drawing: machine.drawing(),
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
            let Refused { cause, by, actor, why, .. } = &**refused;
            let state = puzzle.current().to_owned();
            let (action, by, actor) = (cause.name(), by.clone(), actor.clone());
            PuzzleStep::Refused { state, action, by, actor, reason: why.clone() }
        }
        Event::PuzzleRemoved { .. } => PuzzleStep::Removed,
        Event::VerdictGiven(_) | Event::GuardsPassed { .. } => {
            return answered(puzzle, (event, next), awaited);
        }
        Event::RequestJoined(_) => return None,
    })
}

fn answered(
    puzzle: &Puzzle,
    (event, next): (&Event, Option<&Event>),
    awaited: &[Handle],
) -> Option<PuzzleStep> {
    let (guard, by, pass) = match event {
        Event::VerdictGiven(given) => (&given.guard, Some(given.by.clone()), given.pass),
        Event::GuardsPassed { guard, .. } => (guard, None, true),
        _ => return None,
    };
    let pending = puzzle.pendings().iter().find(|pending| pending.id == *guard);
    let action = match (pending, next) {
        (Some(pending), _) => &pending.cause,
        (None, Some(Event::PuzzleMoved(moved))) => &moved.cause,
        (None, Some(Event::GuardAsked { pending })) => &pending.cause,
        (None, Some(Event::ActionRefused(refused))) => &refused.cause,
        // It was long ago, and nothing waits for it any more.
        (None, _) => return None,
    };
    let again = pending.filter(|pending| pending.has_passed()).and_then(|pending| pending.actor.clone());
    let again = again.filter(|actor| awaited.contains(actor));
    Some(PuzzleStep::Answered { guard: guard.clone(), action: action.name(), by, pass, again })
}
