//! What follows from the events of a puzzle.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::command::{Outcome, Past};
use super::event::{About, Added, Cause, Event, Given, Joined, Microstep, Moved, Refused};
use super::facts::Doer;
use super::fault::Fault;
use super::limits::SETTLED;
use super::machine::{Leg, Machine, StateId};
use super::pending::Pending;
use super::place::Place;
use crate::room::Requests;

/// What follows from the events of a puzzle.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub about: About,
    pub machine: Arc<Machine>,
    pub place: Place,
    /// How many events there were.
    pub version: u64,
    /// The version of the last move.
    pub entered_version: u64,
    pub pendings: Vec<Pending>,
    pub is_removed: bool,
    /// Why its machine, which was accepted once, is not any more.
    pub fault: Option<Fault>,
    /// Ids of guards that are settled, the newest [`SETTLED`].
    settled: VecDeque<String>,
    /// Timers that have run out and did not lead away.
    spent: BTreeSet<(StateId, u64)>,
    requests: Requests<Past>,
}

impl State {
    pub(super) fn apply(&mut self, event: &Event) {
        self.version += 1;
        match event {
            Event::PuzzleAdded(added) => self.begin(added),
            Event::GuardAsked { pending } => self.ask(pending),
            Event::RequestJoined(joined) => self.join(joined),
            Event::VerdictGiven(given) => self.hear(given),
            Event::GuardsPassed { guard, findings, .. } => {
                if let Some(pending) = self.pendings.iter_mut().find(|pending| pending.id == *guard) {
                    pending.findings.extend_from_slice(findings);
                }
            }
            Event::ActionRefused(refused) => self.refuse(refused),
            Event::PuzzleMoved(moved) => self.go(moved),
            Event::PuzzleRemoved { .. } => {
                self.is_removed = true;
                self.settle(|_| true);
            }
        }
    }

    /// The dotted path of the present state.
    pub(super) fn path(&self) -> &str {
        &self.machine.state(self.place.current).path
    }

    /// What waits for this action of this actor.
    pub(super) fn waiting(&self, cause: &Cause, doer: Doer<'_>) -> Option<&Pending> {
        self.pendings.iter().find(|pending| pending.is_of(cause, doer))
    }

    /// The mark of somebody's request, and what became of it; nothing yet, if it waits.
    pub(super) fn request(&self, sender: Doer<'_>, id: &str) -> Option<(&str, Option<Past>)> {
        let mut waiting =
            self.pendings.iter().filter(|pending| pending.doer() == sender).flat_map(Pending::requests);
        let past = self.requests.get(&sender.request_key(id));
        past.map(|(mark, past)| (mark.as_str(), Some(past.clone())))
            .or_else(|| waiting.find(|(known, _)| known == id).map(|(_, mark)| (mark.as_str(), None)))
    }

    pub(super) fn is_settled(&self, guard: &str) -> bool {
        self.settled.iter().any(|settled| settled == guard)
    }

    pub(super) fn is_spent(&self, state: StateId, ms: u64) -> bool {
        self.spent.contains(&(state, ms))
    }

    fn begin(&mut self, added: &Added) {
        self.about = added.about.clone();
        // What was good when it was stored; if it is no longer, a machine that can do nothing stands for it.
        match Machine::parse(&added.config) {
            Ok((machine, _)) => self.machine = Arc::new(machine),
            Err(faults) => self.fault = faults.into_iter().next(),
        }
        self.place = Place::of(&self.machine);
        self.walk(&added.through, added.about.at);
        self.place.set(&added.set);
        self.entered_version = self.version;
    }

    fn ask(&mut self, pending: &Pending) {
        self.spend(&pending.cause);
        let mut pending = pending.clone();
        let before = self.waiting(&pending.cause, pending.doer()).cloned();
        // Whoever has waited for the question before waits for this one.
        before.iter().flat_map(Pending::requests).for_each(|request| pending.join(request));
        self.settle(|one| one.is_of(&pending.cause, pending.doer()));
        self.pendings.push(pending);
    }

    fn join(&mut self, joined: &Joined) {
        if let Some(pending) = self.pendings.iter_mut().find(|pending| pending.id == joined.guard) {
            pending.join(&joined.request);
        }
    }

    fn hear(&mut self, given: &Given) {
        if let Some(pending) = self.pendings.iter_mut().find(|pending| pending.id == given.guard) {
            pending.hear(given);
        }
        self.remember(given.doer(), given.request.as_ref(), &Outcome::Answered);
    }

    fn refuse(&mut self, refused: &Refused) {
        self.spend(&refused.cause);
        let Refused { guard, by, why, .. } = refused.clone();
        let is_it = |pending: &Pending| Some(&pending.id) == refused.pending.as_ref();
        self.remember_waiting(
            is_it,
            refused.doer(),
            refused.request.as_ref(),
            &Outcome::Refused { guard, by, why },
        );
        self.settle(is_it);
    }

    fn go(&mut self, moved: &Moved) {
        self.spend(&moved.cause);
        if let Cause::Action(action) = &moved.cause {
            self.place.count(action, moved.actor.as_ref(), &self.machine.counted);
        }
        self.walk(&moved.through, moved.at);
        self.place.set(&moved.set);
        let doer = moved.doer();
        let is_it = |pending: &Pending| pending.is_of(&moved.cause, doer);
        self.remember_waiting(is_it, doer, moved.request.as_ref(), &Outcome::Moved(moved.to.clone()));
        self.settle(|_| true);
        self.entered_version = self.version;
    }

    fn walk(&mut self, through: &[Microstep], at: chrono::DateTime<chrono::Utc>) {
        let machine = Arc::clone(&self.machine);
        for step in through {
            let within = step.within.as_deref().map_or(Some(StateId::ROOT), |within| machine.find(within));
            let (Some(to), Some(within)) = (machine.find(&step.to), within) else { continue };
            let leg = Leg { to, within };
            for left in machine.left(self.place.current, leg) {
                self.spent.retain(|(state, _)| *state != left);
            }
            self.place.step(&machine, leg, at);
        }
    }

    fn spend(&mut self, cause: &Cause) {
        if let Cause::Timer { state, ms } = cause
            && let Some(state) = self.machine.find(state)
        {
            self.spent.insert((state, *ms));
        }
    }

    /// Drops what waits for answers.
    fn settle(&mut self, is_settled: impl Fn(&Pending) -> bool) {
        let settled = self.pendings.extract_if(.., |pending| is_settled(pending));
        self.settled.extend(settled.map(|pending| pending.id));
        let too_many = self.settled.len().saturating_sub(SETTLED);
        self.settled.drain(..too_many);
    }

    /// Keeps what became of a request, and of all that have waited for the same.
    fn remember_waiting(
        &mut self,
        is_it: impl Fn(&Pending) -> bool,
        sender: Doer<'_>,
        request: Option<&(String, String)>,
        outcome: &Outcome,
    ) {
        let waiting = self.pendings.iter().filter(|pending| is_it(pending)).flat_map(Pending::requests);
        let waiting: Vec<_> = waiting.cloned().collect();
        for request in waiting.iter().chain(request) {
            self.remember(sender, Some(request), outcome);
        }
    }

    fn remember(&mut self, sender: Doer<'_>, request: Option<&(String, String)>, outcome: &Outcome) {
        if let Some((id, mark)) = request {
            let past = Past { version: self.version, outcome: outcome.clone() };
            self.requests.keep(&sender.request_key(id), mark, past);
        }
    }
}
