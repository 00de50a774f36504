//! Reads named JSON of XState 5: `initial`, `on`, states in states. What cannot be honoured is refused by its name.

mod refused;
mod target;

use serde_json::{Map, Value};

use super::Parser;
use super::fields::{Fields, below, kind, shown};
use super::shared::TOP;
use crate::puzzle::guard::Guards;
use crate::puzzle::limits::{MAX_STATE_DEPTH, MAX_TEXT};
use crate::puzzle::machine::{Kind, Machine, StateId, Transition};
use crate::room::one_line;

/// The fields of a state.
const STATE: [&str; 11] =
    ["id", "type", "initial", "states", "on", "always", "after", "history", "target", "description", "meta"];
/// What a machine says only for people.
const FOR_PEOPLE: [&str; 1] = ["version"];
/// The fields of a transition.
const TRANSITION: [&str; 5] = ["target", "guard", "description", "meta", "reenter"];
/// What turnroom adds to a state, beside its fields or in `meta.turnroom`.
const STATE_ADDITIONS: [&str; 5] = ["who", "exitGuard", "enterGuard", "resource", "description"];
/// What turnroom adds to a transition.
const ADDITIONS: [&str; 2] = ["allowed", "set"];

/// Whether it is written in this spelling.
pub(super) fn is_meant(top: &Map<String, Value>) -> bool {
    let has = |map: &Map<String, Value>, keys: &[&str]| keys.iter().any(|key| map.contains_key(*key));
    let mut states = top.get("states").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let own = ["initial", "on", "type", "states", "entry", "exit", "invoke"];
    !top.contains_key("initialState")
        && (has(top, &["initial", "on", "type"])
            || states.any(|state| state.as_object().is_some_and(|state| has(state, &own))))
}

pub(super) fn read<'a>(parser: &mut Parser<'a>, top: &Fields<'a>) -> Option<Machine> {
    parser.first(top);
    parser.identify(StateId::ROOT, top);
    parser.declare_below(top, StateId::ROOT, 1)?;
    for id in (0..parser.states.len()).map(StateId) {
        let fields = parser.places[id.0].clone();
        parser.xstate_state(id, &fields);
    }
    Some(parser.last(top))
}

impl<'a> Parser<'a> {
    /// Makes the states of one level, and of those below, known.
    fn declare_below(&mut self, fields: &Fields<'a>, parent: StateId, depth: usize) -> Option<()> {
        if depth > MAX_STATE_DEPTH {
            self.limit(fields.at("states"), format!("states lie deeper in states than {MAX_STATE_DEPTH}"));
            return None;
        }
        for (key, fields) in self.states_of(fields)? {
            if key.contains('.') || key.starts_with('#') {
                self.fault(&fields.path, "a state's name has no `.`, and does not begin with `#`");
                continue;
            }
            let outer = &self.states[parent.0].path;
            let path = if outer.is_empty() { key.to_owned() } else { format!("{outer}.{key}") };
            let id = self.declare(key, path, parent, fields.clone())?;
            self.identify(id, &fields);
            if fields.get("states").is_some() {
                self.declare_below(&fields, id, depth + 1);
            }
        }
        Some(())
    }

    fn xstate_state(&mut self, id: StateId, fields: &Fields<'a>) {
        let meta = self.meta(fields);
        let is_root = id == StateId::ROOT;
        let mut known: Vec<_> = STATE.to_vec();
        if is_root {
            known.extend(TOP.into_iter().chain(FOR_PEOPLE));
        }
        known.extend(if is_root || meta.is_some() { [].as_slice() } else { &STATE_ADDITIONS });
        refused::check(fields, &known, &mut self.faults);
        if let Some(meta) = &meta {
            meta.only(&STATE_ADDITIONS, &mut self.faults);
        }
        if !is_root {
            self.additions(id, meta.as_ref().unwrap_or(fields));
        }
        if let Some(description) = fields.text("description", MAX_TEXT, &mut self.faults) {
            self.states[id.0].description = Some(description);
        }
        self.actions(id, fields, "on", Self::xstate_transition);
        self.always(id, fields, Self::xstate_way);
        self.after(id, fields, Self::xstate_way);
        let Some(kind) = self.kind_of_state(id, fields) else { return };
        self.states[id.0].kind = kind;
        let strangers: &[&str] = match kind {
            Kind::Compound(_) => &["history", "target"],
            Kind::History { .. } => &["initial"],
            Kind::Atomic | Kind::Final => &["history", "target", "initial"],
        };
        for key in strangers.iter().filter(|key| fields.get(key).is_some()) {
            self.fault(fields.at(key), "it does not fit this kind of state; leave it out");
        }
    }

