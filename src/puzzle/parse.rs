//! From JSON to the checked form. All faults are told, each with its place.

mod circles;
mod fields;
mod guard;
mod rule;
mod seed;
mod shared;
mod unasked;
mod warnings;
mod ways;
mod xstate;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value};

use super::fault::{Fault, Warning};
use super::guard::Guards;
use super::limits::{MAX_BYTES, MAX_FAULTS, MAX_STATES};
use super::machine::{Machine, State, StateId};
use crate::room::Handle;
use fields::Fields;

pub(super) use fields::checked_name;

impl Machine {
    /// Checks a machine: the seed's JSON, or named JSON of XState.
    ///
    /// # Errors
    /// All faults.
    pub fn parse(config: &Value) -> Result<(Self, Vec<Warning>), Vec<Fault>> {
        let bytes = config.to_string().len();
        if bytes > MAX_BYTES {
            let problem = format!("it has {bytes} bytes, and {MAX_BYTES} are allowed");
            return Err(vec![Fault::limit("config", problem)]);
        }
        let mut parser = Parser::default();
        let machine = parser.machine(config);
        if let Some(machine) = machine.as_ref().filter(|_| parser.faults.is_empty()) {
            parser.faults.extend(circles::too_fast(machine));
        }
        let mut told = HashSet::new();
        parser.faults.retain(|fault| told.insert(fault.clone()));
        parser.faults.truncate(MAX_FAULTS);
        match machine {
            Some(machine) if parser.faults.is_empty() => {
                let warnings = warnings::of(&machine);
                Ok((machine, warnings))
            }
            _ => Err(parser.faults),
        }
    }
}

/// What is known while a machine is read.
#[derive(Default)]
struct Parser<'a> {
    faults: Vec<Fault>,
    states: Vec<State>,
    /// Where the states stand in the JSON.
    places: Vec<Fields<'a>>,
    roles: BTreeMap<String, Vec<Handle>>,
    /// The guards that have names, as they are written.
    named: Option<&'a Map<String, Value>>,
    /// Named guards as they were read, by their names and parameters.
    read: HashMap<String, Guards>,
    counted: BTreeSet<Handle>,
    /// States by the ids that they give themselves.
    ids: HashMap<String, StateId>,
    transitions: usize,
    checks: usize,
    /// Whether a named guard is being read: it may name no other one.
    is_in_named: bool,
}

impl<'a> Parser<'a> {
    fn machine(&mut self, config: &'a Value) -> Option<Machine> {
        let fields = Fields::of(config, "config".to_owned(), &mut self.faults)?;
        if xstate::is_meant(fields.map) { xstate::read(self, &fields) } else { seed::read(self, &fields) }
    }

    fn fault(&mut self, path: impl Into<String>, problem: impl Into<String>) {
        self.faults.push(Fault::new(path, problem));
    }

    /// Tells that there is more than may be.
    fn limit(&mut self, path: impl Into<String>, problem: impl Into<String>) {
        self.faults.push(Fault::limit(path, problem));
    }

    /// Whether so much is wrong that no more hints are looked for: they cost time.
    fn has_many_faults(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }

    /// The states directly in something, as far as they can be read.
    fn states_of(&mut self, outer: &Fields<'a>) -> Option<Vec<(&'a str, Fields<'a>)>> {
        if outer.get("states").is_none() {
            self.fault(outer.at("states"), "it is missing; a machine needs states");
        }
        let states = outer.fields("states", &mut self.faults)?;
        if states.map.is_empty() {
            self.fault(&states.path, "it is empty; a machine needs a state");
        }
        let mut read = Vec::new();
        for (name, value) in states.entries(&mut self.faults) {
            let fields = Fields::of(value, states.at(name), &mut self.faults);
            read.extend(fields.map(|fields| (name, fields)));
        }
        Some(read)
    }

    /// Makes a state known. Its parts are read once all states are.
    fn declare(&mut self, key: &str, path: String, parent: StateId, fields: Fields<'a>) -> Option<StateId> {
        // The root is none of them.
        if self.states.len() > MAX_STATES {
            self.limit("config.states", format!("there are more than {MAX_STATES} states"));
            return None;
        }
        let id = StateId(self.states.len());
        self.states.push(State::new(key.to_owned(), path, Some(parent)));
        self.places.push(fields);
        Some(id)
    }

    fn find(&self, path: &str) -> Option<StateId> {
        self.states.iter().skip(1).position(|state| state.path == path).map(|number| StateId(number + 1))
    }

    /// All states that can be named, for a fault that names none.
    fn known_states(&self) -> String {
        fields::listed(self.paths())
    }

    /// The paths of all states.
    fn paths(&self) -> impl Iterator<Item = &str> + Clone {
        self.states.iter().skip(1).map(|state| state.path.as_str())
    }
}
