//! A decision in the making: events are applied to a copy of the room as they are found, so that the next
//! step of the same decision sees them.

use super::event::{Event, FloorReason, QueueEnd};
use super::floor::Floor;
use super::participant::{Participant, Status};
use super::policy::Barrier;
use super::state::{Phase, State};
use super::{Handle, Now, Refusal};

/// A copy of a room, and the events that led to it.
pub(super) struct Draft {
    pub state: State,
    pub now: Now,
    events: Vec<Event>,
}

impl Draft {
    pub(super) fn of(state: &State, now: Now) -> Self {
        Self { state: state.clone(), now, events: Vec::new() }
    }

    pub(super) fn emit(&mut self, event: Event) {
        self.state.apply(&event);
        self.events.push(event);
    }

    /// Lets the floor find its place, and gives the events.
    pub(super) fn done(mut self) -> Vec<Event> {
        self.settle();
        self.events
    }

    /// The number of the next message or notice.
    ///
    /// **Invariant (numbers have no gaps):** it is one more than the newest.
    pub(super) fn seq(&self) -> u64 {
        self.state.last_seq + 1
    }

    /// A participant by a name from outside: a handle or an alias in any spelling.
    pub(super) fn find(&self, name: &str) -> Result<Handle, Refusal> {
        let handle = Handle::parse(name)?;
        match self.state.names.resolve(handle.key()).filter(|known| self.may_be_addressed(known)) {
            Some(known) => Ok(known.clone()),
            None => Err(self.nobody(&handle)),
        }
    }

    /// Why a handle stands for nobody who could be meant.
    pub(super) fn nobody(&self, handle: &Handle) -> Refusal {
        let known = self.addressable();
        let member = self.state.names.resolve(handle.key()).and_then(|known| self.state.member(known));
        match member.filter(|member| member.status == Status::Left) {
            Some(member) => Refusal::HasLeft { handle: member.handle.clone(), known },
            None => Refusal::UnknownParticipant { name: handle.to_string(), known },
        }
    }

    /// Whom `@all` addresses, and who is named to those who address nobody.
    pub(super) fn addressable(&self) -> Vec<Handle> {
        let members = self.state.in_order().into_iter();
        members.filter(|member| member.is_present_or_awaited()).map(|member| member.handle.clone()).collect()
    }

    /// Who has left is not addressed, but for `@user`: every room knows it, and its inbox keeps the question.
    pub(super) fn may_be_addressed(&self, handle: &Handle) -> bool {
        let has_left = |member: &Participant| member.status == Status::Left;
        self.state.member(handle).is_some_and(|member| *handle == Handle::user() || !has_left(member))
    }

    /// Whether enough agents have joined, so that the room may open.
    fn is_complete(&self) -> bool {
        let agents = || self.state.members.values().filter(|member| !member.is_human());
        let declared = agents().filter(|agent| agent.is_declared && agent.status != Status::Left).count();
        let target = match self.state.policy().barrier {
            Barrier::All => declared,
            Barrier::Count(count) => declared.min(count as usize),
        };
        agents().filter(|agent| agent.has_joined()).count() >= target
    }

    /// Opens the room if enough have joined, and sees to it that the floor is where it belongs.
    pub(super) fn settle(&mut self) {
        if self.state.phase == Phase::Gathering && self.is_complete() {
            let at = self.now.wall;
            self.emit(Event::Started { at });
            self.first_turn();
        }
        if self.state.phase == Phase::Open {
            self.settle_floor();
        }
    }

    /// A person opens a room that still gathers.
    pub(super) fn start_by(&mut self, by: Handle) {
        if self.state.phase == Phase::Gathering {
            let (seq, at) = (self.seq(), self.now.wall);
            self.emit(Event::StartedBy { seq, by, at });
            self.first_turn();
        }
    }

    /// The head of the queue speaks, else the first speaker, else who joined first.
    fn first_turn(&mut self) {
        if let Some(first) = self.first_speaker() {
            self.emit(Event::Queued { handles: vec![first], end: QueueEnd::Head });
        }
        if self.state.next_here().or_else(|| self.state.next_called()).is_none()
            && let Some(first) = self.first_joined()
        {
            self.give_floor(first, FloorReason::Opening);
        }
    }

