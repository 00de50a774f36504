//! Reads the seed's JSON: `initialState`, and states in one row, with what turnroom adds beside it.

use serde_json::Value;

use super::fields::{Fields, MAX_TEXT, below, did_you_mean};
use super::shared::TOP;
use super::{MAX_ACTIONS, MAX_STATES, Parser};
use crate::puzzle::machine::{Kind, Machine, StateId, Transition};
use crate::room::{nearest, one_line};

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
const ACTION: [&str; 6] = ["name", "targetState", "description", "allowed", "guard", "set"];
/// Of a transition that nobody does.
const BY_ITSELF: [&str; 4] = ["targetState", "description", "guard", "set"];

pub(super) fn read<'a>(parser: &mut Parser<'a>, top: &Fields<'a>) -> Option<Machine> {
    let known: Vec<_> = TOP.into_iter().chain(["initialState", "name"]).collect();
    top.only(&known, &mut parser.faults);
    parser.first(top);
    parser.declare_all(top)?;
    for id in (1..parser.states.len()).map(StateId) {
        parser.seed_state(id);
    }
    let name = top.name("name", &mut parser.faults);
    if top.get("initialState").is_none() {
        parser.fault(top.at("initialState"), "it is missing; name the state in which the machine begins");
    }
    let first = top.text("initialState", usize::MAX, &mut parser.faults)?;
    let first = parser.seed_target(&first, &top.at("initialState"))?;
    parser.states[0].kind = Kind::Compound(first);
    Some(parser.last(top, name))
}

impl<'a> Parser<'a> {
    /// Makes the states of one level known.
    fn declare_all(&mut self, top: &Fields<'a>) -> Option<()> {
        if top.get("states").is_none() {
            self.fault(top.at("states"), "it is missing; a machine needs states");
        }
        let states = top.fields("states", &mut self.faults)?;
        if states.map.is_empty() {
            self.fault(&states.path, "it is empty; a machine needs a state");
        }
        if states.map.len() > MAX_STATES {
            let problem = format!("there are {} states, and {MAX_STATES} are allowed", states.map.len());
            self.limit(&states.path, problem);
            return None;
        }
        for (name, value) in states.entries(&mut self.faults) {
            if let Some(fields) = Fields::of(value, states.at(name), &mut self.faults) {
                self.declare(name, name.to_owned(), StateId::ROOT, fields);
            }
        }
        Some(())
    }

    fn seed_state(&mut self, id: StateId) {
        let fields = self.places[id.0].clone();
        fields.only(&STATE, &mut self.faults);
        let key = self.states[id.0].key.clone();
        self.same_name(&fields, &key);
        self.additions(id, &fields);
        let description = fields.text("description", MAX_TEXT, &mut self.faults);
        self.states[id.0].description = description;
        self.seed_actions(id, &fields);
        self.seed_always(id, &fields);
        self.seed_after(id, &fields);
        self.seed_final(id, &fields);
    }

    fn seed_actions(&mut self, id: StateId, fields: &Fields<'_>) {
        let Some(actions) = fields.fields("actions", &mut self.faults) else { return };
        if actions.map.len() > MAX_ACTIONS {
            let problem = format!("there are {} actions, and {MAX_ACTIONS} are allowed", actions.map.len());
            return self.limit(&actions.path, problem);
        }
        for (name, value) in actions.entries(&mut self.faults) {
            let Some(action) = Fields::of(value, actions.at(name), &mut self.faults) else { continue };
            self.same_name(&action, name);
            if let Some(transition) = self.seed_transition(&action, &ACTION) {
                self.states[id.0].actions.insert(name.to_owned(), vec![transition]);
            }
        }
    }

    fn seed_always(&mut self, id: StateId, fields: &Fields<'_>) {
        let Some(value) = fields.get("always") else { return };
        let path = fields.at("always");
        let candidates = self.seed_candidates(value, &path);
        for (transition, path) in &candidates {
            self.rules_only(&transition.guard, &below(path, "guard"), "`always` asks nobody");
        }
        self.states[id.0].always = candidates.into_iter().map(|(transition, _)| transition).collect();
    }

    fn seed_after(&mut self, id: StateId, fields: &Fields<'_>) {
        let Some(after) = fields.fields("after", &mut self.faults) else { return };
        for (key, value) in after.map {
            let path = after.at(key);
            let delay = self.delay(key, &path);
            let candidates = self.seed_candidates(value, &path);
            self.only_rules(&candidates);
            let candidates = candidates.into_iter().map(|(transition, _)| transition).collect();
            if let Some(ms) = delay {
                self.states[id.0].after.insert(ms, candidates);
            }
        }
    }

    fn seed_final(&mut self, id: StateId, fields: &Fields<'_>) {
        match fields.get("final") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) if self.states[id.0].transitions().next().is_some() => {
                self.fault(&fields.path, "a final state has no actions, no `always` and no `after`");
            }
            Some(Value::Bool(true)) => self.states[id.0].kind = Kind::Final,
            Some(other) => self.wrong_kind(other, &fields.at("final"), "true or false"),
        }
    }

    /// A state, a transition, or a list of them.
    fn seed_candidates(&mut self, value: &Value, path: &str) -> Vec<(Transition, String)> {
        match value {
            Value::Array(list) => {
                let one = |(number, value): (usize, &Value)| {
                    self.seed_candidate(value, below(path, &number.to_string()))
                };
                list.iter().enumerate().filter_map(one).collect()
            }
            one => self.seed_candidate(one, path.to_owned()).into_iter().collect(),
        }
    }

    fn seed_candidate(&mut self, value: &Value, path: String) -> Option<(Transition, String)> {
        if let Value::String(target) = value {
            self.transition();
            let target = self.seed_target(target, &path)?;
            return Some((to(target), path));
        }
        let fields = Fields::of(value, path, &mut self.faults)?;
        self.seed_transition(&fields, &BY_ITSELF).map(|transition| (transition, fields.path))
    }

    fn seed_transition(&mut self, fields: &Fields<'_>, known: &[&str]) -> Option<Transition> {
        self.transition();
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
        let found = self.find(name).filter(|id| *id != StateId::ROOT);
        if found.is_none() {
            let names = self.states.iter().skip(1).map(|state| state.path.as_str());
            let hint = nearest(name, names).map(did_you_mean).unwrap_or_default();
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
    Transition {
        target: Some(target),
        reenters: true,
        guard: crate::puzzle::guard::Guards::from([]),
        allowed: Vec::new(),
        set: serde_json::Map::new(),
        description: None,
    }
}
