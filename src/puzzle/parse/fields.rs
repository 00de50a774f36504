//! The fields of one JSON object, and what may stand in them.

use serde_json::{Map, Value};

use crate::puzzle::fault::Fault;
use crate::puzzle::limits::{LISTED_NAMES, MAX_NAME};
use crate::room::{nearest, one_line};

/// The fields of one JSON object.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    pub map: &'a Map<String, Value>,
    pub path: String,
}

impl<'a> Fields<'a> {
    /// The fields, if it is an object.
    pub(super) fn of(value: &'a Value, path: String, faults: &mut Vec<Fault>) -> Option<Self> {
        if let Value::Object(map) = value {
            return Some(Self { map, path });
        }
        faults.push(Fault::new(path, format!("it is {}; it must be an object", kind(value))));
        None
    }

    /// The value of a field; null is as good as nothing.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// The path of a field.
    pub(super) fn at(&self, key: &str) -> String {
        below(&self.path, key)
    }

    /// Tells of every field that is none of these.
    pub(super) fn only(&self, known: &[&str], faults: &mut Vec<Fault>) {
        for key in self.map.keys().filter(|key| !known.contains(&key.as_str())) {
            let hint = nearest(key, known.iter().copied())
                .map_or_else(|| format!("; known are {}", listed(known.iter().copied())), did_you_mean);
            faults.push(Fault::new(self.at(key), format!("there is no such field{hint}")));
        }
    }

    /// The fields of a field, if it is there.
    pub(super) fn fields(&self, key: &str, faults: &mut Vec<Fault>) -> Option<Self> {
        Self::of(self.get(key)?, self.at(key), faults)
    }

    /// A text that is not blank, if it is there.
    pub(super) fn text(&self, key: &str, limit: usize, faults: &mut Vec<Fault>) -> Option<String> {
        text(self.get(key)?, self.at(key), limit, faults)
    }

    /// A name, if it is there.
    pub(super) fn name(&self, key: &str, faults: &mut Vec<Fault>) -> Option<String> {
        let name = self.text(key, usize::MAX, faults)?;
        match checked_name(&name) {
            Ok(()) => Some(name),
            Err(problem) => {
                faults.push(Fault::new(self.at(key), problem));
                None
            }
        }
    }

    /// A whole number of at least 0, if it is there.
    pub(super) fn count(&self, key: &str, faults: &mut Vec<Fault>) -> Option<u64> {
        let value = self.get(key)?;
        if value.as_u64().is_none() {
            let problem = format!("it is {}; it must be a whole number of at least 0", shown(value));
            faults.push(Fault::new(self.at(key), problem));
        }
        value.as_u64()
    }

    /// The entries of an object of names, as far as their names are good.
    pub(super) fn entries(&self, faults: &mut Vec<Fault>) -> Vec<(&'a str, &'a Value)> {
        let mut good = Vec::new();
        for (name, value) in self.map {
            match checked_name(name) {
                Ok(()) => good.push((name.as_str(), value)),
                Err(problem) => faults.push(Fault::new(self.at(name), problem)),
            }
        }
        good
    }
}

/// A text that is not blank.
pub(super) fn text(value: &Value, path: String, limit: usize, faults: &mut Vec<Fault>) -> Option<String> {
    let Value::String(text) = value else {
        faults.push(Fault::new(path, format!("it is {}; it must be a text", kind(value))));
        return None;
    };
    if text.trim().is_empty() {
        faults.push(Fault::new(path, "it is blank; say something"));
        return None;
    }
    if text.len() > limit {
        let problem = format!("it has {} bytes, and {limit} are allowed", text.len());
        faults.push(Fault::limit(path, problem));
        return None;
    }
    Some(text.clone())
}

/// What is wrong with a name, if anything is.
pub(in crate::puzzle) fn checked_name(name: &str) -> Result<(), String> {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    if name.trim().is_empty() {
        return Err("a name is blank".to_owned());
    }
    if name.chars().count() > MAX_NAME || name.contains(breaks) {
        return Err(format!("a name must be one line of at most {MAX_NAME} characters"));
    }
    Ok(())
}

/// The path of a field in an object, or of an entry in a list.
pub(super) fn below(path: &str, key: &str) -> String {
    format!("{path}.{}", one_line(key))
}

/// The hint that another name was probably meant.
pub(super) fn did_you_mean(name: &str) -> String {
    format!("; did you mean `{name}`?")
}

/// Names for a fault.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    let count = names.clone().count();
    let told: Vec<_> = names.take(LISTED_NAMES).map(|name| format!("`{}`", one_line(name))).collect();
    match count {
        0 => "none".to_owned(),
        1..=LISTED_NAMES => told.join(", "),
        more => format!("{} and {} more", told.join(", "), more - LISTED_NAMES),
    }
}

/// What kind of value it is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value for a fault, on one line and not a page of it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
        _ => format!("`{}`", one_line(&value.to_string())),
    }
}
