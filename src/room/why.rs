//! Who waits for whom, since when, why, and the one act that frees them.
//!
//! Told from the state of a room, and from who waits in a call at this moment. It decides nothing and changes nothing.

mod act;
mod cycles;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::calls::Call;
use super::event::PuzzleQuestion;
use super::floor::Turn;
use super::participant::{Participant, Status};
use super::state::{Phase, State};
use super::{Handle, Room};

pub use act::Act;

/// Whether a call of a participant waits now. The hub knows it; the room is told.
pub type Waiting<'a> = &'a dyn Fn(&Handle) -> bool;

/// Who waits for whom in a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// Each one who waits, in the order of lists.
    pub waits: Vec<WaitsFor>,
    /// Those who wait for each other, each circle once.
    pub cycles: Vec<Vec<Handle>>,
    /// Whether somebody here waits, and nobody can be expected to move without the act.
    pub is_stuck: bool,
    /// What a person can do so that the room moves on; nothing when it is over, or when what lives in it waits for
    /// people only: a task says what does it.
    pub act: Option<Act>,
}

/// One who waits for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitsFor {
    /// Who waits.
    pub who: Handle,
    /// For whom.
    pub on: Handle,
    /// Why.
    pub reason: WaitReason,
    /// Since when, as far as the room knows.
    pub since: DateTime<Utc>,
}

/// Why somebody waits for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// It asked this person something, in this message.
    Question(u64),
    /// The room opens when it, and so many others, have joined.
    Barrier(usize),
    /// The room is paused; only a person moves it.
    Pause,
    /// It has the floor.
    Floor,
    /// It stands before the other in the queue.
    Queue,
    /// The other has the floor, and waits for a message instead of speaking.
    Listens,
    /// It comes next, and is not here; nobody has the floor.
    Absent,
    /// It has to act in a task or a puzzle that lives in the room; no agent has the floor.
    Work,
    /// It is asked before what the other did in a puzzle goes on: so many of so many must agree.
    Guard {
        /// Whether it is here.
        status: Status,
        /// How many must agree.
        needed: usize,
        /// How many are asked, and have not answered.
        asked: usize,
    },
    /// It has to act in a puzzle that lives in the room, and is not here.
    Gone(Status),
}

impl Room {
    /// Who waits for whom, and what would free them.
    #[must_use]
    pub fn why(&self, is_waiting: Waiting) -> Why {
        let view = View::of(&self.state, is_waiting);
        let waits = view.waits();
        // A task that waits for a person moves by a decision, and not by a word in the room.
        let waits_for_people = self.has_work_for_people() && view.work().next().is_none();
        let moves_by_words = self.state.phase != Phase::Closed && !waits_for_people;
        Why {
            cycles: cycles::cycles(&waits),
            is_stuck: view.is_stuck() && moves_by_words,
            act: moves_by_words.then(|| view.act()),
            waits,
        }
    }
}

/// A room at one moment.
struct View<'a> {
    state: &'a State,
    is_waiting: Waiting<'a>,
    /// Agents that are here, in the order of lists.
    here: Vec<&'a Participant>,
    /// Declared agents that have not joined.
    missing: Vec<&'a Participant>,
    /// Who stands just before whom in the queue, of the agents that are here and do not have the floor.
    before: BTreeMap<&'a Handle, &'a Handle>,
}

impl<'a> View<'a> {
    fn of(state: &'a State, is_waiting: Waiting<'a>) -> Self {
        let members = state.in_order();
        let is_here = |member: &&Participant| !member.is_human() && member.is_here();
        let here: Vec<_> = members.iter().copied().filter(is_here).collect();
        let missing = members.into_iter().filter(|member| member.is_missing()).collect();
        let queued = state.queue.handles().filter(|handle| {
            state.holder() != Some(handle) && state.member(handle).as_ref().is_some_and(is_here)
        });
        let queued: Vec<_> = queued.collect();
        let before = queued.windows(2).map(|pair| (pair[1], pair[0])).collect();
        Self { state, is_waiting, here, missing, before }
    }

