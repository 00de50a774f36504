//! Where a machine stands, and what rules may look at: the same for what has happened and for what is only tried.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::machine::{Leg, Machine, StateId};
use crate::room::Handle;

/// Where a machine stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// The innermost state.
    pub current: StateId,
    /// The constants that it began with, and those that transitions have put there.
    pub context: Arc<Map<String, Value>>,
    /// The innermost state in which each state was left last.
    pub left_from: BTreeMap<StateId, StateId>,
    /// When each state was entered that is not left.
    entered: BTreeMap<StateId, DateTime<Utc>>,
    visits: BTreeMap<StateId, u64>,
    done: Arc<BTreeMap<String, Done>>,
}

/// How often an action was done.
#[derive(Clone, Debug, Default, PartialEq)]
struct Done {
    total: u64,
    /// Only of those whose acts rules count one by one.
    by: BTreeMap<Handle, u64>,
}

impl Place {
    /// Before anything is entered.
    pub(super) fn of(machine: &Machine) -> Self {
        Self { context: Arc::new(machine.context.clone()), ..Self::default() }
    }

    /// Goes one step.
    pub(super) fn step(&mut self, machine: &Machine, leg: Leg, at: DateTime<Utc>) {
        let innermost = self.current;
        for left in machine.left(innermost, leg) {
            self.left_from.insert(left, innermost);
            self.entered.remove(&left);
        }
        for entered in machine.entered(leg) {
            self.entered.insert(entered, at);
            *self.visits.entry(entered).or_default() += 1;
        }
        self.current = leg.to;
    }

    /// Puts constants into the context.
    pub(super) fn set(&mut self, set: &Map<String, Value>) {
        if !set.is_empty() {
            Arc::make_mut(&mut self.context).extend(set.clone());
        }
    }

    /// Counts an action that was done.
    pub(super) fn count(&mut self, action: &str, actor: Option<&Handle>, counted: &BTreeSet<Handle>) {
        let done = Arc::make_mut(&mut self.done).entry(action.to_owned()).or_default();
        done.total += 1;
        if let Some(actor) = actor.filter(|actor| counted.contains(*actor)) {
            *done.by.entry(actor.clone()).or_default() += 1;
        }
    }

    /// How many actions were ever done: as much as it costs to count one more where it is only tried.
    pub(super) fn kinds_done(&self) -> usize {
        self.done.len()
    }

    /// Since when the innermost state lasts.
    pub(super) fn since(&self) -> Option<DateTime<Utc>> {
        self.entered_at(self.current)
    }

    /// When a state was entered that is not left.
    pub(super) fn entered_at(&self, state: StateId) -> Option<DateTime<Utc>> {
        self.entered.get(&state).copied()
    }

    /// How often a state was entered.
    pub(super) fn visits(&self, state: StateId) -> u64 {
        self.visits.get(&state).copied().unwrap_or(0)
    }

    /// How often an action was done: by these, or by anybody.
    pub(super) fn done(&self, action: &str, by: Option<&[Handle]>) -> u64 {
        let Some(done) = self.done.get(action) else { return 0 };
        by.map_or(done.total, |by| by.iter().filter_map(|handle| done.by.get(handle)).sum())
    }
}