    /// The first speaker, unless it stands in the queue already, or somebody there is here.
    fn first_speaker(&self) -> Option<Handle> {
        let first = self.state.policy().first_speaker.as_ref()?;
        let is_needed = self.state.next_here().is_none() && !self.state.queue.contains(first);
        (is_needed && self.may_be_addressed(first)).then(|| first.clone())
    }

    fn first_joined(&self) -> Option<Handle> {
        let agents = self.state.members.values().filter(|member| !member.is_human() && member.is_here());
        agents.min_by_key(|agent| agent.arrival).map(|agent| agent.handle.clone())
    }

    /// **Invariant (no one waits forever):** when this is done, somebody who is here has the floor, or a
    /// person has it, or it is free and all are told. The latter two are so only while no agent that is here has to
    /// act in what lives in the room. Whoever waits for the answer of another leaves the floor to it; whoever has nothing
    /// to do, to those who have.
    fn settle_floor(&mut self) {
        let next = self.state.asked_by_holder().or_else(|| self.state.next_after_idle());
        if let Some(next) = next.cloned() {
            return self.give_floor(next, FloorReason::Queue);
        }
        if let Some(person) = self.state.person_asked_by_holder().cloned() {
            return self.give_floor(person, FloorReason::Fallback);
        }
        match &self.state.floor {
            Floor::Held(turn) if turn.reason != FloorReason::Fallback => {}
            floor => {
                let is_vacant = *floor == Floor::Vacant;
                if let Some(next) = self.state.next_speaker().cloned() {
                    self.give_floor(next, FloorReason::Queue);
                } else if let Some(waiting) = self.state.next_here() {
                    match self.state.person_asked_by(waiting).cloned() {
                        None => self.give_floor(waiting.clone(), FloorReason::Queue),
                        Some(person) if self.state.holder() == Some(&person) => {}
                        Some(person) => self.give_floor(person, FloorReason::Fallback),
                    }
                } else if is_vacant && let Some(human) = self.state.a_called_human().cloned() {
                    self.give_floor(human, FloorReason::Fallback);
                } else if is_vacant {
                    self.emit(Event::FloorFreed);
                }
            }
        }
    }

    pub(super) fn give_floor(&mut self, handle: Handle, reason: FloorReason) {
        let (turn, at) = (self.state.turns + 1, self.now.wall);
        self.emit(Event::FloorGiven { handle, turn, reason, at });
    }

    /// A call of a participant came in: if it was away, it is back.
    pub(super) fn contact(&mut self, handle: &Handle) {
        if self.state.member(handle).is_some_and(|member| member.status == Status::Away) {
            self.emit(Event::Returned { handle: handle.clone() });
            self.call_back(handle);
        }
    }

    /// Whoever comes is queued if it has to act, and nobody has called it since it was gone.
    fn call_back(&mut self, handle: &Handle) {
        if self.state.is_overlooked(handle) {
            self.emit(Event::Queued { handles: vec![handle.clone()], end: QueueEnd::Tail });
        }
    }

    /// The participant of a call that needs one who has joined. A declared one joins by calling; a person need
    /// never join, and comes back by calling.
    pub(super) fn joined(&mut self, handle: &Handle) -> Result<(), Refusal> {
        let Some(member) = self.state.member(handle) else { return Err(Refusal::NotJoined(handle.clone())) };
        match member.status {
            Status::Active => {}
            Status::Away => self.contact(handle),
            Status::Expected => self.arrive(handle, None, member.seen),
            Status::Left if member.is_human() => self.arrive(handle, None, member.seen),
            Status::Left => return Err(Refusal::NotJoined(handle.clone())),
        }
        Ok(())
    }

    pub(super) fn arrive(&mut self, handle: &Handle, name: Option<String>, seen: u64) {
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::Joined { seq, handle: handle.clone(), name, seen, at });
        self.call_back(handle);
    }

    pub(super) fn is_person(&self, handle: &Handle) -> bool {
        self.state.is_human(handle)
    }

    /// The person of a call that only a person may make.
    pub(super) fn person(&self, handle: &Handle) -> Result<(), Refusal> {
        if self.is_person(handle) { Ok(()) } else { Err(Refusal::OnlyPeople(handle.clone())) }
    }

    /// A person acts: that ends a pause.
    pub(super) fn person_acts(&mut self, by: &Handle) {
        if self.state.phase == Phase::Paused {
            let (seq, at) = (self.seq(), self.now.wall);
            self.emit(Event::Resumed { seq, by: by.clone(), at });
        }
    }
}
