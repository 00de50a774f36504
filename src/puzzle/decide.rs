//! From what is asked to what happens.

mod act;
mod add;
mod answer;
mod go_on;
mod tick;

use chrono::{DateTime, Utc};

pub(super) use act::{act, actions_for};
pub use add::add;
pub(super) use answer::answer;
pub(super) use go_on::{awaited, go_on};
pub(super) use tick::{due, tick, timer};

use super::effort::Effort;
use super::event::{Cause, Event, Joined, Moved, Refused};
use super::facts::{Doer, Facts};
use super::fault::Fault;
use super::judge::{No, Question};
use super::limits::{MAX_EFFORT, MAX_PENDINGS, MAX_REASON, MAX_REQUEST_ID, MAX_STEPS};
use super::pending::{Asked, Pending};
use super::refusal::Refusal;
use super::state::State;
use super::walk::{Pick, Way};
use crate::room::Handle;

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

    fn facts<'a>(&'a self, state: &'a State, effort: &'a Effort, now: DateTime<Utc>) -> Facts<'a> {
        Facts { place: &state.place, doer: self.doer(), now, effort }
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
            verified: self.verified,
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
            verified: self.verified,
            guard: no.guard,
            pending,
            by: no.by,
            why: no.why,
            at: now,
            request: self.request,
        }))
    }

    /// What is kept of it, if it is sent again with another id while a question waits.
    fn joins(self, pending: &Pending, now: DateTime<Utc>) -> Option<Event> {
        let request = self.request?;
        let is_new = pending.requests().all(|known| *known != request);
        is_new.then(|| Event::RequestJoined(Box::new(Joined { guard: pending.id.clone(), request, at: now })))
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
            joined: Vec::new(),
        }
    }
}

/// Which transition an action means, by the rules and the names beside it. An inner state goes before those around it.
fn select<'a>(state: &'a State, action: &str, facts: &Facts<'_>) -> Result<Pick<'a>, Refusal> {
    let (mut who, mut broken, mut is_known) = (Vec::new(), None, false);
    for source in state.machine.active(state.place.current) {
        let Some(candidates) = state.machine.state(source).actions.get(action) else { continue };
        is_known = true;
        for (number, transition) in candidates.iter().enumerate() {
            if !transition.allowed.is_empty() && !facts.doer.is_one_of(&transition.allowed) {
                who.extend(transition.allowed.iter().cloned());
                continue;
            }
            match facts.first_broken(transition) {
                _ if facts.effort.is_spent() => return Err(too_much(action.to_owned())),
                Some(rule) => broken = broken.or(Some((source, rule))),
                None => return Ok(Pick { source, number, transition }),
            }
        }
    }
    let (action, path) = (action.to_owned(), state.path().to_owned());
    if !is_known {
        return Err(Refusal::UnknownAction { action, state: path, allowed: state.actions() });
    }
    if let Some((source, rule)) = broken {
        let guard = format!("the guard of `{action}` in `{}`", state.machine.state(source).path);
        return Err(Refusal::GuardRefused { action, guard, by: None, why: rule.wish() });
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
        match &self.fault {
            _ if self.is_removed => Err(Refusal::Removed),
            Some(fault) => Err(Refusal::NotAccepted { fault: fault.clone() }),
            None => Ok(()),
        }
    }

    fn conflict(&self, expected: u64) -> Refusal {
        let (version, state) = (self.version, self.path().to_owned());
        Refusal::VersionConflict { expected, version, state, allowed: self.actions() }
    }

    fn lapsed(&self, action: String) -> Refusal {
        let (version, state) = (self.version, self.path().to_owned());
        Refusal::Lapsed { action, version, state, allowed: self.actions() }
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
    if id.trim().is_empty() || id.chars().count() > MAX_REQUEST_ID || id.contains(char::is_control) {
        let problem = format!("it must be one line of 1 to {MAX_REQUEST_ID} characters");
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

fn too_much(action: String) -> Refusal {
    Refusal::TooMuch { action, limit: MAX_EFFORT }
}

fn too_many_steps(action: String) -> Refusal {
    Refusal::TooManySteps { action, limit: MAX_STEPS }
}
