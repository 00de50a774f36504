//! Somebody wants to do something.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::json;

use super::{Wish, checked_id, checked_reason, select, too_many_steps, too_much};
use crate::puzzle::command::{Act, Programs, Step, Verdict, Whom};
use crate::puzzle::effort::Effort;
use crate::puzzle::event::{Cause, Event};
use crate::puzzle::facts::Doer;
use crate::puzzle::judge::{Judge, No, Reach, Stop};
use crate::puzzle::limits::{MAX_EFFORT, MAX_LOOK, MAX_LOOKS};
use crate::puzzle::pending::{Finding, Pending};
use crate::puzzle::refusal::Refusal;
use crate::puzzle::state::State;
use crate::puzzle::walk::{Pick, Way, walk};
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
    let effort = Effort::of(MAX_EFFORT);
    let edge = Edge { verdicts: &act.verdicts, reach: Reach::Only(&act.may), effort: &effort };
    let waiting = state.waiting(&wish.cause, wish.doer());
    if let Some(pending) = waiting.filter(|pending| still_waits(state, &wish, pending, edge, now)) {
        return Ok(waits_on(wish, pending, now));
    }
    // What has happened since its own question was asked is no news to the actor; a move is, and drops the question.
    let is_known = |expected: u64| match waiting {
        Some(_) => (state.entered_version..=state.version).contains(&expected),
        None => expected == state.version,
    };
    if let Some(expected) = act.expected_version.filter(|expected| !is_known(*expected)) {
        return Err(state.conflict(expected));
    }
    if act.verdicts.iter().any(|verdict| verdict.entered_version != state.entered_version) {
        return Err(state.lapsed(wish.name()));
    }
    let pick = select(state, &act.action, &wish.facts(state, &effort, now))?;
    let findings = waiting.map(|pending| pending.findings.clone()).unwrap_or_default();
    let before = waiting.map(|pending| pending.id.clone());
    match (attempt(state, &wish, pick, findings, edge, now), waiting) {
        (Ok(way), _) => Ok(Step::Done(vec![wish.moved(state, way, now)])),
        // What goes on after an answer is the hub's, as far as programs are asked.
        (Err(Stop::Ask(demand)), Some(pending)) if matches!(demand.whom, Whom::Command(_)) => {
            Ok(waits_on(wish, pending, now))
        }
        (Err(stop), _) => stopped(state, wish, before, stop, now),
    }
}

/// The same question waits on, also for this request.
fn waits_on(wish: Wish, pending: &Pending, now: DateTime<Utc>) -> Step {
    Step::Pending {
        events: wish.joins(pending, now).into_iter().collect(),
        pending: Box::new(pending.clone()),
    }
}

/// Whether a question waits on, and is still the one that would be asked. It is not, if the action leads elsewhere now.
fn still_waits(state: &State, wish: &Wish, pending: &Pending, edge: Edge<'_>, now: DateTime<Utc>) -> bool {
    if pending.has_passed() {
        return false;
    }
    let Ok(pick) = select(state, &wish.name(), &wish.facts(state, edge.effort, now)) else { return true };
    match attempt(state, wish, pick, pending.findings.clone(), edge, now) {
        Err(Stop::Panel(question)) => question.check == pending.check,
        // Whoever sits at the acting client has refused meanwhile.
        Err(Stop::Refused(no)) if no.was_asked => false,
        Ok(_) | Err(Stop::Ask(_)) => false,
        Err(_) => true,
    }
}

/// Of each action of the present state, whether somebody can do it now, though others may have to be asked first. Where
/// that costs too much to tell, the action itself will.
pub(in crate::puzzle) fn actions_for(
    state: &State,
    doer: Doer<'_>,
    now: DateTime<Utc>,
) -> Vec<(String, Result<(), Refusal>)> {
    let mut left = MAX_LOOKS;
    let look = |action: String| {
        let may_spend = left.min(MAX_LOOK);
        let effort = Effort::of(may_spend);
        let can = can(state, &action, doer, &effort, now);
        left -= may_spend - effort.left();
        (action, if effort.is_spent() { Ok(()) } else { can })
    };
    state.actions().into_iter().map(look).collect()
}

/// Whether an actor could do this now, or why not.
fn can(
    state: &State,
    action: &str,
    doer: Doer<'_>,
    effort: &Effort,
    now: DateTime<Utc>,
) -> Result<(), Refusal> {
    let (actor, verified) = (doer.handle.cloned(), doer.is_person_verified);
    let wish = Wish { cause: Cause::Action(action.to_owned()), actor, verified, request: None };
    let pick = select(state, action, &wish.facts(state, effort, now))?;
    let edge = Edge::nobody(effort);
    match attempt(state, &wish, pick, Vec::new(), edge, now) {
        Ok(_) | Err(Stop::Ask(_) | Stop::Panel(_) | Stop::NotNow(_)) => Ok(()),
        Err(stop) => stopped(state, wish, None, stop, now).map(|_| ()),
    }
}

/// Whom the edge has asked, and can ask; and how much may be looked at.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub verdicts: &'a [Verdict],
    pub reach: Reach<'a>,
    pub effort: &'a Effort,
}

impl<'a> Edge<'a> {
    /// Whoever could be asked is asked later.
    pub(super) fn nobody(effort: &'a Effort) -> Self {
        Self { verdicts: &[], reach: Reach::Nobody, effort }
    }

    /// Programs are asked; for the rest the actor has to come.
    pub(super) fn programs(programs: &'a Programs, effort: &'a Effort) -> Self {
        Self { verdicts: &programs.verdicts, reach: Reach::Programs(&programs.names), effort }
    }
}

/// Tries one transition and all that follows it.
pub(super) fn attempt(
    state: &State,
    wish: &Wish,
    pick: Pick<'_>,
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
        effort: edge.effort,
        way: String::new(),
        asked: BTreeSet::new(),
    };
    walk(&state.machine, state.place.clone(), pick, judge)
}

fn known(state: &State, wish: &Wish) -> Result<Option<Step>, Refusal> {
    let Some((id, mark)) = &wish.request else { return Ok(None) };
    match state.request(wish.doer(), id) {
        Some((before, past)) if before == mark => Ok(past.map(Step::Same)),
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
            let pending = Box::new(wish.asked(state, *question, 0, now));
            let asked = Event::GuardAsked { pending: pending.clone() };
            Ok(Step::Pending { events: vec![asked], pending })
        }
        Stop::NotNow(_) => unreachable!("the actor is here"),
        Stop::TooManySteps => Err(too_many_steps(action)),
        Stop::TooMuch => Err(too_much(action)),
    }
}
