//! Reads rules: what the hub can look at by itself.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::Parser;
use super::fields::{Fields, below, did_you_mean, kind, listed, shown};
use crate::puzzle::fault::Fault;
use crate::puzzle::guard::{Range, Rule, Test};
use crate::puzzle::limits::{MAX_COMPARED, MAX_RULE_DEPTH, MAX_RULE_PARTS};
use crate::room::nearest;

/// The kinds of rules; each is the field that makes it.
const KINDS: [&str; 9] =
    ["all", "any", "not", "actor", "context", "visited", "done", "secondsInState", "time"];

impl Parser<'_> {
    pub(super) fn rule(&mut self, value: &Value, path: &str, depth: usize) -> Option<Rule> {
        if depth > MAX_RULE_DEPTH {
            self.limit(path, format!("rules lie deeper in rules than {MAX_RULE_DEPTH}"));
            return None;
        }
        if !self.check() {
            return None;
        }
        let fields = Fields::of(value, path.to_owned(), &mut self.faults)?;
        let mut kinds = KINDS.into_iter().filter(|kind| fields.get(kind).is_some());
        match (kinds.next(), kinds.next()) {
            (Some(kind), None) => self.kind_of_rule(kind, &fields, depth),
            (Some(one), Some(other)) => {
                self.fault(path, format!("a rule is of one kind; put `{one}` and `{other}` into `all`"));
                None
            }
            (None, _) => {
                let hint = fields.map.keys().find_map(|key| nearest(key, KINDS.into_iter()));
                let hint = hint.map(did_you_mean).unwrap_or_default();
                self.fault(
                    path,
                    format!("it is no rule: it has none of {}{hint}", listed(KINDS.into_iter())),
                );
                None
            }
        }
    }

    fn kind_of_rule(&mut self, kind: &str, fields: &Fields<'_>, depth: usize) -> Option<Rule> {
        let (value, path) = (fields.get(kind)?, fields.at(kind));
        let known: &[&str] = match kind {
            "context" => &["context", "is", "oneOf", "atLeast", "atMost"],
            "visited" => &["visited", "atLeast", "atMost"],
            "done" => &["done", "by", "atLeast", "atMost"],
            _ => &[kind],
        };
        fields.only(known, &mut self.faults);
        match kind {
            "all" => self.rules(value, &path, depth).map(Rule::All),
            "any" => self.rules(value, &path, depth).map(Rule::Any),
            "not" => self.rule(value, &path, depth + 1).map(|rule| Rule::Not(Box::new(rule))),
            "actor" => Some(self.who(Some(value), &path)).filter(|who| !who.is_empty()).map(Rule::Actor),
            "context" => self.context_rule(fields),
            "visited" => {
                let name = fields.name("visited", &mut self.faults)?;
                let times = self.times(fields);
                let Some(state) = self.find(&name) else {
                    let known = self.known_states();
                    self.fault(path, format!("there is no state `{name}`; there are {known}"));
                    return None;
                };
                Some(Rule::Visited { state, name, times: times? })
            }
            "done" => {
                let action = fields.name("done", &mut self.faults)?;
                let by = fields.get("by").map(|by| self.who(Some(by), &fields.at("by")));
                self.counted.extend(by.iter().flatten().cloned());
                Some(Rule::Done { action, by, times: self.times(fields)? })
            }
            "secondsInState" => {
                let fields = Fields::of(value, path, &mut self.faults)?;
                fields.only(&["atLeast", "atMost"], &mut self.faults);
                self.range(&fields, None).map(Rule::SecondsInState)
            }
            _ => self.time(value, path),
        }
    }

    fn rules(&mut self, value: &Value, path: &str, depth: usize) -> Option<Vec<Rule>> {
        let list = self.list(value, path)?;
        let rules: Vec<_> = list
            .iter()
            .enumerate()
            .filter_map(|(number, rule)| self.rule(rule, &below(path, &number.to_string()), depth + 1))
            .collect();
        (rules.len() == list.len()).then_some(rules)
    }

    /// A list that is not empty.
    fn list<'v>(&mut self, value: &'v Value, path: &str) -> Option<&'v [Value]> {
        match value {
            Value::Array(list) if list.len() > MAX_RULE_PARTS => {
                self.limit(path, format!("{} stand here, and {MAX_RULE_PARTS} may", list.len()));
                None
            }
            Value::Array(list) if !list.is_empty() => Some(list),
            Value::Array(_) => {
                self.fault(path, "the list is empty");
                None
            }
            other => {
                self.fault(path, format!("it is {}; it must be a list", kind(other)));
                None
            }
        }
    }

    fn context_rule(&mut self, fields: &Fields<'_>) -> Option<Rule> {
        let path = fields.name("context", &mut self.faults)?;
        let is = fields.map.get("is");
        let one_of = fields.get("oneOf");
        let [at_least, at_most] = ["atLeast", "atMost"].map(|key| self.number(fields, key));
        let has_bound = fields.get("atLeast").is_some() || fields.get("atMost").is_some();
        let test = match (is, one_of, has_bound) {
            (Some(value), None, false) => Test::Is(value.clone()),
            (None, Some(values), false) => Test::OneOf(self.list(values, &fields.at("oneOf"))?.to_vec()),
            (None, None, true) => Test::Between { at_least, at_most },
            _ => {
                self.fault(&fields.path, "it must have `is`, or `oneOf`, or `atLeast` and `atMost`");
                return None;
            }
        };
        if let Some(values) = is.or(one_of) {
            let bytes = values.to_string().len();
            if bytes > MAX_COMPARED {
                let problem = format!("it compares with {bytes} bytes, and {MAX_COMPARED} are allowed");
                self.limit(&fields.path, problem);
                return None;
            }
        }
        Some(Rule::Context { path, test })
    }

    fn number(&mut self, fields: &Fields<'_>, key: &str) -> Option<f64> {
        let value = fields.get(key)?;
        if value.as_f64().is_none() {
            self.fault(fields.at(key), format!("it is {}; it must be a number", shown(value)));
        }
        value.as_f64()
    }

    /// How often: at least once if it is not said.
    fn times(&mut self, fields: &Fields<'_>) -> Option<Range> {
        self.range(fields, Some(Range { at_least: Some(1), at_most: None }))
    }

    fn range(&mut self, fields: &Fields<'_>, unsaid: Option<Range>) -> Option<Range> {
        let [at_least, at_most] = ["atLeast", "atMost"].map(|key| fields.count(key, &mut self.faults));
        if fields.get("atLeast").is_none() && fields.get("atMost").is_none() {
            if unsaid.is_none() {
                self.fault(&fields.path, "it must have `atLeast`, or `atMost`, or both");
            }
            return unsaid;
        }
        if at_least.zip(at_most).is_some_and(|(least, most)| least > most) {
            self.fault(&fields.path, "`atLeast` is more than `atMost`");
        }
        Some(Range { at_least, at_most })
    }

    fn time(&mut self, value: &Value, path: String) -> Option<Rule> {
        let fields = Fields::of(value, path, &mut self.faults)?;
        fields.only(&["after", "before"], &mut self.faults);
        let [after, before] = ["after", "before"].map(|key| moment(&fields, key, &mut self.faults));
        if fields.get("after").is_none() && fields.get("before").is_none() {
            self.fault(&fields.path, "it must have `after`, or `before`, or both");
        }
        Some(Rule::Time { after, before })
    }
}

fn moment(fields: &Fields<'_>, key: &str, faults: &mut Vec<Fault>) -> Option<DateTime<Utc>> {
    let value = fields.get(key)?;
    let read = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    if read.is_none() {
        let problem = format!("it is {}; it must be a time such as `2030-01-31T12:00:00Z`", shown(value));
        faults.push(Fault::new(fields.at(key), problem));
    }
    read.map(|time| time.with_timezone(&Utc))
}
