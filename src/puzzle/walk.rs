//! One way through the machine, tried step by step before anything changes: which guards stand in it, and what they say.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::event::{Cause, Microstep};
use super::facts::Facts;
use super::guard::Guard;
use super::judge::{Check, Judge, Stop};
use super::machine::{Leg, Machine, StateId, Transition};
use super::pending::Finding;
use super::place::Place;

/// So many steps one action may take.
pub(super) const MAX_STEPS: usize = 1_000;

/// A way on which every guard has said yes.
#[derive(Debug)]
pub(super) struct Way {
    pub to: StateId,
    pub through: Vec<Microstep>,
    pub set: Map<String, Value>,
    pub findings: Vec<Finding>,
}

/// Walks from the start of a machine to where it rests.
pub(super) fn begin(machine: &Machine, place: Place, mut judge: Judge<'_>) -> Result<Way, Stop> {
    let leg = machine.first_leg();
    let mut walk = Walk { machine, place, through: Vec::new(), set: Map::new() };
    walk.go(leg, &Map::new(), judge.now);
    walk.rest(&mut judge)
}

/// Walks from one transition of `source` to where the machine rests.
pub(super) fn walk(
    machine: &Machine,
    place: Place,
    source: StateId,
    transition: &Transition,
    mut judge: Judge<'_>,
) -> Result<Way, Stop> {
    let mut walk = Walk { machine, place, through: Vec::new(), set: Map::new() };
    let target = machine.leg(walk.place.current, source, transition, &walk.place.left_from).to;
    judge.target.clone_from(&machine.state(target).path);
    walk.take(source, transition, &mut judge)?;
    walk.rest(&mut judge)
}

struct Walk<'a> {
    machine: &'a Machine,
    place: Place,
    through: Vec<Microstep>,
    set: Map<String, Value>,
}

impl Walk<'_> {
    /// Takes `always` transitions until none is left whose rules hold.
    fn rest(mut self, judge: &mut Judge<'_>) -> Result<Way, Stop> {
        let machine = self.machine;
        while let Some((source, transition)) = enabled_always(machine, self.facts(judge)) {
            if self.through.len() >= MAX_STEPS {
                return Err(Stop::TooManySteps);
            }
            self.take(source, transition, judge)?;
        }
        let findings = std::mem::take(&mut judge.findings);
        Ok(Way { to: self.place.current, through: self.through, set: self.set, findings })
    }

    /// Asks all guards of one transition, and takes it.
    fn take(&mut self, source: StateId, transition: &Transition, judge: &mut Judge<'_>) -> Result<(), Stop> {
        let machine = self.machine;
        let leg = machine.leg(self.place.current, source, transition, &self.place.left_from);
        let own = Check::own(&machine.state(source).path);
        self.ask(&own, &transition.guard, judge)?;
        for left in machine.left(self.place.current, leg) {
            let state = machine.state(left);
            self.ask(&Check::exit(&state.path), &state.exit_guard, judge)?;
        }
        for entered in machine.entered(leg) {
            let state = machine.state(entered);
            self.ask(&Check::enter(&state.path), &state.enter_guard, judge)?;
        }
        if self.through.is_empty()
            && let Cause::Action(action) = judge.cause
        {
            self.place.count(action, judge.doer.handle, &machine.counted);
        }
        self.go(leg, &transition.set, judge.now);
        Ok(())
    }

    fn ask(&self, check: &Check<'_>, guards: &[Guard], judge: &mut Judge<'_>) -> Result<(), Stop> {
        let step = self.through.len();
        let facts = self.facts(judge);
        guards.iter().enumerate().try_for_each(|(number, guard)| {
            judge.ask(&check.at(step, number), guard, &facts, &self.machine.policy)
        })
    }

    fn go(&mut self, leg: Leg, set: &Map<String, Value>, now: DateTime<Utc>) {
        let path = |id: StateId| self.machine.state(id).path.clone();
        let within = (leg.within != StateId::ROOT).then(|| path(leg.within));
        self.through.push(Microstep { to: path(leg.to), within });
        self.place.step(self.machine, leg, now);
        self.place.set(set);
        self.set.extend(set.clone());
    }

    fn facts<'f>(&'f self, judge: &Judge<'f>) -> Facts<'f> {
        Facts { place: &self.place, doer: judge.doer, now: judge.now }
    }
}

/// The first `always` transition whose rules hold, of the innermost state first.
fn enabled_always<'m>(machine: &'m Machine, facts: Facts<'_>) -> Option<(StateId, &'m Transition)> {
    machine.active(facts.place.current).find_map(|id| {
        let mut candidates = machine.state(id).always.iter();
        candidates.find(|way| facts.first_broken(&way.guard).is_none()).map(|way| (id, way))
    })
}
