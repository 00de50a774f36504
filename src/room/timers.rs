//! Deadlines: when somebody has been silent for too long. They live in memory, on monotonic time; only what
//! comes of them is an event. After a restart each of them starts anew.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::draft::Draft;
use super::event::{Event, FloorReason};
use super::floor::Floor;
use super::participant::{Participant, Status};
use super::state::{Phase, State};
use super::unanswered::Unanswered;
use super::{Handle, Now};

/// When the hub last heard from a participant. The hub knows it; the room is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// The end of its last call.
    pub heard: Duration,
    /// Its last call that was no wait.
    pub acted: Duration,
    /// Whether a call of it waits now.
    pub is_waiting: bool,
}

/// What the hub knows of everyone's presence.
pub type Presences<'a> = &'a dyn Fn(&Handle) -> Presence;

/// Since when things are as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Timers {
    /// The room was made (or loaded).
    opened: Duration,
    /// The holder got the floor, or a pause ended.
    floor: Duration,
    /// The room was loaded, or a pause ended: silence before it does not count.
    awake: Duration,
    unanswered: Unanswered,
}

impl Timers {
    /// Follows an event that `state` has applied already.
    pub(super) fn apply(&mut self, state: &State, event: &Event, now: Duration) {
        match event {
            Event::Opened(_) => (self.opened, self.floor, self.awake) = (now, now, now),
            Event::FloorGiven { .. } => self.floor = now,
            Event::Resumed { .. } => (self.floor, self.awake) = (now, now),
            _ => {}
        }
        self.unanswered.apply(state, event, now);
    }

    /// The next time something is due.
    pub(super) fn deadline(&self, state: &State, presence: Presences) -> Option<Duration> {
        match state.phase {
            Phase::Gathering => {
                state.overdue.is_none().then(|| self.opened.saturating_add(state.policy().barrier_timeout))
            }
            Phase::Open => {
                let silent = state.members.values().filter_map(|member| self.silent(member, state, presence));
                let unanswered = self.unanswered.due(state, self.awake).map(|(_, due)| due);
                self.floor_over(state, presence).into_iter().chain(silent).chain(unanswered).min()
            }
            Phase::Paused | Phase::Closed => None,
        }
    }

    /// What is due at `now`.
    pub(super) fn tick(&self, state: &State, now: Now, presence: Presences) -> Vec<Event> {
        let mut draft = Draft::of(state, now);
        if self.deadline(state, presence).is_none_or(|deadline| deadline > now.mono) {
            return Vec::new();
        }
        if state.phase == Phase::Gathering {
            draft.overdue();
            return draft.done();
        }
        // First who is here, then whose turn it is: the floor may not go to somebody who is away by now.
        for member in state.members.values() {
            if self.silent(member, state, presence).is_some_and(|silent| silent <= now.mono) {
                draft.emit(Event::WentAway { handle: member.handle.clone(), at: now.wall });
            }
        }
        if self.floor_over(&draft.state, presence).is_some_and(|over| over <= now.mono) {
            draft.end_turn();
        }
        for (handle, due) in self.unanswered.due(state, self.awake) {
            if due <= now.mono {
                let (seq, handle, at) = (draft.seq(), handle.clone(), now.wall);
                draft.emit(Event::Unanswered { seq, handle, at });
            }
        }
        draft.done()
    }

    /// Agents that are called and have not answered for long, and since when the room knows it.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = (&Handle, DateTime<Utc>)> {
        self.unanswered.told()
    }

    /// When the turn that runs is over.
    pub(super) fn turn_over(&self, state: &State, presence: Presences) -> Option<Duration> {
        (state.phase == Phase::Open).then(|| self.floor_over(state, presence)).flatten()
    }

    /// When the holder's time is over: an agent's lease, or a person's hold while others are queued. Whoever only waits
    /// for the answer of others has the floor for want of others.
    fn floor_over(&self, state: &State, presence: Presences) -> Option<Duration> {
        let Floor::Held(turn) = &state.floor else { return None };
        let member = state.member(&turn.handle)?;
        if state.only_waits(&turn.handle) {
            return None;
        }
        if member.is_human() {
            return state.next_after_person().map(|_| self.floor.saturating_add(state.policy().human_hold));
        }
        Some(self.floor.max(presence(&turn.handle).acted).saturating_add(state.policy().turn_lease))
    }

    /// When an agent that neither holds the floor nor waits has been silent for too long. It may wait where the room
    /// does not see it for the answer to what it did.
    fn silent(&self, member: &Participant, state: &State, presence: Presences) -> Option<Duration> {
        let counts = member.status == Status::Active && !member.is_human();
        let presence = presence(&member.handle);
        let is_busy =
            presence.is_waiting || state.holder() == Some(&member.handle) || state.only_waits(&member.handle);
        (counts && !is_busy).then(|| {
            presence.heard.max(presence.acted).max(self.awake).saturating_add(state.policy().turn_lease)
        })
    }
}

impl Draft {
    fn overdue(&mut self) {
        let members = self.state.in_order().into_iter();
        let missing = members
            .filter(|member| member.is_declared && member.status == Status::Expected)
            .map(|member| member.handle.clone())
            .collect();
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::BarrierOverdue { seq, missing, at });
    }

    /// A person's floor moves on, and its questions stay; an agent lapses.
    fn end_turn(&mut self) {
        let Some(holder) = self.state.holder().cloned() else { return };
        if !self.is_person(&holder) {
            let (seq, at) = (self.seq(), self.now.wall);
            self.emit(Event::Lapsed { seq, handle: holder, at });
        } else if let Some(next) = self.state.next_after_person().cloned() {
            self.give_floor(next, FloorReason::Queue);
        }
    }
}