    fn kind_of_state(&mut self, id: StateId, fields: &Fields<'_>) -> Option<Kind> {
        let has_states = fields.get("states").is_some();
        let has_history = fields.get("history").is_some();
        let unsaid = if has_history { "history" } else { "atomic" };
        let unsaid = if has_states { "compound" } else { unsaid };
        let said = fields.text("type", MAX_TEXT, &mut self.faults);
        let kind = match said.as_deref().unwrap_or(unsaid) {
            "compound" if has_states => return self.first_of(id, fields).map(Kind::Compound),
            "atomic" => Kind::Atomic,
            "final" => {
                self.goes_nowhere(id, &fields.path, "a final state");
                Kind::Final
            }
            "history" => {
                self.goes_nowhere(id, &fields.path, "a history state");
                return self.history(id, fields);
            }
            "parallel" => {
                self.fault(
                    fields.at("type"),
                    "`parallel` is not honoured: a puzzle is in one state at a time",
                );
                return None;
            }
            other => {
                let problem = format!("`{}` does not fit here; leave it out", one_line(other));
                self.fault(fields.at("type"), problem);
                return None;
            }
        };
        if has_states {
            self.fault(&fields.path, "a state that has `states` cannot be of this `type`");
        }
        Some(kind)
    }

    /// The state in which a state with others in it begins.
    fn first_of(&mut self, id: StateId, fields: &Fields<'_>) -> Option<StateId> {
        let path = fields.at("initial");
        let target = match fields.get("initial") {
            None => {
                self.fault(path, "it is missing; name the state in which it begins");
                return None;
            }
            Some(Value::Object(map)) => {
                let initial = Fields { map, path: path.clone() };
                refused::check(&initial, &["target"], &mut self.faults);
                initial.text("target", MAX_TEXT, &mut self.faults)?
            }
            Some(_) => fields.text("initial", MAX_TEXT, &mut self.faults)?,
        };
        let key = target.trim_start_matches('.');
        let found = self.child(id, key);
        if found.is_none_or(|id| self.is_history(id)) {
            let known = self.children(id);
            self.fault(
                path,
                format!("`{}` is no state in it to begin with; there are {known}", one_line(key)),
            );
            return None;
        }
        found
    }

    fn history(&mut self, id: StateId, fields: &Fields<'_>) -> Option<Kind> {
        let is_deep = match fields.get("history") {
            None | Some(Value::Bool(true)) => false,
            Some(Value::String(depth)) if depth == "shallow" => false,
            Some(Value::String(depth)) if depth == "deep" => true,
            Some(other) => {
                let problem = format!("it is {}; it must be `shallow` or `deep`", shown(other));
                self.fault(fields.at("history"), problem);
                return None;
            }
        };
        let target = fields.text("target", MAX_TEXT, &mut self.faults);
        let target = target.and_then(|target| self.target(id, &target, &fields.at("target")));
        let parent = self.states[id.0].parent.unwrap_or_default();
        let is_inside = |id: StateId| {
            let mut around = std::iter::successors(self.states[id.0].parent, |id| self.states[id.0].parent);
            around.any(|around| around == parent)
        };
        if target.is_some_and(|target| self.is_history(target) || !is_inside(target)) {
            let problem = "a history state leads to a state beside it, which is no history state itself";
            self.fault(fields.at("target"), problem);
            return None;
        }
        Some(Kind::History { is_deep, target })
    }

    /// Whether a state is written as the way back to another one.
    fn is_history(&self, id: StateId) -> bool {
        let place = &self.places[id.0];
        place.get("history").is_some() || place.get("type").and_then(Value::as_str) == Some("history")
    }

