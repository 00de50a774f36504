//! Acting on a puzzle, and answering its guards.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::{ActOnPuzzle, Acted, AnswerGuard, PuzzleState};
use crate::hub::Hub;
use crate::hub::aggregate::{Locked, Log};
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::puzzle::{Act, Answer, Demand, Doer, Event, Puzzle, Refusal, Step, Verdict, Whom};
use crate::room::{self, Handle, Participant};

/// Demands of one action that programs answer, at most: more than a machine can have guards on one way.
const MAX_RULINGS: usize = 1_000;

impl Hub {
    /// Acts on a puzzle, or says what it waits for. Programs that it asks are waited for as long as the client is known
    /// to wait. It is done, or nothing is: whoever gives up while a program is asked has done nothing.
    pub async fn act_on_puzzle(&self, caller: &Caller, request: ActOnPuzzle) -> Result<Acted, HubError> {
        self.act_within(caller, request, Duration::ZERO).await
    }

    /// The same; programs are waited for so long at least.
    pub(super) async fn act_within(
        &self,
        caller: &Caller,
        request: ActOnPuzzle,
        limit: Duration,
    ) -> Result<Acted, HubError> {
        self.refuse_if_stopping()?;
        let limit = limit.max(self.shared.patience.of(caller.client.as_ref()));
        let over = Instant::now() + limit;
        let ActOnPuzzle { puzzle, action, actor, expected_version, request_id, verdicts, mut may } = request;
        may.commands = self.shared.settings.judge.names();
        let actor = match actor {
            Some(name) => Some(named("actor", &name)?),
            None => caller.is_verified.then(Handle::user),
        };
        if let Some(actor) = &actor {
            self.check_person(caller, &puzzle, actor).await?;
        }
        let is_person_verified = caller.is_verified;
        let mut act = Act { action, actor, is_person_verified, expected_version, request_id, verdicts, may };
        for _ in 0..MAX_RULINGS {
            if caller.cancelled.is_cancelled() {
                return Err(HubError::Cancelled);
            }
            let acted = self.try_act(&puzzle, &act).await?;
            let Acted::Ask(demand) = &acted else { return Ok(acted) };
            let Whom::Command(name) = &demand.whom else { return Ok(acted) };
            let Some(verdict) = self.judged(caller, &puzzle, (name, demand), over).await? else {
                let needs = format!("an answer of the program `{name}` within {} s", limit.as_secs());
                let (action, guard) = (act.action, demand.guard.clone());
                return Err(self
                    .refused_action(&puzzle, Refusal::GuardUnavailable { action, guard, needs })
                    .await);
            };
            act.verdicts.push(verdict);
        }
        Err(self
            .refused_action(&puzzle, Refusal::TooManySteps { action: act.action, limit: MAX_RULINGS })
            .await)
    }

    /// What a program says; nothing, if it does not in time.
    async fn judged(
        &self,
        caller: &Caller,
        puzzle: &str,
        (name, demand): (&str, &Demand),
        over: Instant,
    ) -> Result<Option<Verdict>, HubError> {
        tokio::select! {
            verdict = self.shared.ask_program(name, puzzle, demand) => Ok(Some(verdict)),
            () = sleep_until(over) => Ok(None),
            () = self.shared.stop.cancelled() => Err(HubError::Stopping),
            () = caller.cancelled.cancelled() => Err(HubError::Cancelled),
        }
    }

    /// In some rooms a person acts and answers only where nobody else can. That holds on when such a room is closed, or gone.
    async fn check_person(&self, caller: &Caller, puzzle: &str, who: &Handle) -> Result<(), HubError> {
        if caller.is_verified {
            return Ok(());
        }
        let about = self.look_at_puzzle(puzzle, |puzzle| puzzle.about().clone()).await?;
        if about.people_verified_only && about.is_person(who) {
            return Err(room::Refusal::NotVerified(who.clone()).into());
        }
        if let Some(live) = self.shared.room_of_puzzle(&about).await? {
            let room = live.lock(&self.shared).await?;
            if room.room().resolve(who.key()).map_or(*who == Handle::user(), Participant::is_human) {
                room.check_verified(caller, who)?;
            }
        }
        Ok(())
    }

    async fn try_act(&self, puzzle: &str, act: &Act) -> Result<Acted, HubError> {
        let shared = &self.shared;
        let live = shared.puzzle(puzzle).await?;
        let now = shared.clock.now().wall;
        let mut locked = live.lock(&*shared.journal).await?;
        let mut came = None;
        let decided = locked.decide(now, |puzzle| {
            let step = puzzle.act(act, now)?;
            let events = match &step {
                Step::Done(events) | Step::Pending { events, .. } | Step::Refused { events, .. } => {
                    events.clone()
                }
                Step::Same(_) | Step::Ask(_) => Vec::new(),
            };
            came = Some(step);
            Ok::<_, Refusal>(events)
        });
        let decided = decided.await;
        let (state, _) = shared.told_of(&live, locked, decided, act.actor.as_ref()).await?;
        match came.expect("what was decided is known") {
            Step::Done(_) => Ok(Acted::Done(state)),
            Step::Pending { pending, .. } => Ok(Acted::Pending(state, pending)),
            Step::Ask(demand) => Ok(Acted::Ask(demand)),
            Step::Refused { refusal, .. } => Err(HubError::Puzzle { refusal, state: Some(Box::new(state)) }),
            Step::Same(past) => match past.refusal(&act.action) {
                Some(refusal) => Err(HubError::Puzzle { refusal, state: Some(Box::new(state)) }),
                None => Ok(Acted::Done(state)),
            },
        }
    }

