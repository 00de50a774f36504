//! What both spellings of a machine say alike of transitions: candidates, `always`, `after`, ends, and constants.

use serde_json::{Map, Value};

use super::Parser;
use super::fields::{Fields, below, kind};
use super::unasked::NO_CLIENT;
use crate::puzzle::guard::{Guard, Guards};
use crate::puzzle::limits::{MAX_ACTIONS, MAX_AFTER, MAX_TRANSITIONS};
use crate::puzzle::machine::{StateId, Transition};
use crate::room::one_line;

/// How one spelling reads one candidate of a state, at this path.
pub(super) type Read<'a> = fn(&mut Parser<'a>, StateId, &Value, String) -> Option<Transition>;

impl<'a> Parser<'a> {
    /// What can be done in a state, from one field.
    pub(super) fn actions(&mut self, id: StateId, fields: &Fields<'_>, key: &str, read: Read<'a>) {
        let Some(actions) = fields.fields(key, &mut self.faults) else { return };
        if actions.map.len() > MAX_ACTIONS {
            let problem = format!("there are {} actions, and {MAX_ACTIONS} are allowed", actions.map.len());
            return self.limit(&actions.path, problem);
        }
        for (name, value) in actions.entries(&mut self.faults) {
            let candidates = self.candidates(id, value, &actions.at(name), read);
            self.states[id.0].actions.insert(name.to_owned(), candidates);
        }
    }

    /// What a state does as soon as it can.
    pub(super) fn always(&mut self, id: StateId, fields: &Fields<'_>, read: Read<'a>) {
        let Some(value) = fields.get("always") else { return };
        let path = fields.at("always");
        let candidates = self.candidates(id, value, &path, read);
        if let Some(last) = candidates.last() {
            self.rules_only(&last.guard, &path, "`always` asks nobody");
        }
        self.states[id.0].always = candidates;
    }

    /// What a state does after a time.
    pub(super) fn after(&mut self, id: StateId, fields: &Fields<'_>, read: Read<'a>) {
        let Some(after) = fields.fields("after", &mut self.faults) else { return };
        for (key, value) in after.map {
            let path = after.at(key);
            let candidates = self.candidates(id, value, &path, read);
            if candidates.last().is_some_and(|way| way.guard.iter().any(Guard::needs_client)) {
                self.fault(below(&path, "guard"), NO_CLIENT);
            }
            let Some(ms) = key.parse().ok().filter(|ms| (1..=MAX_AFTER).contains(ms)) else {
                let key = one_line(key);
                self.fault(path, format!("`{key}` is no delay; write milliseconds, 1 to {MAX_AFTER}"));
                continue;
            };
            if self.states[id.0].after.insert(ms, candidates).is_some() {
                self.fault(path, "the same delay stands here twice");
            }
        }
    }

    /// Tells if a state that is the end goes on.
    pub(super) fn goes_nowhere(&mut self, id: StateId, path: &str, what: &str) {
        if self.states[id.0].transitions().next().is_some() {
            self.fault(path, format!("{what} has no actions, no `always` and no `after`"));
        }
    }

    /// What a transition puts into the context.
    pub(super) fn set(&mut self, fields: &Fields<'_>) -> Map<String, Value> {
        let set = fields.fields("set", &mut self.faults);
        if let Some(set) = &set {
            set.entries(&mut self.faults);
        }
        set.map(|set| set.map.clone()).unwrap_or_default()
    }

    /// One candidate, or a list of them.
    fn candidates(&mut self, id: StateId, value: &Value, path: &str, read: Read<'a>) -> Vec<Transition> {
        let Value::Array(list) = value else {
            self.count_transition();
            return read(self, id, value, path.to_owned()).into_iter().collect();
        };
        let mut candidates = Vec::new();
        for (number, value) in list.iter().enumerate() {
            self.count_transition();
            let path = below(path, &number.to_string());
            let Some(transition) = read(self, id, value, path.clone()) else { continue };
            if number + 1 < list.len() {
                self.rules_only(&transition.guard, &path, "another candidate follows");
            }
            candidates.push(transition);
        }
        if list.is_empty() {
            self.fault(path, format!("it is {} without a candidate", kind(value)));
        }
        candidates
    }

    fn count_transition(&mut self) {
        self.transitions += 1;
        if self.transitions == MAX_TRANSITIONS + 1 {
            self.limit("config", format!("it has more than {MAX_TRANSITIONS} transitions"));
        }
    }

    /// Refuses guards that ask somebody.
    fn rules_only(&mut self, guards: &Guards, path: &str, why: &str) {
        if !guards.iter().all(Guard::is_rule) {
            self.fault(below(path, "guard"), format!("only a `rule` can stand here, because {why}"));
        }
    }
}