    /// A transition that nobody takes.
    fn xstate_way(&mut self, id: StateId, value: &Value, path: String) -> Option<Transition> {
        let beside = if value.get("allowed").is_some() { "allowed" } else { "meta.turnroom.allowed" };
        let place = format!("{path}.{beside}");
        let transition = self.xstate_transition(id, value, path)?;
        if !transition.allowed.is_empty() {
            let problem =
                "`allowed` is not honoured here: nobody takes this transition; write a rule with `actor`";
            self.fault(place, problem);
        }
        Some(transition)
    }

    fn xstate_transition(&mut self, id: StateId, value: &Value, path: String) -> Option<Transition> {
        if let Value::String(target) = value {
            let target = self.target(id, target, &path)?;
            return Some(Transition { target: Some(target), ..Transition::default() });
        }
        let fields = Fields::of(value, path, &mut self.faults)?;
        let meta = self.meta(&fields);
        let mut known = TRANSITION.to_vec();
        known.extend(if meta.is_some() { [].as_slice() } else { &ADDITIONS });
        refused::check(&fields, &known, &mut self.faults);
        if let Some(meta) = &meta {
            meta.only(&ADDITIONS, &mut self.faults);
        }
        let additions = meta.as_ref().unwrap_or(&fields);
        let allowed = self.who(additions.get("allowed"), &additions.at("allowed"));
        let set = self.set(additions);
        let guard = self.xstate_guard(&fields);
        let description = fields.text("description", MAX_TEXT, &mut self.faults);
        let reenters = match fields.get("reenter") {
            None => false,
            Some(Value::Bool(reenters)) => *reenters,
            Some(other) => {
                self.fault(fields.at("reenter"), format!("it is {}; it must be true or false", kind(other)));
                false
            }
        };
        let target = self.xstate_target(id, &fields)?;
        Some(Transition { target, reenters, guard, allowed, set, description })
    }

    /// The target of a transition, if it has one. Nothing at all: it has one that is wrong.
    #[expect(clippy::option_option, reason = "a transition may have no target, and a target may be wrong")]
    fn xstate_target(&mut self, id: StateId, fields: &Fields<'_>) -> Option<Option<StateId>> {
        let path = fields.at("target");
        match fields.get("target") {
            None => Some(None),
            Some(Value::Array(list)) if list.len() != 1 => {
                self.fault(path, "one target is honoured; several need `parallel` states");
                None
            }
            Some(Value::Array(list)) => {
                let target = super::fields::text(&list[0], below(&path, "0"), MAX_TEXT, &mut self.faults)?;
                self.target(id, &target, &path).map(Some)
            }
            Some(_) => {
                let target = fields.text("target", MAX_TEXT, &mut self.faults)?;
                self.target(id, &target, &path).map(Some)
            }
        }
    }

    /// A guard is a name of one in `guards`, with parameters perhaps; or one of turnroom's own.
    fn xstate_guard(&mut self, fields: &Fields<'_>) -> Guards {
        let path = fields.at("guard");
        match fields.get("guard") {
            Some(Value::String(name)) => self.guard_by_name(name, None, &path),
            Some(Value::Object(map)) if map.contains_key("type") => {
                let guard = Fields { map, path };
                guard.only(&["type", "params"], &mut self.faults);
                let params = guard.fields("params", &mut self.faults).map(|params| params.map);
                match guard.text("type", MAX_TEXT, &mut self.faults) {
                    Some(name) => self.guard_by_name(&name, params, &guard.at("type")),
                    None => Guards::from([]),
                }
            }
            other => self.guards(other, &path),
        }
    }

    fn guard_by_name(&mut self, name: &str, params: Option<&Map<String, Value>>, path: &str) -> Guards {
        if refused::is_function(name) {
            self.fault(path, "a function as text is not honoured; name a guard of `guards`");
            return Guards::from([]);
        }
        self.named(name, params, path)
    }

    /// What turnroom adds, if it stands in `meta.turnroom`. What else stands in `meta` is for others.
    fn meta<'v>(&mut self, fields: &Fields<'v>) -> Option<Fields<'v>> {
        fields.fields("meta", &mut self.faults)?.fields("turnroom", &mut self.faults)
    }
}
