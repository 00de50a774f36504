//! From what is asked to what happens.

mod act;
mod add;
mod answer;
mod tick;

use chrono::{DateTime, Utc};

pub(super) use act::{act, can};
pub use add::add;
pub(super) use answer::answer;
pub(super) use tick::{due, tick, timer};

use super::event::{Cause, Event, Moved, Refused};
use super::facts::{Doer, Facts};
use super::fault::Fault;
use super::judge::{No, Question};
use super::machine::{StateId, Transition};
use super::pending::{Asked, Pending};
use super::refusal::Refusal;
use super::state::State;
use super::walk::{MAX_STEPS, Way};
use crate::room::Handle;

/// So many questions may wait at a time.
const MAX_PENDINGS: usize = 16;
/// How many characters an id of a request may have.
const MAX_ID: usize = 200;
/// How many bytes a reason may have.
const MAX_REASON: usize = 4_000;

/// What would move a puzzle, and for whom.
#[derive(Clone, Debug)]
struct Wish {
    cause: Cause,
    actor: Option<Handle>,
    verified: bool,
    request: Option<(String, String)>,
}

impl Wish {
    fn of(pending: &Pending) -> Self {
        let Pending { cause, actor, verified, request, .. } = pending.clone();
        Self { cause, actor, verified, request }
    }

    fn doer(&self) -> Doer<'_> {
        Doer { handle: self.actor.as_ref(), is_person_verified: self.verified }
    }

    /// What it is called in refusals.
    fn name(&self) -> String {
        self.cause.name()
    }

    fn moved(self, state: &State, way: Way, now: DateTime<Utc>) -> Event {
        let (unguarded, verdicts): (Vec<_>, Vec<_>) =
            way.findings.into_iter().partition(|finding| finding.asked == Asked::Nobody);
        Event::PuzzleMoved(Box::new(Moved {
            cause: self.cause,
            actor: self.actor,
            from: state.path().to_owned(),
            to: state.machine.state(way.to).path.clone(),
            through: way.through,
            verdicts,
            unguarded: unguarded.into_iter().map(|finding| finding.guard).collect(),
            set: way.set,
            at: now,
            request: self.request,
        }))
    }

    fn refused(self, pending: Option<String>, no: No, now: DateTime<Utc>) -> Event {
        Event::ActionRefused(Box::new(Refused {
            cause: self.cause,
            actor: self.actor,
            guard: no.guard,
            pending,
            by: no.by,
            why: no.why,
            at: now,
            request: self.request,
        }))
    }

    /// The question that participants are asked; it is the next event but `after`.
    fn asked(self, state: &State, question: Question, after: u64, now: DateTime<Utc>) -> Pending {
        Pending {
            id: format!("g{}", state.version + after + 1),
            entered_version: state.entered_version,
            cause: self.cause,
            actor: self.actor,
            verified: self.verified,
            guard: question.guard,
            check: question.check,
            asks: question.asks,
            quorum: question.quorum,
            question: question.text,
            state: state.path().to_owned(),
            target: question.target,
            findings: question.findings,
            since: now,
            expires: question.expires,
            request: self.request,
        }
    }
}

/// Which transition an action means, by the rules and the names beside it. An inner state goes before those around it.
fn select<'a>(
    state: &'a State,
    action: &str,
    facts: &Facts<'_>,
) -> Result<(StateId, &'a Transition), Refusal> {
    let (mut who, mut broken, mut is_known) = (Vec::new(), None, false);
    for source in state.machine.active(state.place.current) {
        let Some(candidates) = state.machine.state(source).actions.get(action) else { continue };
        is_known = true;
        for transition in candidates {
            if !transition.allowed.is_empty() && !facts.doer.is_one_of(&transition.allowed) {
                who.extend(transition.allowed.iter().cloned());
            } else if let Some(rule) = facts.first_broken(&transition.guard) {
                broken = broken.or(Some((source, rule)));
            } else {
                return Ok((source, transition));
            }
        }
    }
    let (action, path) = (action.to_owned(), state.path().to_owned());
    if !is_known {
        return Err(Refusal::UnknownAction { action, state: path, allowed: state.actions() });
    }
    if let Some((source, rule)) = broken {
        let guard = format!("the guard of `{action}` in `{}`", state.machine.state(source).path);
        return Err(Refusal::GuardRefused { action, guard, by: None, why: format!("it wants that {rule}") });
    }
    if facts.doer.lacks_a_person(&who) {
        return Err(Refusal::NeedsPerson { what: format!("`{action}`") });
    }
    who.sort();
    who.dedup();
    Err(Refusal::NotAllowed { action, state: path, who })
}

impl State {
    /// The names of all actions of the present state and those around it.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut names = Vec::new();
        for id in self.machine.active(self.place.current) {
            for name in self.machine.state(id).actions.keys() {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        names
    }

    fn is_here(&self) -> Result<(), Refusal> {
        if self.is_removed { Err(Refusal::Removed) } else { Ok(()) }
    }

    fn conflict(&self, expected: u64) -> Refusal {
        let (version, state) = (self.version, self.path().to_owned());
        Refusal::VersionConflict { expected, version, state, allowed: self.actions() }
    }

    fn has_room_for_a_question(&self) -> Result<(), Refusal> {
        if self.pendings.len() < MAX_PENDINGS {
            return Ok(());
        }
        let problem = format!("{MAX_PENDINGS} guards wait for an answer already, and no more may");
        Err(Refusal::LimitExceeded(vec![Fault::limit("guards", problem)]))
    }
}

/// An id that a caller gave its request, if it can be one.
fn checked_id(id: Option<&String>) -> Result<(), Refusal> {
    let Some(id) = id else { return Ok(()) };
    if id.trim().is_empty() || id.chars().count() > MAX_ID || id.contains(char::is_control) {
        let problem = format!("it must be one line of 1 to {MAX_ID} characters");
        return Err(Refusal::Invalid(vec![Fault::new("request_id", problem)]));
    }
    Ok(())
}

fn checked_reason(reason: Option<&String>) -> Result<(), Refusal> {
    let bytes = reason.map_or(0, String::len);
    if bytes > MAX_REASON {
        let problem = format!("it has {bytes} bytes, and {MAX_REASON} are allowed");
        return Err(Refusal::LimitExceeded(vec![Fault::limit("reason", problem)]));
    }
    Ok(())
}

fn too_many_steps(action: String) -> Refusal {
    Refusal::TooManySteps { action, limit: MAX_STEPS }
}
