//! Time has passed: timers of states, and questions that nobody has answered.

use chrono::{DateTime, TimeDelta, Utc};

use super::act::{Edge, attempt};
use super::answer::no;
use super::{State, Wish};
use crate::puzzle::command::May;
use crate::puzzle::event::{Cause, Event};
use crate::puzzle::facts::Facts;
use crate::puzzle::judge::{No, Stop};
use crate::puzzle::machine::{StateId, Transition};
use crate::puzzle::refusal::Refusal;

/// What is due at some time.
enum Deadline {
    Timer(StateId, u64),
    Expiry(String),
}

/// When something is due next.
pub(in crate::puzzle) fn due(state: &State) -> Option<DateTime<Utc>> {
    next(state).map(|(at, _)| at)
}

/// The events that are due, in the order of their deadlines. What is late happens at once.
pub(in crate::puzzle) fn tick(state: &State, now: DateTime<Utc>) -> Vec<Event> {
    let mut events = Vec::new();
    let mut then: Option<State> = None;
    loop {
        let state = then.as_ref().unwrap_or(state);
        let Some((_, deadline)) = next(state).filter(|(at, _)| *at <= now) else { return events };
        let event = match deadline {
            Deadline::Timer(source, ms) => ring(state, source, ms, now),
            Deadline::Expiry(guard) => expire(state, &guard, now),
        };
        let mut after = state.clone();
        after.apply(&event);
        then = Some(after);
        events.push(event);
    }
}

/// Which transition a timer means.
pub(super) fn select<'a>(
    state: &'a State,
    name: &str,
    ms: u64,
    facts: &Facts<'_>,
) -> Result<(StateId, &'a Transition), Refusal> {
    let action = format!("after {ms} ms");
    let found = state.machine.find(name);
    let candidates = found.and_then(|id| state.machine.state(id).after.get(&ms));
    let Some((source, candidates)) = found.zip(candidates) else {
        return Err(Refusal::UnknownAction { action, state: name.to_owned(), allowed: Vec::new() });
    };
    let mut broken = None;
    for transition in candidates {
        match facts.first_broken(&transition.guard) {
            None => return Ok((source, transition)),
            Some(rule) => broken = broken.or(Some(rule)),
        }
    }
    let why = broken.map_or_else(String::new, |rule| format!("it wants that {rule}"));
    let guard = format!("the guard of `{action}` in `{name}`");
    Err(Refusal::GuardRefused { action, guard, by: None, why })
}

/// When a timer runs out next.
pub(in crate::puzzle) fn timer(state: &State) -> Option<DateTime<Utc>> {
    if state.is_removed { None } else { timers(state).map(|(at, _)| at).min() }
}

fn next(state: &State) -> Option<(DateTime<Utc>, Deadline)> {
    if state.is_removed {
        return None;
    }
    let expiries = state
        .pendings
        .iter()
        .filter_map(|pending| Some((pending.expires?, Deadline::Expiry(pending.id.clone()))));
    timers(state).chain(expiries).min_by_key(|(at, _)| *at)
}

/// The timers that run.
fn timers(state: &State) -> impl Iterator<Item = (DateTime<Utc>, Deadline)> {
    let machine = &state.machine;
    machine.active(state.place.current).flat_map(move |id| {
        let entered = state.place.entered_at(id).unwrap_or(state.about.at);
        let running = machine.state(id).after.keys().filter(move |ms| !state.is_spent(id, **ms));
        running.filter_map(move |ms| {
            let at = entered.checked_add_signed(TimeDelta::milliseconds(i64::try_from(*ms).ok()?))?;
            Some((at, Deadline::Timer(id, *ms)))
        })
    })
}

/// A timer runs out.
fn ring(state: &State, source: StateId, ms: u64, now: DateTime<Utc>) -> Event {
    let name = state.machine.state(source).path.clone();
    let cause = Cause::Timer { state: name.clone(), ms };
    let wish = Wish { cause, actor: None, verified: false, request: None };
    let facts = Facts { place: &state.place, doer: wish.doer(), now };
    let found = match select(state, &name, ms, &facts) {
        Ok(found) => found,
        Err(Refusal::GuardRefused { guard, why, .. }) => {
            return wish.refused(None, No { guard, by: None, why, was_asked: false }, now);
        }
        Err(other) => {
            let guard = "the machine".to_owned();
            let no = No { guard, by: None, why: other.to_string(), was_asked: false };
            return wish.refused(None, no, now);
        }
    };
    let nobody = May::default();
    let edge = Edge { verdicts: &[], may: Some(&nobody) };
    match attempt(state, &wish, found, Vec::new(), edge, now) {
        Ok(way) => wish.moved(state, way, now),
        Err(Stop::Panel(question)) => match state.has_room_for_a_question() {
            Ok(()) => Event::GuardAsked { pending: Box::new(wish.asked(state, *question, 0, now)) },
            Err(refusal) => {
                let no = No { guard: question.guard, by: None, why: refusal.to_string(), was_asked: false };
                wish.refused(None, no, now)
            }
        },
        Err(stop) => wish.refused(None, no(stop), now),
    }
}

/// Nobody has answered in time.
fn expire(state: &State, guard: &str, now: DateTime<Utc>) -> Event {
    let pending = state.pendings.iter().find(|pending| pending.id == guard).expect("it is due, so it waits");
    let why = "nobody has answered in time".to_owned();
    let no = No { guard: pending.guard.clone(), by: None, why, was_asked: true };
    Wish::of(pending).refused(Some(pending.id.clone()), no, now)
}
