//! One way through the machine, tried step by step before anything changes: which guards stand in it, and what they say.

use serde_json::{Map, Value};

use super::event::{Cause, Microstep};
use super::facts::Facts;
use super::guard::{Guard, Guards};
use super::judge::{Check, Judge, Stop};
use super::limits::MAX_STEPS;
use super::machine::{Leg, Machine, StateId, Transition};
use super::pending::Finding;
use super::place::Place;

/// A way on which every guard has said yes.
#[derive(Debug)]
pub(super) struct Way {
    pub to: StateId,
    pub through: Vec<Microstep>,
    pub set: Map<String, Value>,
    pub findings: Vec<Finding>,
}

/// One candidate of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick<'a> {
    /// The state that has it.
    pub source: StateId,
    /// Its number among the candidates.
    pub number: usize,
    pub transition: &'a Transition,
}

/// What one step costs beside what is looked at on it.
const STEP: usize = 10;

/// Walks from the start of a machine to where it rests.
pub(super) fn begin(machine: &Machine, place: Place, mut judge: Judge<'_>) -> Result<Way, Stop> {
    let leg = machine.first_leg();
    let mut walk = Walk { machine, place, through: Vec::new(), set: Map::new() };
    walk.go(leg, &Map::new(), &judge);
    walk.rest(&mut judge)
}

/// Walks from one transition to where the machine rests.
pub(super) fn walk(
    machine: &Machine,
    place: Place,
    pick: Pick<'_>,
    mut judge: Judge<'_>,
) -> Result<Way, Stop> {
    let mut walk = Walk { machine, place, through: Vec::new(), set: Map::new() };
    let target = machine.leg(walk.place.current, pick.source, pick.transition, &walk.place.left_from).to;
    judge.target.clone_from(&machine.state(target).path);
    walk.take(pick, &mut judge)?;
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
        loop {
            let found = enabled_always(machine, self.facts(judge));
            if judge.effort.is_spent() {
                return Err(Stop::TooMuch);
            }
            let Some(pick) = found else { break };
            if self.through.len() >= MAX_STEPS {
                return Err(Stop::TooManySteps);
            }
            self.take(pick, judge)?;
        }
        let findings = judge.counted();
        Ok(Way { to: self.place.current, through: self.through, set: self.set, findings })
    }

    /// Asks all guards of one transition, and takes it.
    fn take(&mut self, pick: Pick<'_>, judge: &mut Judge<'_>) -> Result<(), Stop> {
        let machine = self.machine;
        let Pick { source, number, transition } = pick;
        let leg = machine.leg(self.place.current, source, transition, &self.place.left_from);
        judge.goes(&machine.state(source).path, number, &machine.state(leg.to).path);
        let all = guards_on(machine, self.place.current, pick, leg);
        all.iter().try_for_each(|(check, guards)| self.ask(check, guards, judge)).map_err(|stop| {
            // Nobody is asked in vain.
            let is_asked = matches!(stop, Stop::Ask(_) | Stop::Panel(_));
            is_asked.then(|| self.missing_program(&all, judge)).flatten().unwrap_or(stop)
        })?;
        if self.through.is_empty()
            && let Cause::Action(action) = judge.cause
        {
            judge.effort.spend(self.place.kinds_done());
            self.place.count(action, judge.doer.handle, &machine.counted);
        }
        self.go(leg, &transition.set, judge);
        Ok(())
    }

    fn ask(&self, check: &Check<'_>, guards: &[Guard], judge: &mut Judge<'_>) -> Result<(), Stop> {
        let step = self.through.len();
        let facts = self.facts(judge);
        guards.iter().enumerate().try_for_each(|(number, guard)| {
            judge.ask(&check.at(step, number), guard, &facts, &self.machine.policy)
        })
    }

    /// Why a step can never be taken: a program on it is not there.
    fn missing_program(&self, all: &[(Check<'_>, &Guards)], judge: &Judge<'_>) -> Option<Stop> {
        let step = self.through.len();
        all.iter().find_map(|(check, guards)| {
            guards.iter().enumerate().find_map(|(number, guard)| {
                judge.missing_program(&check.at(step, number), guard, &self.machine.policy)
            })
        })
    }

    fn go(&mut self, leg: Leg, set: &Map<String, Value>, judge: &Judge<'_>) {
        judge.effort.spend(STEP);
        let is_first = self.set.is_empty() && !set.is_empty();
        let copied = self.place.context.values().filter(|_| is_first).chain(set.values());
        copied.take_while(|_| !judge.effort.is_spent()).for_each(|value| judge.effort.spend_on(value));
        if judge.effort.is_spent() {
            return;
        }
        let path = |id: StateId| self.machine.state(id).path.clone();
        let within = (leg.within != StateId::ROOT).then(|| path(leg.within));
        self.through.push(Microstep { to: path(leg.to), within });
        self.place.step(self.machine, leg, judge.now);
        self.place.set(set);
        self.set.extend(set.clone());
    }

    fn facts<'f>(&'f self, judge: &Judge<'f>) -> Facts<'f> {
        Facts { place: &self.place, doer: judge.doer, now: judge.now, effort: judge.effort }
    }
}

/// The guards of one step, in the order in which they are asked.
fn guards_on<'m>(
    machine: &'m Machine,
    current: StateId,
    pick: Pick<'m>,
    leg: Leg,
) -> Vec<(Check<'m>, &'m Guards)> {
    let own = (Check::own(&machine.state(pick.source).path), &pick.transition.guard);
    let exits = machine.left(current, leg).map(|id| {
        let state = machine.state(id);
        (Check::exit(&state.path), &state.exit_guard)
    });
    let entries = machine.entered(leg).into_iter().map(|id| {
        let state = machine.state(id);
        (Check::enter(&state.path), &state.enter_guard)
    });
    std::iter::once(own).chain(exits).chain(entries).collect()
}

/// The first `always` transition whose rules hold, of the innermost state first.
fn enabled_always<'m>(machine: &'m Machine, facts: Facts<'_>) -> Option<Pick<'m>> {
    machine.active(facts.place.current).find_map(|source| {
        let candidates = machine.state(source).always.iter().enumerate();
        let mut picks = candidates.map(|(number, transition)| Pick { source, number, transition });
        picks.find(|pick| facts.first_broken(pick.transition).is_none())
    })
}
