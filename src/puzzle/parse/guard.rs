//! Reads guards: a text, an object, or a list of both.

use serde_json::{Map, Value};

use super::Parser;
use super::fields::{Fields, below, did_you_mean, kind, listed, text};
use crate::puzzle::fault::Fault;
use crate::puzzle::guard::{Guard, Guards, Panel};
use crate::puzzle::limits::{MAX_CHECKS, MAX_EXPIRES_MINUTES, MAX_GUARDS, MAX_RULE_PARTS, MAX_TEXT};
use crate::room::nearest;

/// The kinds of guards; each is the field that makes it.
const KINDS: [&str; 6] = ["rule", "participant", "form", "sampling", "command", "ref"];

impl Parser<'_> {
    /// The guards of one place, if there are any.
    pub(super) fn guards(&mut self, value: Option<&Value>, path: &str) -> Guards {
        let mut guards = Vec::new();
        match value {
            None => {}
            Some(Value::Array(list)) if list.len() > MAX_GUARDS => {
                self.limit(path, format!("{} guards stand here, and {MAX_GUARDS} may", list.len()));
            }
            Some(Value::Array(list)) => {
                for (number, one) in list.iter().enumerate() {
                    self.guard(one, &below(path, &number.to_string()), &mut guards);
                }
            }
            Some(one) => self.guard(one, path, &mut guards),
        }
        guards.into()
    }

    /// Counts one more guard, or part of a rule.
    pub(super) fn check(&mut self) -> bool {
        self.checks += 1;
        if self.checks == MAX_CHECKS + 1 {
            let problem =
                format!("it has more than {MAX_CHECKS} guards and parts of rules, each use counted");
            self.limit("config", problem);
        }
        self.checks <= MAX_CHECKS
    }

    /// The guard of this name, with these parameters.
    pub(super) fn named(&mut self, name: &str, params: Option<&Map<String, Value>>, path: &str) -> Guards {
        let none = Guards::from([]);
        if self.is_in_named {
            self.fault(path, "a named guard may name no other one; write it out");
            return none;
        }
        let Some(written) = self.named.and_then(|named| named.get(name)) else {
            if self.has_many_faults() {
                return none;
            }
            let names = || self.named.into_iter().flat_map(Map::keys).map(String::as_str);
            let hint = nearest(name, names())
                .map_or_else(|| format!("; there are {}", listed(names())), did_you_mean);
            self.fault(path, format!("`guards` has no `{}`{hint}", crate::room::one_line(name)));
            return none;
        };
        let params = params.filter(|params| !params.is_empty());
        let key = serde_json::json!([name, params]).to_string();
        if let Some(read) = self.read.get(&key) {
            let read = Guards::clone(read);
            return if read.iter().all(|_| self.check()) { read } else { none };
        }
        if self.checks > MAX_CHECKS {
            return none;
        }
        let place = below("config.guards", name);
        let written = filled(written, params, &place, &mut self.faults);
        self.is_in_named = true;
        let guards = self.guards(Some(&written), &place);
        self.is_in_named = false;
        self.read.insert(key, Guards::clone(&guards));
        guards
    }

    /// Reads all named guards that nobody has used: what is wrong with them is told too.
    pub(super) fn unused_guards(&mut self) {
        for (name, written) in self.named.into_iter().flatten() {
            let is_used =
                self.read.keys().any(|key| key.starts_with(&format!("[{},", Value::from(name.as_str()))));
            if !is_used && !has_params(written) {
                self.is_in_named = true;
                self.guards(Some(written), &below("config.guards", name));
                self.is_in_named = false;
            }
        }
    }

    fn guard(&mut self, value: &Value, path: &str, guards: &mut Vec<Guard>) {
        if !self.check() {
            return;
        }
        let map = match value {
            Value::String(_) => {
                let question = text(value, path.to_owned(), MAX_TEXT, &mut self.faults);
                guards.extend(question.map(Guard::Question));
                return;
            }
            Value::Object(map) => map,
            other => {
                let problem =
                    format!("it is {}; a guard is a question, an object, or a list of both", kind(other));
                return self.fault(path, problem);
            }
        };
        let fields = Fields { map, path: path.to_owned() };
        let mut kinds = KINDS.iter().filter(|kind| fields.get(kind).is_some());
        let (first, second) = (kinds.next(), kinds.next());
        match (first, second) {
            (Some(&"ref"), None) => self.reference(&fields, guards),
            (Some(kind), None) => guards.extend(self.kind_of_guard(kind, &fields)),
            (Some(one), Some(other)) => {
                self.fault(path, format!("a guard is of one kind; this one has `{one}` and `{other}`"));
            }
            (None, _) => {
                let known = listed(KINDS.into_iter());
                let hint = map.keys().find_map(|key| nearest(key, KINDS.into_iter())).map(did_you_mean);
                let hint = hint.unwrap_or_default();
                self.fault(path, format!("it is no guard: it has none of {known}{hint}"));
            }
        }
    }

    fn reference(&mut self, fields: &Fields<'_>, guards: &mut Vec<Guard>) {
        fields.only(&["ref", "params"], &mut self.faults);
        let params = fields.fields("params", &mut self.faults).map(|params| params.map);
        if let Some(name) = fields.name("ref", &mut self.faults) {
            guards.extend_from_slice(&self.named(&name, params, &fields.at("ref")));
        }
    }

    fn kind_of_guard(&mut self, kind: &str, fields: &Fields<'_>) -> Option<Guard> {
        match kind {
            "rule" => {
                fields.only(&["rule"], &mut self.faults);
                let (path, before) = (fields.at("rule"), self.checks);
                let rule = self.rule(fields.get("rule")?, &path, 1)?;
                let parts = self.checks - before;
                if parts > MAX_RULE_PARTS {
                    self.limit(path, format!("the rule has {parts} parts, and {MAX_RULE_PARTS} are allowed"));
                }
                Some(Guard::Rule(rule))
            }
            "participant" => self.panel(fields).map(Guard::Participant),
            "command" => {
                fields.only(&["command", "question"], &mut self.faults);
                let question = fields.text("question", MAX_TEXT, &mut self.faults);
                let name = fields.name("command", &mut self.faults)?;
                Some(Guard::Command { name, question })
            }
            "form" => self.asked_at_client("form", fields).map(Guard::Form),
            "sampling" => self.asked_at_client("sampling", fields).map(Guard::Sampling),
            other => unreachable!("`{other}` is none of `KINDS`, or is no guard of its own"),
        }
    }

    fn asked_at_client(&mut self, kind: &str, fields: &Fields<'_>) -> Option<String> {
        fields.only(&[kind], &mut self.faults);
        fields.text(kind, MAX_TEXT, &mut self.faults)
    }

    fn panel(&mut self, fields: &Fields<'_>) -> Option<Panel> {
        fields.only(&["participant", "question", "quorum", "expiresMinutes"], &mut self.faults);
        let who = self.who(fields.get("participant"), &fields.at("participant"));
        let quorum = fields.count("quorum", &mut self.faults);
        if let Some(quorum) = quorum
            && !who.is_empty()
            && !(1..=who.len() as u64).contains(&quorum)
        {
            self.fault(fields.at("quorum"), format!("it is {quorum}; {} are asked", who.len()));
        }
        let minutes = fields.count("expiresMinutes", &mut self.faults);
        let expires_minutes = minutes.and_then(|minutes| self.minutes(minutes, &fields.at("expiresMinutes")));
        let question = fields.text("question", MAX_TEXT, &mut self.faults);
        if fields.get("question").is_none() {
            self.fault(fields.at("question"), "it is missing; say what they are asked");
        }
        let quorum = quorum.and_then(|quorum| usize::try_from(quorum).ok());
        let question = question?;
        (!who.is_empty()).then_some(Panel { who, question, quorum, expires_minutes })
    }

    fn minutes(&mut self, minutes: u64, path: &str) -> Option<u32> {
        let good = u32::try_from(minutes).ok().filter(|minutes| (1..=MAX_EXPIRES_MINUTES).contains(minutes));
        if good.is_none() {
            self.fault(path, format!("it is {minutes}; it must be 1 to {MAX_EXPIRES_MINUTES} minutes"));
        }
        good
    }
}

/// A guard as it is written, with the values of its parameters: `{"param": "name"}` stands for one.
fn filled(
    written: &Value,
    params: Option<&Map<String, Value>>,
    path: &str,
    faults: &mut Vec<Fault>,
) -> Value {
    match written {
        Value::Object(map) => {
            if let Some(name) = param(map) {
                let value = params.and_then(|params| params.get(name)).cloned();
                return value.unwrap_or_else(|| {
                    let problem = format!("it wants the parameter `{name}`; give it in `params`");
                    faults.push(Fault::new(path, problem));
                    Value::Null
                });
            }
            let entry = |(key, value): (&String, &Value)| (key.clone(), filled(value, params, path, faults));
            Value::Object(map.iter().map(entry).collect())
        }
        Value::Array(list) => {
            Value::Array(list.iter().map(|value| filled(value, params, path, faults)).collect())
        }
        other => other.clone(),
    }
}

fn param(map: &Map<String, Value>) -> Option<&str> {
    map.get("param").filter(|_| map.len() == 1)?.as_str()
}

fn has_params(written: &Value) -> bool {
    match written {
        Value::Object(map) => param(map).is_some() || map.values().any(has_params),
        Value::Array(list) => list.iter().any(has_params),
        _ => false,
    }
}
