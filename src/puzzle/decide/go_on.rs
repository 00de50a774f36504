//! What goes on without its actor: after answers, and when time has passed. Only programs are asked for it.

use chrono::{DateTime, Utc};

use super::act::Edge;
use super::answer::{no, resume};
use super::{Wish, tick};
use crate::puzzle::command::{Next, Programs};
use crate::puzzle::effort::Effort;
use crate::puzzle::event::Event;
use crate::puzzle::judge::{Reach, Stop};
use crate::puzzle::limits::MAX_EFFORT;
use crate::puzzle::pending::Pending;
use crate::puzzle::state::State;
use crate::room::Handle;

/// What comes next: of the questions that were answered, then of the timers that are due.
pub(in crate::puzzle) fn go_on(state: &State, programs: &Programs, now: DateTime<Utc>) -> Option<Next> {
    if state.is_removed {
        return None;
    }
    let passed = state.pendings.iter().filter(|pending| pending.has_passed());
    let mut nexts = passed.filter_map(|pending| next(state, pending, programs, now));
    nexts.next().or_else(|| tick::go_on(state, programs, now))
}

/// Those whose actions wait for themselves: what is left to ask can be asked at their clients only.
pub(in crate::puzzle) fn awaited(state: &State, programs: &[String], now: DateTime<Utc>) -> Vec<Handle> {
    let is_awaited = |pending: &&Pending| {
        let effort = Effort::of(MAX_EFFORT);
        let edge = Edge { verdicts: &[], reach: Reach::Programs(programs), effort: &effort };
        pending.has_passed()
            && matches!(resume(state, &Wish::of(pending), pending, edge, now), Err(Stop::NotNow(_)))
    };
    state.pendings.iter().filter(is_awaited).filter_map(|pending| pending.actor.clone()).collect()
}

fn next(state: &State, pending: &Pending, programs: &Programs, now: DateTime<Utc>) -> Option<Next> {
    let (wish, id) = (Wish::of(pending), Some(pending.id.clone()));
    let effort = Effort::of(MAX_EFFORT);
    let event = match resume(state, &wish, pending, Edge::programs(programs, &effort), now) {
        Ok(way) => wish.moved(state, way, now),
        Err(Stop::Ask(demand)) => return Some(Next::Ask(demand)),
        Err(Stop::NotNow(findings)) if findings.len() > pending.findings.len() => {
            let findings = findings.into_iter().skip(pending.findings.len()).collect();
            Event::GuardsPassed { guard: pending.id.clone(), findings, at: now }
        }
        Err(Stop::NotNow(_)) => return None,
        Err(Stop::Panel(question)) => {
            Event::GuardAsked { pending: Box::new(wish.asked(state, *question, 0, now)) }
        }
        Err(stop) => wish.refused(id, no(stop), now),
    };
    Some(Next::Happens(Box::new(event)))
}
