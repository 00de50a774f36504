//! JSON schemas of arguments, without what no language model needs: every client reads them in every session.

use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Keywords that say nothing to a model. `format` also makes some clients print a warning for each tool.
const NOISE: [&str; 4] = ["$schema", "title", "format", "default"];

/// The schema of an argument struct, as `tools/list` shows it.
pub(super) fn of<T: JsonSchema>() -> Arc<Map<String, Value>> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    thin(&mut schema);
    let Value::Object(mut schema) = schema else { return Arc::default() };
    // The doc comment of the struct is for us; the tool has a description of its own.
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| Map::new().into());
    Arc::new(schema)
}

fn thin(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for noise in NOISE {
        keywords.remove(noise);
    }
    if let Some(kind) = keywords.get_mut("type") {
        without_null(kind);
    }
    if let Some(Value::Object(properties)) = keywords.get_mut("properties") {
        properties.values_mut().for_each(thin);
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = keywords.get_mut(inner) {
            thin(inner);
        }
    }
}

/// Not given and `null` are the same to us; a schema that says so for each argument is twice as long.
fn without_null(kind: &mut Value) {
    if let Value::Array(kinds) = kind {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            *kind = only.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Sample {
        /// Who.
        title: String,
        count: Option<i64>,
        names: Option<Vec<String>>,
    }

    #[test]
    fn a_schema_says_only_what_a_model_needs() {
        let expected = json!({
            "type": "object",
            "properties": {
                "title": { "type": "string", "description": "Who." },
                "count": { "type": "integer" },
                "names": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["title"],
        });
        assert_eq!(Value::Object((*of::<Sample>()).clone()), expected);
    }
}
