//! Who is called and does not answer: an agent that is mentioned and does not come, or a person who is asked. After
//! four leases the room is told, once, so that no message lies unread for days without anybody knowing.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::Handle;
use super::event::Event;
use super::participant::Status;
use super::state::State;

/// The room is told after so many leases.
const LEASES: u32 = 4;

/// Who is called and does not answer. Like every deadline it lives in memory and begins anew after a restart; that
/// the room was told is an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unanswered(BTreeMap<Handle, Call>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Since(Duration),
    Told(DateTime<Utc>),
}

impl Unanswered {
    /// Follows an event that `state` has applied already.
    pub(super) fn apply(&mut self, state: &State, event: &Event, now: Duration) {
        let called = match event {
            Event::Queued { handles, .. } => handles.as_slice(),
            Event::Posted(posted) => &posted.asked,
            Event::Lapsed { handle, .. } | Event::WentAway { handle, .. } => std::slice::from_ref(handle),
            _ => &[],
        };
        for handle in called.iter().filter(|handle| is_called(state, handle)) {
            self.0.entry(handle.clone()).or_insert(Call::Since(now));
        }
        if let Event::Unanswered { handle, at, .. } = event {
            self.0.insert(handle.clone(), Call::Told(*at));
        }
        self.0.retain(|handle, _| is_called(state, handle));
    }

    /// Who is called and not told of yet, and when the room is to be told. Time before `awake` does not count.
    pub(super) fn due(&self, state: &State, awake: Duration) -> impl Iterator<Item = (&Handle, Duration)> {
        let limit = state.policy().turn_lease.saturating_mul(LEASES);
        self.0.iter().filter_map(move |(handle, call)| match call {
            Call::Since(since) => Some((handle, awake.max(*since).saturating_add(limit))),
            Call::Told(_) => None,
        })
    }

    /// Of whom the room was told, and when.
    pub(super) fn told(&self) -> impl Iterator<Item = (&Handle, DateTime<Utc>)> {
        self.0.iter().filter_map(|(handle, call)| match call {
            Call::Since(_) => None,
            Call::Told(at) => Some((handle, *at)),
        })
    }
}

/// Whether somebody is called and cannot be expected to answer by itself: who is here gets its turn.
fn is_called(state: &State, handle: &Handle) -> bool {
    let Some(member) = state.member(handle) else { return false };
    if member.is_human() {
        return state.questions.iter().any(|question| question.human == *handle);
    }
    matches!(member.status, Status::Expected | Status::Away) && state.queue.contains(handle)
}
