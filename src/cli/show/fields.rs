//! Reads words out of an answer, cleaned. What is missing or of another form is left out: an answer of a
//! newer hub is shown as far as it is understood.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::clean;

/// A word or a number on one line; `None` if it is missing or empty.
pub(super) fn word(value: &Value, name: &str) -> Option<String> {
    let text = plain(value.get(name)?);
    (!text.is_empty()).then_some(text)
}

/// Words joined by commas, and how many there are if not all are told; `None` if there are none.
pub(super) fn words(value: &Value, name: &str) -> Option<String> {
    let list: Vec<String> = items(value, name).iter().map(plain).collect();
    let total = value.get(format!("{name}_total")).and_then(Value::as_u64);
    let more = total.map(|total| format!(", {total} in all")).unwrap_or_default();
    (!list.is_empty()).then(|| list.join(", ") + &more)
}

/// The entries of a list.
pub(super) fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a switch is on.
pub(super) fn is_set(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// A moment as people write it, in UTC.
pub(super) fn moment(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    Some(match DateTime::parse_from_rfc3339(text) {
        Ok(moment) => moment.with_timezone(&Utc).format("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => clean::line(text),
    })
}

/// Any value on one line.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean::line(text),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| format!("{} {}", clean::line(name), plain(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
    }
}
