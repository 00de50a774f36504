//! Where a machine may go round without anybody acting: by `always` alone, which ends every action that gets there, or by
//! timers, which write for ever.

use std::collections::BTreeMap;

use super::fields::listed;
use super::warnings::place;
use crate::puzzle::fault::{Fault, Warning};
use crate::puzzle::limits::MIN_AFTER_IN_CIRCLE;
use crate::puzzle::machine::{Kind, Machine, State, StateId, Transition};

/// Timers in circles that are too short: the machine would hardly rest.
pub(super) fn too_fast(machine: &Machine) -> Vec<Fault> {
    let around = Reach::of(machine, By::Itself);
    let mut faults = Vec::new();
    for (id, state) in machine.all() {
        let short = state.after.range(..MIN_AFTER_IN_CIRCLE);
        for (ms, ways) in short {
            if ways.iter().any(|way| way.target.is_some() && comes_back(machine, &around, id, way)) {
                let problem = format!(
                    "it leads round in a circle in which nobody acts, so it must run for at least \
                     {MIN_AFTER_IN_CIRCLE} milliseconds"
                );
                faults.push(Fault::limit(format!("{}.after.{ms}", place(machine, id)), problem));
            }
        }
    }
    faults
}

/// What is said of each circle in which nobody acts.
pub(super) fn warnings(machine: &Machine) -> Vec<Warning> {
    let told = [
        (By::Always, "always", "an action that gets there is refused, unless a rule ends it"),
        (By::Itself, "after", "it goes round for ever, unless somebody acts or a rule ends it"),
    ];
    let told = told.into_iter().flat_map(|(by, field, problem)| {
        let around = Reach::of(machine, by);
        around.circles().into_iter().filter_map(move |circle| {
            let is_there = |id: &&StateId| by == By::Always || has_timer_in(machine, &around, **id);
            let first = circle.iter().find(is_there)?;
            let names = listed(circle.iter().map(|id| match machine.state(*id).path.as_str() {
                "" => "every state",
                path => path,
            }));
            Some(Warning {
                path: format!("{}.{field}", place(machine, *first)),
                problem: format!("nobody acts in the circle of {names}: {problem}"),
            })
        })
    });
    told.collect()
}

/// What leads on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// `always` alone.
    Always,
    /// `always` and timers.
    Itself,
}

/// Which states can be come to from each.
struct Reach(Vec<Vec<bool>>);

impl Reach {
    fn of(machine: &Machine, by: By) -> Self {
        let count = machine.all().count();
        let mut from = vec![vec![false; count]; count];
        for (id, state) in machine.all() {
            let timers = timers(state).filter(|_| by == By::Itself);
            for way in state.always.iter().chain(timers) {
                for next in goes_on(machine, id, way) {
                    from[id.0][next.0] = true;
                }
            }
        }
        for between in 0..count {
            let beyond = from[between].clone();
            for reached in from.iter_mut().filter(|reached| reached[between]) {
                reached.iter_mut().zip(&beyond).for_each(|(reached, beyond)| *reached |= beyond);
            }
        }
        Self(from)
    }

    fn leads(&self, from: StateId, to: StateId) -> bool {
        self.0[from.0][to.0]
    }

    /// The states of each circle.
    fn circles(&self) -> Vec<Vec<StateId>> {
        let mut circles: Vec<Vec<StateId>> = Vec::new();
        for id in (0..self.0.len()).map(StateId).filter(|id| self.leads(*id, *id)) {
            match circles.iter_mut().find(|circle| self.leads(id, circle[0]) && self.leads(circle[0], id)) {
                Some(circle) => circle.push(id),
                None => circles.push(vec![id]),
            }
        }
        circles
    }
}

/// The states in which something may go on by itself once a way of `source` was taken: those that are entered, whose
/// timers begin, and all around them that look at `always`.
fn goes_on(machine: &Machine, source: StateId, way: &Transition) -> Vec<StateId> {
    let looks = |id: &StateId| !machine.state(*id).always.is_empty();
    let Some(target) = way.target else { return machine.chain(source).filter(looks).collect() };
    if let Kind::History { .. } = machine.state(target).kind {
        // It leads to any state that may have been left.
        let parent = machine.state(target).parent.unwrap_or_default();
        let inside = machine.all().map(|(id, _)| id).filter(|id| machine.is_within(*id, parent));
        return inside.chain(machine.chain(parent).filter(looks)).collect();
    }
    let leg = machine.leg(source, source, way, &BTreeMap::new());
    machine.entered(leg).into_iter().chain(machine.active(leg.to).filter(looks)).collect()
}

/// The timers of a state that lead somewhere: one that does not has run out for good.
fn timers(state: &State) -> impl Iterator<Item = &Transition> {
    state.after.values().flatten().filter(|way| way.target.is_some())
}

fn comes_back(machine: &Machine, around: &Reach, id: StateId, way: &Transition) -> bool {
    goes_on(machine, id, way).into_iter().any(|next| next == id || around.leads(next, id))
}

/// Whether a timer of a state leads back to it.
fn has_timer_in(machine: &Machine, around: &Reach, id: StateId) -> bool {
    timers(machine.state(id)).any(|way| comes_back(machine, around, id, way))
}
