//! Reads the seed's JSON: `initialState`, and states in one row, with what turnroom adds beside it.

use serde_json::Value;

use super::Parser;
use super::fields::{Fields, below, did_you_mean, kind};
use super::shared::TOP;
use crate::puzzle::limits::MAX_TEXT;
use crate::puzzle::machine::{Kind, Machine, StateId, Transition};
use crate::room::{nearest, one_line};

/// The fields of a state.
const STATE: [&str; 10] = [
    "name",
    "actions",
    "exitGuard",
    "enterGuard",
    "description",
    "who",
    "resource",
    "always",
    "after",
    "final",
];
/// The fields of an action.
const ACTION: [&str; 6] = ["name", "targetState", "description", "allowed", "guard", "set"];
/// The fields of a transition that nobody does.
const BY_ITSELF: [&str; 4] = ["targetState", "description", "guard", "set"];

pub(super) fn read<'a>(parser: &mut Parser<'a>, top: &Fields<'a>) -> Option<Machine> {
    let known: Vec<_> = TOP.into_iter().chain(["initialState"]).collect();
    top.only(&known, &mut parser.faults);
    parser.first(top);
    for (name, fields) in parser.states_of(top)? {
        parser.declare(name, name.to_owned(), StateId::ROOT, fields)?;
    }
    for id in (1..parser.states.len()).map(StateId) {
        parser.seed_state(id);
    }
    if top.get("initialState").is_none() {
        parser.fault(top.at("initialState"), "it is missing; name the state in which the machine begins");
    }
    let first = top.text("initialState", usize::MAX, &mut parser.faults);
    let first = first.and_then(|first| parser.seed_target(&first, &top.at("initialState")));
    let mut machine = parser.last(top);
    machine.states[0].kind = Kind::Compound(first?);
    Some(machine)
}

impl Parser<'_> {
    fn seed_state(&mut self, id: StateId) {
        let fields = self.places[id.0].clone();
        fields.only(&STATE, &mut self.faults);
        let key = self.states[id.0].key.clone();
        self.same_name(&fields, &key);
        self.additions(id, &fields);
        for (name, action) in fields.get("actions").and_then(Value::as_object).into_iter().flatten() {
            let path = below(&fields.at("actions"), name);
            if let Value::Object(map) = action {
                self.same_name(&Fields { map, path }, name);
            }
        }
        self.actions(id, &fields, "actions", Self::seed_action);
        self.always(id, &fields, Self::seed_way);
        self.after(id, &fields, Self::seed_way);
        match fields.get("final") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => {
                self.goes_nowhere(id, &fields.path, "a final state");
                self.states[id.0].kind = Kind::Final;
            }
            Some(other) => {
                self.fault(fields.at("final"), format!("it is {}; it must be true or false", kind(other)));
            }
        }
    }

    fn seed_action(&mut self, _: StateId, value: &Value, path: String) -> Option<Transition> {
        let fields = Fields::of(value, path, &mut self.faults)?;
        self.seed_transition(&fields, &ACTION)
    }

    /// A transition that nobody does: its target alone will do.
    fn seed_way(&mut self, _: StateId, value: &Value, path: String) -> Option<Transition> {
        if let Value::String(target) = value {
            return self.seed_target(target, &path).map(to);
        }
        let fields = Fields::of(value, path, &mut self.faults)?;
        self.seed_transition(&fields, &BY_ITSELF)
    }

    fn seed_transition(&mut self, fields: &Fields<'_>, known: &[&str]) -> Option<Transition> {
        fields.only(known, &mut self.faults);
        let guard = self.guards(fields.get("guard"), &fields.at("guard"));
        let allowed = self.who(fields.get("allowed"), &fields.at("allowed"));
        let set = self.set(fields);
        let description = fields.text("description", MAX_TEXT, &mut self.faults);
        if fields.get("targetState").is_none() {
            let known = self.known_states();
            self.fault(fields.at("targetState"), format!("it is missing; name one of {known}"));
        }
        let target = fields.text("targetState", usize::MAX, &mut self.faults)?;
        let target = self.seed_target(&target, &fields.at("targetState"))?;
        Some(Transition { guard, allowed, set, description, ..to(target) })
    }

    fn seed_target(&mut self, name: &str, path: &str) -> Option<StateId> {
        let found = self.find(name);
        if found.is_none() && !self.has_many_faults() {
            let hint = nearest(name, self.paths()).map(did_you_mean).unwrap_or_default();
            let known = self.known_states();
            let name = one_line(name);
            self.fault(path, format!("there is no state `{name}`; there are {known}{hint}"));
        }
        found
    }

    /// A name beside its key says the same.
    fn same_name(&mut self, fields: &Fields<'_>, key: &str) {
        let Some(name) = fields.text("name", usize::MAX, &mut self.faults) else { return };
        if name != key {
            let problem = format!("it is `{}`; leave it out, or write its key, `{key}`", one_line(&name));
            self.fault(fields.at("name"), problem);
        }
    }
}

/// A way to a state. The seed leaves a state and enters it anew, also if the way leads to itself.
fn to(target: StateId) -> Transition {
    Transition { target: Some(target), reenters: true, ..Transition::default() }
}
