//! Somebody wants to do something.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::{Wish, checked_id, checked_reason, select, too_many_steps};
use crate::puzzle::command::{Act, Step, Verdict, Whom};
use crate::puzzle::event::{Cause, Event};
use crate::puzzle::facts::{Doer, Facts};
use crate::puzzle::judge::{Judge, No, Reach, Stop};
use crate::puzzle::machine::{StateId, Transition};
use crate::puzzle::pending::Finding;
use crate::puzzle::refusal::Refusal;
use crate::puzzle::state::State;
use crate::puzzle::walk::{Way, walk};
use crate::room::{Handle, mark};

/// Does something, or says what it waits for.
pub(in crate::puzzle) fn act(state: &State, act: &Act, now: DateTime<Utc>) -> Result<Step, Refusal> {
    state.is_here()?;
    checked_id(act.request_id.as_ref())?;
    act.verdicts.iter().try_for_each(|verdict| checked_reason(verdict.reason.as_ref()))?;
    let wish = Wish {
        cause: Cause::Action(act.action.clone()),
        actor: act.actor.clone(),
        verified: act.is_person_verified,
        request: act
            .request_id
            .clone()
            .map(|id| (id, mark(&json!(["act", act.action, act.actor.as_ref().map(Handle::key)])))),
    };
    if let Some(step) = known(state, &wish)? {
        return Ok(step);
    }
    let waiting = state.waiting(&wish.cause, wish.actor.as_ref());
    if let Some(pending) = waiting.filter(|pending| !pending.has_passed()) {
        return Ok(Step::Pending { events: Vec::new(), guards: vec![pending.clone()] });
    }
    // What has happened since its own question was asked is no news to the actor; a move is, and drops the question.
    let is_known = |expected: u64| match waiting {
        Some(_) => (state.entered_version..=state.version).contains(&expected),
        None => expected == state.version,
    };
    if let Some(expected) = act.expected_version.filter(|expected| !is_known(*expected)) {
        return Err(state.conflict(expected));
    }
    if let Some(late) = act.verdicts.iter().find(|verdict| verdict.entered_version != state.entered_version) {
        return Err(state.conflict(late.entered_version));
    }
    let facts = Facts { place: &state.place, doer: wish.doer(), now };
    let (source, transition) = select(state, &act.action, &facts)?;
    let findings = waiting.map(|pending| pending.findings.clone()).unwrap_or_default();
    let edge = Edge { verdicts: &act.verdicts, reach: Reach::Only(&act.may) };
    let before = waiting.map(|pending| pending.id.clone());
    match (attempt(state, &wish, (source, transition), findings, edge, now), waiting) {
        (Ok(way), _) => Ok(Step::Done(vec![wish.moved(state, way, now)])),
        // What goes on after an answer is the hub's, as far as programs are asked.
        (Err(Stop::Ask(demand)), Some(pending)) if matches!(demand.whom, Whom::Command(_)) => {
            Ok(Step::Pending { events: Vec::new(), guards: vec![pending.clone()] })
        }
        (Err(stop), _) => stopped(state, wish, before, stop, now),
    }
}

/// Whether an actor could do this now, though somebody may have to be asked first.
pub(in crate::puzzle) fn can(state: &State, action: &str, doer: Doer<'_>, now: DateTime<Utc>) -> bool {
    let facts = Facts { place: &state.place, doer, now };
    let Ok(found) = select(state, action, &facts) else { return false };
    let (actor, verified) = (doer.handle.cloned(), doer.is_person_verified);
    let wish = Wish { cause: Cause::Action(action.to_owned()), actor, verified, request: None };
    let edge = Edge { verdicts: &[], reach: Reach::Nobody };
    let tried = attempt(state, &wish, found, Vec::new(), edge, now);
    matches!(tried, Ok(_) | Err(Stop::Panel(_) | Stop::NotNow(_)))
}

/// Whom the edge has asked, and can ask.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub verdicts: &'a [Verdict],
    pub reach: Reach<'a>,
}

/// Tries one transition and all that follows it.
pub(super) fn attempt(
    state: &State,
    wish: &Wish,
    (source, transition): (StateId, &Transition),
    findings: Vec<Finding>,
    edge: Edge<'_>,
    now: DateTime<Utc>,
) -> Result<Way, Stop> {
    let judge = Judge {
        puzzle: &state.about.puzzle,
        entered_version: state.entered_version,
        state: state.path(),
        target: String::new(),
        cause: &wish.cause,
        doer: wish.doer(),
        now,
        findings,
        verdicts: edge.verdicts,
        reach: edge.reach,
    };
    walk(&state.machine, state.place.clone(), source, transition, judge)
}

fn known(state: &State, wish: &Wish) -> Result<Option<Step>, Refusal> {
    let Some((id, mark)) = &wish.request else { return Ok(None) };
    match state.request(id) {
        Some((before, past)) if before == mark => Ok(Some(Step::Same(past.clone()))),
        Some(_) => Err(Refusal::RequestIdReused { id: id.clone() }),
        None => Ok(None),
    }
}

fn stopped(
    state: &State,
    wish: Wish,
    before: Option<String>,
    stop: Stop,
    now: DateTime<Utc>,
) -> Result<Step, Refusal> {
    let action = wish.name();
    match stop {
        Stop::Refused(no) => {
            let No { guard, by, why, was_asked } = &no;
            let refusal =
                Refusal::GuardRefused { action, guard: guard.clone(), by: by.clone(), why: why.clone() };
            if !was_asked {
                return Err(refusal);
            }
            Ok(Step::Refused { events: vec![wish.refused(before, no, now)], refusal })
        }
        Stop::Unavailable { guard, needs } => Err(Refusal::GuardUnavailable { action, guard, needs }),
        Stop::Ask(demand) => Ok(Step::Ask(demand)),
        Stop::Panel(question) => {
            if before.is_none() {
                state.has_room_for_a_question()?;
            }
            let pending = wish.asked(state, *question, 0, now);
            let asked = Event::GuardAsked { pending: Box::new(pending.clone()) };
            Ok(Step::Pending { events: vec![asked], guards: vec![pending] })
        }
        Stop::NotNow(_) => unreachable!("the actor is here"),
        Stop::TooManySteps => Err(too_many_steps(action)),
    }
}
