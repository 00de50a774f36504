//! Somebody answers a guard.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::act::{Edge, attempt};
use super::{Wish, checked_id, checked_reason, select};
use crate::puzzle::command::Answer;
use crate::puzzle::effort::Effort;
use crate::puzzle::event::{Cause, Event, Given};
use crate::puzzle::facts::Doer;
use crate::puzzle::judge::{No, Stop};
use crate::puzzle::limits::{MAX_EFFORT, MAX_STEPS};
use crate::puzzle::pending::Pending;
use crate::puzzle::refusal::Refusal;
use crate::puzzle::state::State;
use crate::puzzle::walk::Way;
use crate::room::{Handle, mark};

/// Takes an answer, and goes on if it was the last that was needed. No events: it was given before.
pub(in crate::puzzle) fn answer(
    state: &State,
    answer: &Answer,
    now: DateTime<Utc>,
) -> Result<Vec<Event>, Refusal> {
    state.is_here()?;
    checked_id(answer.request_id.as_ref())?;
    checked_reason(answer.reason.as_ref())?;
    let text = json!(["answer", answer.guard, answer.pass, answer.reason, answer.by.key()]);
    let by = Doer { handle: Some(&answer.by), is_person_verified: answer.is_person_verified };
    let request = answer.request_id.clone().map(|id| (id, mark(&text)));
    if let Some((id, mark)) = &request
        && let Some((before, _)) = state.request(by, id)
    {
        return if before == mark {
            Ok(Vec::new())
        } else {
            Err(Refusal::RequestIdReused { id: id.clone() })
        };
    }
    let pending = asked(state, answer)?;
    let given = Given {
        guard: answer.guard.clone(),
        by: answer.by.clone(),
        verified: answer.is_person_verified,
        pass: answer.pass,
        reason: answer.reason.clone(),
        at: now,
        request,
    };
    let mut heard = pending.clone();
    heard.hear(&given);
    let mut events = vec![Event::VerdictGiven(Box::new(given))];
    events.extend(settled(state, &heard, answer, now));
    Ok(events)
}

/// The question that is answered, if this one is asked it.
fn asked<'a>(state: &'a State, answer: &Answer) -> Result<&'a Pending, Refusal> {
    let guard = answer.guard.clone();
    let open = || state.pendings.iter().filter(|one| !one.has_passed());
    let found = state.pendings.iter().find(|pending| pending.id == guard);
    let Some(pending) = found.filter(|pending| !pending.has_passed()) else {
        let allowed = open().map(|pending| pending.id.clone()).collect();
        return Err(if found.is_some() || state.is_settled(&guard) {
            let (version, path) = (state.version, state.path().to_owned());
            Refusal::AlreadySettled { guard, version, state: path, allowed }
        } else {
            Refusal::UnknownGuard { guard, allowed }
        });
    };
    let asks = pending.open_to();
    if !asks.contains(&answer.by) {
        return Err(Refusal::NotAsked { guard, by: answer.by.clone(), asks });
    }
    if answer.by == Handle::user() && !answer.is_person_verified {
        return Err(Refusal::NeedsPerson { what: format!("an answer of `@user` to guard `{guard}`") });
    }
    Ok(pending)
}

/// What follows once an answer was heard.
fn settled(state: &State, heard: &Pending, answer: &Answer, now: DateTime<Utc>) -> Option<Event> {
    let wish = Wish::of(heard);
    let id = Some(heard.id.clone());
    if heard.has_failed() {
        let why = answer.reason.clone().unwrap_or_else(|| "no reason was given".to_owned());
        let no = No { guard: heard.guard.clone(), by: Some(answer.by.clone()), why, was_asked: true };
        return Some(wish.refused(id, no, now));
    }
    if !heard.has_passed() {
        return None;
    }
    let effort = Effort::of(MAX_EFFORT);
    match resume(state, &wish, heard, Edge::nobody(&effort), now) {
        Ok(way) => Some(wish.moved(state, way, now)),
        Err(Stop::NotNow(_)) => None,
        Err(Stop::Panel(question)) => {
            let pending = Box::new(wish.asked(state, *question, 1, now));
            Some(Event::GuardAsked { pending })
        }
        Err(stop) => Some(wish.refused(id, no(stop), now)),
    }
}

/// The rest of the guards, once more from the first.
pub(super) fn resume(
    state: &State,
    wish: &Wish,
    heard: &Pending,
    edge: Edge<'_>,
    now: DateTime<Utc>,
) -> Result<Way, Stop> {
    let facts = wish.facts(state, edge.effort, now);
    let found = match &wish.cause {
        Cause::Action(action) => select(state, action, &facts),
        Cause::Timer { state: name, ms } => super::tick::select(state, name, *ms, &facts),
    };
    let found = found.map_err(|refusal| Stop::Refused(by_machine(refusal.to_string())))?;
    attempt(state, wish, found, heard.findings.clone(), edge, now)
}

/// The machine itself says no.
pub(super) fn by_machine(why: String) -> No {
    No { guard: "the machine".to_owned(), by: None, why, was_asked: false }
}

/// Why nothing can come of it.
pub(super) fn no(stop: Stop) -> No {
    match stop {
        Stop::Refused(no) => no,
        Stop::Unavailable { guard, needs } => {
            No { guard, by: None, why: format!("it needs {needs}"), was_asked: false }
        }
        Stop::TooMuch => by_machine(format!("there is more to look at than {MAX_EFFORT} times")),
        Stop::TooManySteps | Stop::Ask(_) | Stop::Panel(_) | Stop::NotNow(_) => {
            by_machine(format!("it would take more than {MAX_STEPS} steps"))
        }
    }
}
