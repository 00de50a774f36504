//! What holds for the arguments of every tool.

use serde_json::json;

use super::*;

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
    for (tool, reader) in readers() {
        let fields: Vec<String> = tool.schema()["properties"].as_object().unwrap().keys().cloned().collect();
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
    for (tool, reader) in readers() {
        let properties = tool.schema()["properties"].as_object().unwrap();
        let given = properties.iter().map(|(field, schema)| (field.clone(), example(schema))).collect();
        let read = reader(tool, given);
        assert!(read.is_ok(), "{}: {read:?}", tool.name);
    }
}

#[test]
fn every_tool_has_a_reader() {
    let names: Vec<_> = readers().map(|(tool, _)| tool.name).collect();
    let all: Vec<_> = tools(&Toolset::ALL).map(|tool| tool.name).collect();
    assert_eq!(names, all);
}

fn example(schema: &Value) -> Value {
    if let Some(value) = schema["enum"].get(0) {
        return value.clone();
    }
    match schema["type"].as_str() {
        Some("string") => json!("x"),
        Some("boolean") => json!(true),
        Some("array") => json!(["@Bob"]),
        Some("object") if !schema["properties"].is_null() => json!({}),
        Some("object") => json!({ "@Bob": ["dev"] }),
        _ => json!(1),
    }
}
