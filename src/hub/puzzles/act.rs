//! Acting on a puzzle, and answering its guards.

use std::fmt;

use async_trait::async_trait;

use super::{ActOnPuzzle, Acted, AnswerGuard, PuzzleState};
use crate::hub::Hub;
use crate::hub::aggregate::Locked;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::puzzle::{Act, Answer, Demand, Event, Puzzle, Refusal, Step, Verdict, Whom};
use crate::room::Handle;
use std::sync::Arc;

/// Demands of one action that programs answer, at most: more than a machine can have guards on one way.
const MAX_RULINGS: usize = 1_000;

/// Runs the programs that judge guards, as the hub's configuration names them.
#[async_trait]
pub trait Judge: fmt::Debug + Send + Sync {
    /// The names of the programs.
    fn names(&self) -> Vec<String>;

    /// Asks one.
    async fn rule(&self, name: &str, puzzle: &str, demand: &Demand) -> Ruling;
}

/// What a program has said.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    pub reason: Option<String>,
}

/// No programs.
#[derive(Debug)]
pub struct NoJudge;

#[async_trait]
impl Judge for NoJudge {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    async fn rule(&self, name: &str, _puzzle: &str, _demand: &Demand) -> Ruling {
        Ruling { pass: false, reason: Some(format!("the hub's configuration names no `{name}`")) }
    }
}

impl Hub {
    /// Acts on a puzzle, or says what it waits for.
    pub async fn act_on_puzzle(&self, caller: &Caller, request: ActOnPuzzle) -> Result<Acted, HubError> {
        self.refuse_if_stopping()?;
        let judge = &self.shared.settings.judge;
        let ActOnPuzzle { puzzle, action, actor, expected_version, request_id, verdicts, mut may } = request;
        may.commands = judge.names();
        let actor = match actor {
            Some(name) => Some(named("actor", &name)?),
            None => caller.is_verified.then(Handle::user),
        };
        let is_person_verified = caller.is_verified;
        let mut act = Act { action, actor, is_person_verified, expected_version, request_id, verdicts, may };
        for _ in 0..MAX_RULINGS {
            let acted = self.try_act(&puzzle, &act).await?;
            let Acted::Ask(demand) = &acted else { return Ok(acted) };
            let Whom::Command(name) = &demand.whom else { return Ok(acted) };
            let Ruling { pass, reason } = judge.rule(name, &puzzle, demand).await;
            let entered_version = demand.entered_version;
            act.verdicts.push(Verdict { demand: demand.id.clone(), entered_version, pass, reason });
        }
        Err(self
            .refused_action(&puzzle, Refusal::TooManySteps { action: act.action, limit: MAX_RULINGS })
            .await)
    }

    async fn try_act(&self, puzzle: &str, act: &Act) -> Result<Acted, HubError> {
        let shared = &self.shared;
        let live = shared.puzzle(puzzle).await?;
        let now = shared.clock.now().wall;
        let mut locked = live.log.lock(&*shared.journal).await?;
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
        let events = decided.await.map_err(|error| told(error, &locked))?;
        shared.puzzle_happened(&locked, &events).await;
        let state = PuzzleState::of(locked.state());
        match came.expect("what was decided is known") {
            Step::Done(_) => Ok(Acted::Done(state)),
            Step::Pending { guards, .. } => Ok(Acted::Pending(state, guards)),
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
        let answer = Answer { guard, pass, reason, by, is_person_verified: caller.is_verified, request_id };
        let shared = &self.shared;
        let live = shared.puzzle(&puzzle).await?;
        let now = shared.clock.now().wall;
        let mut locked = live.log.lock(&*shared.journal).await?;
        let decided = locked.decide(now, |puzzle| puzzle.answer(&answer, now)).await;
        let events = decided.map_err(|error| told(error, &locked))?;
        shared.puzzle_happened(&locked, &events).await;
        Ok((PuzzleState::of(locked.state()), events))
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
        let now = shared.clock.now().wall;
        let mut locked = match live.log.lock(&*shared.journal).await {
            Err(HubError::LogDamaged { .. }) => return shared.give_up_puzzle(&live).await.map(|()| None),
            locked => locked?,
        };
        let removed = locked.decide(now, |puzzle| puzzle.remove(by.clone(), now).map(|event| vec![event]));
        let events = removed.await.map_err(|error| told(error, &locked))?;
        shared.puzzle_happened(&locked, &events).await;
        let state = PuzzleState::of(locked.state());
        drop(locked);
        shared.forget_puzzle(puzzle, now).await?;
        Ok(Some(state))
    }

    /// Why an action was refused, with how the puzzle stands.
    pub async fn refused_action(&self, puzzle: &str, refusal: Refusal) -> HubError {
        let state = self.puzzle(puzzle).await.ok().map(Box::new);
        HubError::Puzzle { refusal, state }
    }
}

impl Shared {
    /// Tells of what has happened. The puzzle stays locked until its room knows, so that it is told in order.
    pub(super) async fn puzzle_happened(self: &Arc<Self>, locked: &Locked<'_, Puzzle>, events: &[Event]) {
        if !events.is_empty() {
            self.puzzle_changed(locked.state());
            self.tell_room_of(locked.state(), events).await;
        }
    }
}

/// Whoever was refused learns how the puzzle stands.
fn told(error: HubError, locked: &Locked<'_, Puzzle>) -> HubError {
    match error {
        HubError::Puzzle { refusal, state: None } => {
            HubError::Puzzle { refusal, state: Some(Box::new(PuzzleState::of(locked.state()))) }
        }
        error => error,
    }
}

/// A participant by its handle, with or without the `@`.
fn named(field: &'static str, name: &str) -> Result<Handle, HubError> {
    Handle::parse(name.trim()).map_err(|error| HubError::argument(field, error.to_string(), &[]))
}