    /// Answers a guard. Gives how the puzzle stands then, and what the answer has made; nothing, if it was given before.
    pub async fn answer_guard(
        &self,
        caller: &Caller,
        request: AnswerGuard,
    ) -> Result<(PuzzleState, Vec<Event>), HubError> {
        self.refuse_if_stopping()?;
        let AnswerGuard { puzzle, guard, pass, reason, by, request_id } = request;
        let by = named("by", &by)?;
        self.check_person(caller, &puzzle, &by).await?;
        let answer = Answer { guard, pass, reason, by, is_person_verified: caller.is_verified, request_id };
        let shared = &self.shared;
        let live = shared.puzzle(&puzzle).await?;
        let now = shared.clock.now().wall;
        let mut locked = live.lock(&*shared.journal).await?;
        let decided = locked.decide(now, |puzzle| puzzle.answer(&answer, now)).await;
        shared.told_of(&live, locked, decided, Some(&answer.by)).await
    }

    /// Removes a puzzle. What has happened to it stays in the journal. Gives how it stood; nothing, if it was damaged.
    pub async fn remove_puzzle(
        &self,
        caller: &Caller,
        puzzle: &str,
        by: Option<&str>,
    ) -> Result<Option<PuzzleState>, HubError> {
        self.refuse_if_stopping()?;
        let by = match by {
            Some(name) => Some(named("by", name)?),
            None => caller.is_verified.then(Handle::user),
        };
        let shared = &self.shared;
        let live = shared.puzzle(puzzle).await?;
        if let Err(HubError::LogDamaged { .. }) = live.lock(&*shared.journal).await {
            return shared.give_up_puzzle(&live).await.map(|()| None);
        }
        if let Some(by) = &by {
            self.check_person(caller, puzzle, by).await?;
        }
        let now = shared.clock.now().wall;
        let mut locked = live.lock(&*shared.journal).await?;
        let doer = Doer { handle: by.as_ref(), is_person_verified: caller.is_verified };
        let removed = locked.decide(now, |puzzle| puzzle.remove(doer, now).map(|event| vec![event]));
        let removed = removed.await;
        let (state, _) = shared.told_of(&live, locked, removed, by.as_ref()).await?;
        if let Err(error) = shared.puzzles.shelf.close(&*shared.journal, puzzle, now).await {
            // It is removed all the same.
            tracing::warn!(%puzzle, %error, "a puzzle that was removed is not listed so");
            shared.puzzles.shelf.close_for_now(puzzle).await;
        }
        Ok(Some(state))
    }

    /// Why an action was refused, with how the puzzle stands.
    pub async fn refused_action(&self, puzzle: &str, refusal: Refusal) -> HubError {
        let state = self.puzzle(puzzle).await.ok().map(Box::new);
        HubError::Puzzle { refusal, state }
    }
}

impl Shared {
    /// Tells of what was decided, and gives how the puzzle stands then; whoever was refused learns it, too. Whoever has done
    /// something is here.
    async fn told_of(
        self: &Arc<Self>,
        live: &Arc<Log<Puzzle>>,
        locked: Locked<'_, Puzzle>,
        decided: Result<Vec<Event>, HubError>,
        by: Option<&Handle>,
    ) -> Result<(PuzzleState, Vec<Event>), HubError> {
        if let Ok(events) = &decided {
            if let Some(by) = by.filter(|_| !events.is_empty()) {
                self.hear_in_room_of(locked.state(), by).await;
            }
            self.puzzle_happened(live, &locked, events).await;
        }
        let state = self.look(locked.state());
        drop(locked);
        let state = self.placed(state).await;
        match decided {
            Ok(events) => Ok((state, events)),
            Err(HubError::Puzzle { refusal, state: None }) => {
                Err(HubError::Puzzle { refusal, state: Some(Box::new(state)) })
            }
            Err(error) => Err(error),
        }
    }

    /// Tells of what has happened. The puzzle stays locked until its room knows, so that it is told in order.
    pub(super) async fn puzzle_happened(
        self: &Arc<Self>,
        live: &Arc<Log<Puzzle>>,
        locked: &Locked<'_, Puzzle>,
        events: &[Event],
    ) {
        if !events.is_empty() {
            self.puzzle_changed(locked.state()).await;
            self.tell_room_of(live, locked.state(), events).await;
        }
    }
}

/// A participant by its handle, with or without the `@`.
fn named(field: &'static str, name: &str) -> Result<Handle, HubError> {
    Handle::parse(name.trim()).map_err(|error| HubError::argument(field, error.to_string(), &[]))
}
