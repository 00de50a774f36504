//! What is odd about a machine that is valid: states that nothing leads to, states that nothing leads out of, circles
//! in which nobody acts, and guards that nobody can answer.

use std::collections::BTreeSet;

use super::fields::below;
use super::{circles, unasked};
use crate::puzzle::fault::Warning;
use crate::puzzle::machine::{Kind, Machine, StateId};

pub(super) fn of(machine: &Machine) -> Vec<Warning> {
    let reached = reached(machine);
    let mut warnings = Vec::new();
    for (id, state) in machine.states() {
        let mut warn = |problem: &str| {
            warnings.push(Warning { path: place(machine, id), problem: problem.to_owned() });
        };
        if matches!(state.kind, Kind::History { .. }) {
            continue;
        }
        if !reached.contains(&id) {
            warn("nothing leads to this state");
        }
        if state.kind == Kind::Atomic && !has_way_out(machine, id) {
            warn("nothing leads out of this state; if it is the end, say `final`");
        }
    }
    warnings.extend(circles::warnings(machine));
    warnings.extend(unasked::warnings(machine));
    warnings
}

/// All states in which the machine can come to be, and those around them.
fn reached(machine: &Machine) -> BTreeSet<StateId> {
    let mut reached = BTreeSet::new();
    let mut next = vec![StateId::ROOT];
    while let Some(id) = next.pop() {
        if !reached.insert(id) {
            continue;
        }
        let state = machine.state(id);
        next.extend(state.parent);
        match state.kind {
            Kind::Compound(first) => next.push(first),
            Kind::History { target, .. } => next.extend(target),
            Kind::Atomic | Kind::Final => {}
        }
        next.extend(state.transitions().filter_map(|transition| transition.target));
    }
    reached
}

/// Whether a way of a state, or of one around it, leads elsewhere.
fn has_way_out(machine: &Machine, id: StateId) -> bool {
    machine.chain(id).flat_map(|around| machine.state(around).transitions()).any(|way| {
        let target = way.target;
        target.is_some_and(|target| target != id)
    })
}

pub(super) fn place(machine: &Machine, id: StateId) -> String {
    let mut keys: Vec<_> = machine.chain(id).map(|id| machine.state(id).key.as_str()).collect();
    keys.pop();
    keys.iter().rev().fold("config".to_owned(), |path, key| below(&below(&path, "states"), key))
}
