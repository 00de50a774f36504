//! What follows from the events of a puzzle.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::command::{Outcome, Past};
use super::event::{About, Added, Cause, Event, Given, Microstep, Moved, Refused};
use super::machine::{Leg, Machine, StateId};
use super::pending::Pending;
use super::place::Place;
use crate::room::{Handle, Requests};

/// So many guards that were settled are remembered.
const SETTLED: usize = 100;

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
    pub(super) fn waiting(&self, cause: &Cause, actor: Option<&Handle>) -> Option<&Pending> {
        self.pendings.iter().find(|pending| pending.cause == *cause && pending.actor.as_ref() == actor)
    }

    /// The mark of a request, and what became of it.
    pub(super) fn request(&self, id: &str) -> Option<&(String, Past)> {
        self.requests.get(id)
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
        self.machine =
            Machine::parse(&added.config).map(|(machine, _)| Arc::new(machine)).unwrap_or_default();
        self.place = Place::of(&self.machine);
        self.walk(&added.through, added.about.at);
        self.place.set(&added.set);
        self.entered_version = self.version;
    }

    fn ask(&mut self, pending: &Pending) {
        self.spend(&pending.cause);
        self.settle(|one| one.cause == pending.cause && one.actor == pending.actor);
        self.pendings.push(pending.clone());
    }

    fn hear(&mut self, given: &Given) {
        if let Some(pending) = self.pendings.iter_mut().find(|pending| pending.id == given.guard) {
            pending.hear(given);
        }
        self.remember(given.request.as_ref(), Outcome::Answered);
    }

    fn refuse(&mut self, refused: &Refused) {
        self.spend(&refused.cause);
        self.settle(|pending| Some(&pending.id) == refused.pending.as_ref());
        let Refused { guard, by, why, .. } = refused.clone();
        self.remember(refused.request.as_ref(), Outcome::Refused { guard, by, why });
    }

    fn go(&mut self, moved: &Moved) {
        self.spend(&moved.cause);
        if let Cause::Action(action) = &moved.cause {
            self.place.count(action, moved.actor.as_ref(), &self.machine.counted);
        }
        self.walk(&moved.through, moved.at);
        self.place.set(&moved.set);
        self.settle(|_| true);
        self.entered_version = self.version;
        self.remember(moved.request.as_ref(), Outcome::Moved(moved.to.clone()));
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

    fn remember(&mut self, request: Option<&(String, String)>, outcome: Outcome) {
        if let Some((id, mark)) = request {
            self.requests.keep(id, mark, Past { version: self.version, outcome });
        }
    }
}
