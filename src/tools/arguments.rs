//! Reads the arguments of a call into the struct of its tool.
//!
//! What is meant beyond doubt is taken; everything else is an `invalid_argument` that names the field, so
//! that a language model can correct itself in one step.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::catalogue::Tool;
use super::coerce::{coerce, described, values, wanted};
use super::refused::Refused;

/// Fields that clients put into every call by themselves: Gemini CLI the first one, n8n the second.
const INJECTED: [&str; 2] = ["wait_for_previous", "toolCallId"];

/// Reads the arguments of a call.
pub(super) fn read<T: DeserializeOwned>(tool: &Tool, given: Map<String, Value>) -> Result<T, Refused> {
    let properties = properties(tool);
    let required = required(tool);
    let mut taken = Map::new();
    for (field, value) in unwrapped(given, properties) {
        if is_injected(&field) {
            continue;
        }
        let Some(schema) = properties.get(&field) else {
            let known: Vec<&str> = properties.keys().map(String::as_str).collect();
            return Err(Refused::unknown_argument(tool, &field, &known));
        };
        if is_absent(&value, required.contains(&field.as_str())) {
            continue;
        }
        let given = described(&value);
        let Some(value) = coerce(schema, value) else {
            return Err(wrong(tool, field, given, schema));
        };
        taken.insert(field, value);
    }
    if let Some(field) = required.into_iter().find(|field| !taken.contains_key(*field)) {
        let wanted = properties.get(field).map(wanted).unwrap_or_default();
        return Err(Refused::MissingArgument { tool: tool.name, field: field.to_owned(), wanted });
    }
    Ok(serde_json::from_value(Value::Object(taken)).expect("the schema is made from this struct"))
}

/// A field that is well formed, but not what the tool takes.
pub(super) fn refuse(tool: &Tool, field: &str, given: &str, wanted: &str) -> Refused {
    Refused::WrongArgument {
        tool: tool.name,
        field: field.to_owned(),
        given: described(&given.into()),
        wanted: wanted.to_owned(),
        values: Vec::new(),
    }
}

/// Handles, each without blanks around it.
pub(super) fn handles(given: Option<Vec<String>>) -> Vec<String> {
    given.unwrap_or_default().iter().map(|name| handle(name)).collect()
}

/// A handle without blanks around it.
pub(super) fn handle(given: &str) -> String {
    given.trim().to_owned()
}

/// A time that the schema has let through.
pub(super) fn timeout(seconds: Option<f64>) -> Option<Duration> {
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn wrong(tool: &Tool, field: String, given: String, schema: &Value) -> Refused {
    Refused::WrongArgument { tool: tool.name, field, given, wanted: wanted(schema), values: values(schema) }
}

fn properties(tool: &Tool) -> &Map<String, Value> {
    tool.schema().get("properties").and_then(Value::as_object).expect("every schema has properties")
}

fn required(tool: &Tool) -> Vec<&str> {
    let names = tool.schema().get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Some clients wrap the arguments once more.
fn unwrapped(mut given: Map<String, Value>, properties: &Map<String, Value>) -> Map<String, Value> {
    const WRAP: &str = "arguments";
    if given.len() == 1
        && !properties.contains_key(WRAP)
        && let Some(Value::Object(inner)) = given.get_mut(WRAP)
    {
        return std::mem::take(inner);
    }
    given
}

/// No name of ours begins with `_`; clients keep such names for themselves.
fn is_injected(field: &str) -> bool {
    field.starts_with('_') || INJECTED.contains(&field)
}

/// `null` is not given; nor is an empty string, unless the field must be there.
fn is_absent(value: &Value, is_required: bool) -> bool {
    value.is_null() || (!is_required && value == "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::find;
    use serde_json::json;

    fn refused(tool: &str, given: Value) -> Value {
        let Value::Object(given) = given else { panic!("an object") };
        let error = read::<Value>(find(tool).unwrap(), given).unwrap_err();
        error.to_json()["error"].clone()
    }

    fn taken(tool: &str, given: Value) -> Value {
        let Value::Object(given) = given else { panic!("an object") };
        read(find(tool).unwrap(), given).unwrap()
    }

    #[test]
    fn an_unknown_field_is_named_with_the_nearest_valid_one() {
        let error = refused("join_conversation", json!({ "handle": "@Bob", "timeout": 5 }));
        assert_eq!(error["code"], "invalid_argument");
        assert_eq!(
            error["message"],
            "`timeout` is no argument of join_conversation; did you mean `timeout_seconds`?"
        );
        assert!(error["allowed"].as_array().unwrap().contains(&json!("timeout_seconds")));
        assert!(error["next"].as_str().unwrap().contains("join_conversation"));
    }

    #[test]
    fn a_field_like_none_of_ours_is_named_without_a_guess() {
        let error = refused("send_message", json!({ "sender": "@Bob", "content": "hi", "zzz": 1 }));
        assert_eq!(error["message"], "`zzz` is no argument of send_message");
    }

    #[test]
    fn a_missing_field_is_named_with_what_it_must_be() {
        let error = refused("send_message", json!({ "sender": "@Bob", "content": null }));
        assert_eq!(error["code"], "invalid_argument");
        assert_eq!(error["message"], "send_message needs `content`: a string");
    }

    #[test]
    fn a_wrong_type_is_named_with_what_is_allowed() {
        let given = json!({ "sender": "@Bob", "content": ["@Carol"] });
        assert_eq!(refused("send_message", given)["message"], "`content` is a list; it must be a string");
        let given = json!({ "handle": "@Bob", "timeout_seconds": 90000 });
        let message = "`timeout_seconds` is `90000`; it must be a number from 0 to 86400";
        assert_eq!(refused("wait_for_turn", given)["message"], message);
        let given = json!({ "filepath": "a.md", "participants": [], "floor": "free" });
        let error = refused("init_conversation", given);
        assert_eq!(error["message"], "`floor` is `free`; it must be `strict`, `open`");
        assert_eq!(error["allowed"], json!(["strict", "open"]));
    }

    #[test]
    fn what_clients_inject_and_what_is_null_or_empty_was_not_given() {
        let given = json!({
            "handle": "Bob", "wait_for_previous": true, "toolCallId": "1", "_meta": {},
            "room": "", "key": null, "timeout_seconds": "1.5", "after_seq_id": "7", "request_turn": "true",
        });
        let expected =
            json!({ "handle": "Bob", "timeout_seconds": 1.5, "after_seq_id": 7, "request_turn": true });
        assert_eq!(taken("wait_for_turn", given), expected);
    }

    #[test]
    fn an_empty_required_field_is_given_so_that_the_hub_can_say_what_is_wrong() {
        assert_eq!(taken("send_message", json!({ "sender": "@Bob", "content": "" }))["content"], "");
    }

    #[test]
    fn arguments_that_a_client_wrapped_are_unwrapped() {
        assert_eq!(
            taken("list_participants", json!({ "arguments": { "room": "r" } })),
            json!({ "room": "r" })
        );
    }

    #[test]
    fn handles_lose_blanks_around_them_and_empty_ones_stay_to_be_refused() {
        assert_eq!(handles(Some(vec![" @Alice ".into(), String::new()])), ["@Alice", ""]);
    }
}
