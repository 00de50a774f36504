//! Time has passed: timers of states, and questions that nobody has answered.

use chrono::{DateTime, TimeDelta, Utc};

use super::act::{Edge, attempt};
use super::answer::{by_machine, no};
use super::{State, Wish, too_much};
use crate::puzzle::command::{Demand, Next, Programs};
use crate::puzzle::effort::Effort;
use crate::puzzle::event::{Cause, Event};
use crate::puzzle::facts::Facts;
use crate::puzzle::guard::Rule;
use crate::puzzle::judge::{No, Stop};
use crate::puzzle::limits::{MAX_AT_ONCE, MAX_EFFORT};
use crate::puzzle::machine::StateId;
use crate::puzzle::refusal::Refusal;
use crate::puzzle::walk::Pick;

/// What is due at some time.
enum Deadline {
    Timer(StateId, u64),
    Expiry(String),
}

/// When something is due next.
pub(in crate::puzzle) fn due(state: &State) -> Option<DateTime<Utc>> {
    deadlines(state).into_iter().map(|(at, _)| at).min()
}

/// The events that are due and need nobody, in the order of their deadlines. What is late happens at once; if very much
/// is, the rest is due again. A timer that a program has to let pass stays due.
pub(in crate::puzzle) fn tick(state: &State, now: DateTime<Utc>) -> Vec<Event> {
    let mut events = Vec::new();
    let mut then: Option<State> = None;
    loop {
        let state = then.as_ref().unwrap_or(state);
        if events.len() == MAX_AT_ONCE {
            return events;
        }
        let Some(event) = first(state, now) else { return events };
        let mut after = state.clone();
        after.apply(&event);
        then = Some(after);
        events.push(event);
    }
}

/// The first event that is due and needs nobody.
fn first(state: &State, now: DateTime<Utc>) -> Option<Event> {
    due_now(state, now).into_iter().find_map(|deadline| match deadline {
        Deadline::Timer(source, ms) => {
            let effort = Effort::of(MAX_EFFORT);
            ring(state, source, ms, Edge::nobody(&effort), now).ok()
        }
        Deadline::Expiry(guard) => Some(expire(state, &guard, now)),
    })
}

/// What the timers that are due come to when programs are asked: the first of them. [`tick`] has all others.
pub(super) fn go_on(state: &State, programs: &Programs, now: DateTime<Utc>) -> Option<Next> {
    due_now(state, now).into_iter().find_map(|deadline| {
        let Deadline::Timer(source, ms) = deadline else { return None };
        let [alone, with_programs] = [(); 2].map(|()| Effort::of(MAX_EFFORT));
        ring(state, source, ms, Edge::nobody(&alone), now).err()?;
        match ring(state, source, ms, Edge::programs(programs, &with_programs), now) {
            Ok(event) => Some(Next::Happens(Box::new(event))),
            Err(demand) => demand.map(Next::Ask),
        }
    })
}

/// Which transition a timer means.
pub(super) fn select<'a>(
    state: &'a State,
    name: &str,
    ms: u64,
    facts: &Facts<'_>,
) -> Result<Pick<'a>, Refusal> {
    let action = format!("after {ms} ms");
    let found = state.machine.find(name);
    let candidates = found.and_then(|id| state.machine.state(id).after.get(&ms));
    let Some((source, candidates)) = found.zip(candidates) else {
        return Err(Refusal::UnknownAction { action, state: name.to_owned(), allowed: Vec::new() });
    };
    let mut broken = None;
    for (number, transition) in candidates.iter().enumerate() {
        match facts.first_broken(transition) {
            _ if facts.effort.is_spent() => return Err(too_much(action)),
            None => return Ok(Pick { source, number, transition }),
            Some(rule) => broken = broken.or(Some(rule)),
        }
    }
    let why = broken.map_or_else(String::new, Rule::wish);
    let guard = format!("the guard of `{action}` in `{name}`");
    Err(Refusal::GuardRefused { action, guard, by: None, why })
}

/// When a timer runs out next.
pub(in crate::puzzle) fn timer(state: &State) -> Option<DateTime<Utc>> {
    if state.is_removed { None } else { timers(state).map(|(at, _)| at).min() }
}

/// What is due by now, the earliest first.
fn due_now(state: &State, now: DateTime<Utc>) -> Vec<Deadline> {
    let mut due = deadlines(state);
    due.retain(|(at, _)| *at <= now);
    due.sort_by_key(|(at, _)| *at);
    due.into_iter().map(|(_, deadline)| deadline).collect()
}

fn deadlines(state: &State) -> Vec<(DateTime<Utc>, Deadline)> {
    if state.is_removed {
        return Vec::new();
    }
    let expiries = state
        .pendings
        .iter()
        .filter_map(|pending| Some((pending.expires?, Deadline::Expiry(pending.id.clone()))));
    timers(state).chain(expiries).collect()
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

/// A timer runs out. Gives whom to ask first, if that is somebody of the edge, who may be asked later only.
fn ring(
    state: &State,
    source: StateId,
    ms: u64,
    edge: Edge<'_>,
    now: DateTime<Utc>,
) -> Result<Event, Option<Box<Demand>>> {
    let name = state.machine.state(source).path.clone();
    let cause = Cause::Timer { state: name.clone(), ms };
    let wish = Wish { cause, actor: None, verified: false, request: None };
    let facts = wish.facts(state, edge.effort, now);
    let found = match select(state, &name, ms, &facts) {
        Ok(found) => found,
        Err(Refusal::GuardRefused { guard, why, .. }) => {
            return Ok(wish.refused(None, No { guard, by: None, why, was_asked: false }, now));
        }
        Err(other) => return Ok(wish.refused(None, by_machine(other.to_string()), now)),
    };
    Ok(match attempt(state, &wish, found, Vec::new(), edge, now) {
        Ok(way) => wish.moved(state, way, now),
        Err(Stop::Ask(demand)) => return Err(Some(demand)),
        Err(Stop::NotNow(_)) => return Err(None),
        Err(Stop::Panel(question)) => match state.has_room_for_a_question() {
            Ok(()) => Event::GuardAsked { pending: Box::new(wish.asked(state, *question, 0, now)) },
            Err(refusal) => {
                let no = No { guard: question.guard, by: None, why: refusal.to_string(), was_asked: false };
                wish.refused(None, no, now)
            }
        },
        Err(stop) => wish.refused(None, no(stop), now),
    })
}

/// Nobody has answered in time.
fn expire(state: &State, guard: &str, now: DateTime<Utc>) -> Event {
    let pending = state.pendings.iter().find(|pending| pending.id == guard).expect("it is due, so it waits");
    let why = "nobody has answered in time".to_owned();
    let no = No { guard: pending.guard.clone(), by: None, why, was_asked: true };
    Wish::of(pending).refused(Some(pending.id.clone()), no, now)
}
