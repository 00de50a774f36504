//! The tools of conversations: one file per tool, with its arguments and its words.

mod close;
mod init;
mod join;
mod leave;
mod list_conversations;
mod list_participants;
mod pass;
mod read;
mod search;
mod send;
mod wait;

use super::catalogue::Tool;
#[cfg(any(test, fuzzing))]
use super::{Refused, arguments};
#[cfg(any(test, fuzzing))]
use serde_json::{Map, Value};

/// The tools, in the order in which a conversation needs them.
pub(super) static TOOLS: [&Tool; 11] = [
    &init::TOOL,
    &join::TOOL,
    &send::TOOL,
    &wait::TOOL,
    &pass::TOOL,
    &read::TOOL,
    &search::TOOL,
    &list_participants::TOOL,
    &list_conversations::TOOL,
    &leave::TOOL,
    &close::TOOL,
];

/// Reads the arguments of a call, and does nothing else.
#[cfg(any(test, fuzzing))]
pub(super) type Reader = fn(&Tool, Map<String, Value>) -> Result<(), Refused>;

/// In the order of [`TOOLS`].
#[cfg(any(test, fuzzing))]
pub(super) const READERS: [Reader; 11] = [
    |tool, given| arguments::read::<init::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<join::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<send::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<wait::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<pass::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<read::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<search::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<list_participants::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<list_conversations::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<leave::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<close::Args>(tool, given).map(|args| drop(args.request())),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::task;
    use serde_json::json;

    fn all() -> impl Iterator<Item = (&'static &'static Tool, Reader)> {
        TOOLS.iter().zip(READERS).chain(task::TOOLS.iter().zip(task::READERS))
    }

    #[test]
    fn hostile_arguments_are_read_or_refused_and_never_panic() {
        let values = [
            json!(null),
            json!(-1),
            json!(0.5),
            json!(1e308),
            json!(u64::MAX),
            json!(""),
            json!("[[["),
            json!("[null]"),
            json!("{\"a\":[1]}"),
            json!([]),
            json!([null]),
            json!({}),
            json!({ "a": { "b": [] } }),
            json!(true),
            json!("\u{0}\u{202e}"),
            json!("9".repeat(400)),
        ];
        for (tool, reader) in all() {
            let fields: Vec<String> =
                tool.schema()["properties"].as_object().unwrap().keys().cloned().collect();
            for value in &values {
                let same: Map<_, _> = fields.iter().map(|field| (field.clone(), value.clone())).collect();
                let _ = reader(tool, same);
                for field in &fields {
                    let _ = reader(tool, Map::from_iter([(field.clone(), value.clone())]));
                }
            }
        }
    }

    #[test]
    fn each_tool_takes_every_argument_of_its_schema() {
        for (tool, reader) in all() {
            let properties = tool.schema()["properties"].as_object().unwrap();
            let given = properties.iter().map(|(field, schema)| (field.clone(), example(schema))).collect();
            assert!(reader(tool, given).is_ok(), "{}", tool.name);
        }
    }

    fn example(schema: &Value) -> Value {
        if let Some(value) = schema["enum"].get(0) {
            return value.clone();
        }
        match schema["type"].as_str() {
            Some("string") => json!("x"),
            Some("boolean") => json!(true),
            Some("array") => json!(["@Bob"]),
            Some("object") if schema.get("properties").is_some() => json!({}),
            Some("object") => json!({ "@Bob": ["dev"] }),
            _ => json!(1),
        }
    }
}