    fn waits_in_a_call(&self, member: &Participant) -> bool {
        (self.is_waiting)(&member.handle)
    }

    fn turn(&self) -> Option<&'a Turn> {
        self.state.turn().filter(|_| self.state.phase == Phase::Open)
    }

    fn is_human(&self, handle: &Handle) -> bool {
        self.state.member(handle).is_some_and(Participant::is_human)
    }

    /// A person can speak at any time, so only agents wait.
    fn waits(&self) -> Vec<WaitsFor> {
        let mut waits = Vec::new();
        for agent in self.here.iter().filter(|_| self.state.phase != Phase::Closed) {
            let mut own = self.asked_by(agent);
            own.extend(self.guards_before(agent));
            let next = match self.state.phase {
                Phase::Gathering => self.barrier(agent),
                Phase::Paused => Some(self.pause(agent)),
                Phase::Open | Phase::Closed => self.floor(agent),
            };
            let next = next.filter(|next| own.iter().all(|told| told.on != next.on));
            own.extend(next);
            waits.append(&mut own);
        }
        waits
    }

    /// The questions of an agent that people have not answered, one for each person.
    fn asked_by(&self, agent: &Participant) -> Vec<WaitsFor> {
        let mut waits: Vec<WaitsFor> = Vec::new();
        for question in self.state.questions.iter().filter(|question| question.asker == agent.handle) {
            if waits.iter().all(|wait| wait.on != question.human) {
                waits.push(WaitsFor {
                    who: agent.handle.clone(),
                    on: question.human.clone(),
                    reason: WaitReason::Question(question.seq),
                    since: question.at,
                });
            }
        }
        waits
    }

    /// Those whom a guard asks before what this agent did in a puzzle goes on; of many the first.
    fn guards_before(&self, agent: &'a Participant) -> impl Iterator<Item = WaitsFor> {
        const NAMED: usize = 3;
        let who = &agent.handle;
        let asks = |question: &'a PuzzleQuestion| question.asks.iter().map(move |on| (on, question));
        let asked = self.state.questions_of(who).flat_map(asks).take(NAMED);
        asked.map(move |(on, question)| WaitsFor {
            who: who.clone(),
            on: on.clone(),
            reason: WaitReason::Guard {
                status: self.state.member(on).map_or(Status::Expected, |member| member.status),
                needed: question.needed,
                asked: question.asks.len(),
            },
            since: self
                .state
                .calls()
                .find(|call| call.to == *on)
                .map_or(self.state.last_activity, |call| call.at),
        })
    }

    fn barrier(&self, agent: &Participant) -> Option<WaitsFor> {
        let (first, others) = self.missing.split_first()?;
        Some(WaitsFor {
            who: agent.handle.clone(),
            on: first.handle.clone(),
            reason: WaitReason::Barrier(others.len()),
            since: agent.joined_at.unwrap_or(self.state.made.at),
        })
    }

    fn pause(&self, agent: &Participant) -> WaitsFor {
        let (who, on) = (agent.handle.clone(), self.person());
        WaitsFor { who, on, reason: WaitReason::Pause, since: self.state.last_activity }
    }

    fn floor(&self, agent: &Participant) -> Option<WaitsFor> {
        let who = agent.handle.clone();
        if let Some(call) = self.work_of_another(agent) {
            return Some(WaitsFor {
                who,
                on: call.to.clone(),
                reason: self.work_reason(call),
                since: call.at,
            });
        }
        let is_queued = self.state.queue.contains(&who);
        let Some(turn) = self.turn() else {
            let absent = self.absent_head().filter(|_| self.waits_in_a_call(agent))?;
            let since = absent.away_since.unwrap_or(self.state.made.at);
            return Some(WaitsFor { who, on: absent.handle.clone(), reason: WaitReason::Absent, since });
        };
        let (on, reason) = if turn.handle == who {
            let listens = self.waits_in_a_call(agent) && !self.state.only_waits(&who);
            let on = self.expected_by_the_holder(&who).filter(|_| listens)?;
            (on, WaitReason::Listens)
        } else {
            match self.before.get(&who) {
                Some(before) => ((*before).clone(), WaitReason::Queue),
                None => (turn.handle.clone(), WaitReason::Floor),
            }
        };
        let is_waiting = is_queued || self.waits_in_a_call(agent);
        is_waiting.then_some(WaitsFor { who, on, reason, since: turn.since })
    }

    fn work_reason(&self, call: &Call) -> WaitReason {
        match self.state.member(&call.to).map(|member| member.status) {
            Some(status) if self.is_of_a_puzzle(call) && !self.state.is_here(&call.to) => {
                WaitReason::Gone(status)
            }
            _ => WaitReason::Work,
        }
    }

    fn is_of_a_puzzle(&self, call: &Call) -> bool {
        self.state.open_puzzle_calls().any(|of_a_puzzle| of_a_puzzle == call)
    }

    /// Whether somebody who has to act may do so by itself. The hub looks after the agents of tasks; those of puzzles
    /// act if they are here, and have not passed their turn on, or not at all.
    fn may_act(&self, call: &Call) -> bool {
        !self.is_of_a_puzzle(call) || (self.state.is_here(&call.to) && !call.is_declined)
    }

    /// Agents that have to act in what lives here, and can: who was called first comes first.
    fn work(&self) -> impl Iterator<Item = &'a Call> {
        let mut calls: Vec<_> = self.state.open_calls().filter(|call| !self.is_human(&call.to)).collect();
        calls.sort_by_key(|call| call.since);
        calls.into_iter()
    }

    /// What an agent waits for that does not have to act itself while nobody but a person can speak.
    fn work_of_another(&self, agent: &Participant) -> Option<&'a Call> {
        let is_idle = self.turn().is_none_or(|turn| self.is_human(&turn.handle));
        let first = self.work().next().filter(|_| is_idle && self.waits_in_a_call(agent))?;
        self.work().all(|call| call.to != agent.handle).then_some(first)
    }

    /// A holder that waits instead of speaking can only be waiting for another agent that waits too.
    fn expected_by_the_holder(&self, holder: &Handle) -> Option<Handle> {
        let queued = self.next_agent(holder).cloned();
        queued.or_else(|| {
            let mut others = self.here.iter().filter(|other| other.handle != *holder);
            others.find(|other| self.waits_in_a_call(other)).map(|other| other.handle.clone())
        })
    }

    /// The agent that gets the floor if `holder` passes it on.
    fn next_agent(&self, holder: &Handle) -> Option<&'a Handle> {
        self.state.next_but_holder().filter(|next| *next != holder && !self.is_human(next))
    }

    /// The first in the queue who is not here.
    fn absent_head(&self) -> Option<&'a Participant> {
        let mut queued = self.state.queue.handles().filter_map(|handle| self.state.member(handle));
        queued.find(|member| matches!(member.status, Status::Expected | Status::Away))
    }

    /// The person who acts for the room.
    fn person(&self) -> Handle {
        self.state.a_human().cloned().unwrap_or_else(Handle::user)
    }

    /// An agent that is not in a call is taken to be at work, if it does not wait for an answer. If it has to act in a
    /// task and is not here, the hub starts it, or tells a person whose turn it is.
    fn is_stuck(&self) -> bool {
        let waits = |handle: &Handle| (self.is_waiting)(handle) || self.state.only_waits(handle);
        let works = || self.work().any(|call| !waits(&call.to) && self.may_act(call));
        let can_move = match (self.state.phase, self.turn()) {
            (Phase::Closed, _) => true,
            (Phase::Gathering | Phase::Paused, _) => false,
            (Phase::Open, _) if self.state.has_a_puzzle_that_moves() => true,
            (Phase::Open, _) if works() => true,
            (Phase::Open, Some(turn)) => !self.is_human(&turn.handle) && !waits(&turn.handle),
            (Phase::Open, None) => self.here.iter().any(|agent| !waits(&agent.handle)),
        };
        !self.here.is_empty() && !can_move
    }
}
