//! One value, made to fit its schema where its meaning is beyond doubt: language models write `"5"` for `5`.

use serde_json::{Map, Number, Value};

use super::refused::shortened;

/// The value as the schema wants it; nothing if it cannot be meant so.
pub(super) fn coerce(schema: &Value, value: Value) -> Option<Value> {
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        return choices.iter().find_map(|choice| coerce(choice, value.clone()));
    }
    match schema.get("type").and_then(Value::as_str)? {
        "string" => one_of(schema, text(value)?).map(Value::String),
        "integer" => within(schema, integer(value)?),
        "number" => within(schema, number(value)?),
        "boolean" => flag(&value).map(Value::Bool),
        "array" => list(schema.get("items")?, value),
        "object" => object(schema, value),
        _ => None,
    }
}

/// What the schema wants, in words.
pub(super) fn wanted(schema: &Value) -> String {
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        return choices.iter().map(wanted).collect::<Vec<_>>().join(" or ");
    }
    let range = match (bound(schema, "minimum"), bound(schema, "maximum")) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        _ => String::new(),
    };
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => match values(schema).as_slice() {
            [] => "a string".into(),
            values => format!("`{}`", values.join("`, `")),
        },
        Some("integer") => format!("a whole number{range}"),
        Some("number") => format!("a number{range}"),
        Some("boolean") => "true or false".into(),
        Some("array") => "a list of strings".into(),
        _ => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => {
                let names: Vec<_> = properties.keys().map(String::as_str).collect();
                format!("an object with `{}`", names.join("`, `"))
            }
            None if schema.get("additionalProperties") == Some(&Value::Bool(true)) => "an object".into(),
            None => "an object whose values are lists of strings".into(),
        },
    }
}

/// The values that the schema counts up.
pub(super) fn values(schema: &Value) -> Vec<String> {
    let values = schema.get("enum").and_then(Value::as_array);
    values.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
}

/// What was given, in words, shortened.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::String(text) => format!("`{}`", shortened(text)),
        Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn one_of(schema: &Value, text: String) -> Option<String> {
    let values = values(schema);
    if values.is_empty() {
        return Some(text);
    }
    values.into_iter().find(|value| value.eq_ignore_ascii_case(text.trim()))
}

#[expect(clippy::cast_possible_truncation, reason = "the bounds are checked first")]
fn integer(value: Value) -> Option<Value> {
    // Whole numbers up to here have an exact form as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = match value {
        Value::Number(number) => number,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    if let Some(whole) = number.as_i64() {
        return Some(whole.into());
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT)?;
    Some((float as i64).into())
}

fn number(value: Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value),
        Value::String(text) => text.trim().parse::<Number>().ok().map(Value::Number),
        _ => None,
    }
}

fn within(schema: &Value, value: Value) -> Option<Value> {
    let number = value.as_f64()?;
    let fits = bound(schema, "minimum").is_none_or(|min| number >= min)
        && bound(schema, "maximum").is_none_or(|max| number <= max);
    fits.then_some(value)
}

fn bound(schema: &Value, which: &str) -> Option<f64> {
    schema.get(which).and_then(Value::as_f64)
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A list; a single item where a list is wanted; or a list that was written into one string.
fn list(items: &Value, value: Value) -> Option<Value> {
    let given = match value {
        Value::Array(given) => given,
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Array(given)) => given,
            _ => split(text),
        },
        _ => return None,
    };
    given.into_iter().map(|item| coerce(items, item)).collect::<Option<Vec<_>>>().map(Value::Array)
}

/// `@Alice, @Bob` is two handles: no handle holds a blank or a comma. Other text is one item.
fn split(text: String) -> Vec<Value> {
    let mut words = text.split([',', ' ']).filter(|word| !word.is_empty());
    if words.all(|word| word.starts_with('@')) {
        return text.split([',', ' ']).filter(|word| !word.is_empty()).map(Value::from).collect();
    }
    vec![Value::String(text)]
}

/// An object with the fields that the schema names, or with any, as it says.
fn object(schema: &Value, value: Value) -> Option<Value> {
    let given = match value {
        Value::Object(given) => given,
        Value::String(text) => serde_json::from_str::<Map<_, _>>(&text).ok()?,
        _ => return None,
    };
    let named = |key: &str| schema.get("properties").and_then(|properties| properties.get(key));
    let taken = given.into_iter().map(|(key, value)| {
        let value = match named(&key).or_else(|| schema.get("additionalProperties"))? {
            Value::Bool(may_be_anything) => may_be_anything.then_some(value)?,
            schema => coerce(schema, value)?,
        };
        Some((key, value))
    });
    taken.collect::<Option<Map<_, _>>>().map(Value::Object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_can_mean_only_one_thing_is_taken() {
        let list = json!({ "type": "array", "items": { "type": "string" } });
        let object = json!({ "type": "object", "additionalProperties": list });
        let either = json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] });
        for (schema, given, taken) in [
            (json!({ "type": "integer" }), json!("5"), json!(5)),
            (json!({ "type": "integer" }), json!(5.0), json!(5)),
            (json!({ "type": "number" }), json!(" 1.5 "), json!(1.5)),
            (json!({ "type": "boolean" }), json!("True"), json!(true)),
            (json!({ "type": "boolean" }), json!("false"), json!(false)),
            (json!({ "type": "string" }), json!(7), json!("7")),
            (json!({ "type": "string", "enum": ["open"] }), json!("Open "), json!("open")),
            (list.clone(), json!("@Bob"), json!(["@Bob"])),
            (list.clone(), json!("@Bob, @Carol @Dan"), json!(["@Bob", "@Carol", "@Dan"])),
            (list.clone(), json!("yes, go on"), json!(["yes, go on"])),
            (list.clone(), json!(["@Bob Carol"]), json!(["@Bob Carol"])),
            (list.clone(), json!("[\"@Bob\", \"@Carol\"]"), json!(["@Bob", "@Carol"])),
            (object, json!("{\"@Bob\": \"dev\"}"), json!({ "@Bob": ["dev"] })),
            (either.clone(), json!("2"), json!(2)),
            (either, json!("all"), json!("all")),
        ] {
            assert_eq!(coerce(&schema, given.clone()), Some(taken), "{given} as {schema}");
        }
    }

    #[test]
    fn what_could_mean_several_things_is_not_taken() {
        let timeout = json!({ "type": "number", "minimum": 0, "maximum": 86400 });
        for (schema, given) in [
            (json!({ "type": "integer" }), json!(5.5)),
            (json!({ "type": "integer" }), json!("5 messages")),
            (json!({ "type": "integer" }), json!(1e300)),
            (json!({ "type": "boolean" }), json!(7)),
            (json!({ "type": "boolean" }), json!("yes")),
            (json!({ "type": "string" }), json!(["@Bob"])),
            (json!({ "type": "string" }), json!(true)),
            (json!({ "type": "string", "enum": ["open"] }), json!("closed")),
            (timeout.clone(), json!(-1)),
            (timeout.clone(), json!(86401)),
            (timeout.clone(), json!("NaN")),
            (timeout, json!("30s")),
            (json!({ "type": "array", "items": { "type": "string" } }), json!([["@Bob"]])),
            (json!({ "type": "array", "items": { "type": "string" } }), json!(5)),
        ] {
            assert_eq!(coerce(&schema, given.clone()), None, "{given} as {schema}");
        }
    }
}
