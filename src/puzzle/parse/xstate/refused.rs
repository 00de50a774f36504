//! What XState has and a puzzle cannot honour: it is refused by its name, and what to do instead.

use serde_json::Value;

use crate::puzzle::fault::Fault;
use crate::puzzle::parse::fields::Fields;

const NO_CODE: &str =
    "no code runs in a puzzle; put constants into the context with `set`, and let agents do the work";
const NO_DATA: &str = "a puzzle hands on no data; put it into the context with `set`";
const NO_ACTORS: &str = "a puzzle runs no actors; let participants act, or name a `command` guard";

/// What is not honoured, and why.
const REFUSED: [(&str, &str); 24] = [
    ("invoke", NO_ACTORS),
    ("spawn", NO_ACTORS),
    ("actors", NO_ACTORS),
    ("activities", NO_ACTORS),
    ("actions", NO_CODE),
    ("entry", NO_CODE),
    ("exit", NO_CODE),
    ("assign", NO_CODE),
    ("onEntry", NO_CODE),
    ("onExit", NO_CODE),
    ("output", NO_DATA),
    ("input", NO_DATA),
    ("data", NO_DATA),
    ("onDone", "lead to the state that follows, in place of a `final` one in this state"),
    ("onError", NO_ACTORS),
    ("delays", "write the milliseconds in `after`"),
    ("delay", "write the milliseconds in `after`"),
    ("cond", "write `guard`"),
    ("in", "write a guard with the rule `visited`, or states in states"),
    ("internal", "write `reenter`"),
    ("parallel", "a puzzle is in one state at a time"),
    ("tags", "write a `description`"),
    ("types", "leave it out"),
    ("schemas", "leave it out"),
];

/// Tells of every field that is none of these.
pub(super) fn check(fields: &Fields<'_>, known: &[&str], faults: &mut Vec<Fault>) {
    let is_refused = |key: &&String| !known.contains(&key.as_str());
    let mut others: Vec<_> = known.to_vec();
    for key in fields.map.keys().filter(is_refused) {
        if let Some((name, instead)) = REFUSED.iter().find(|(name, _)| name == key) {
            faults.push(Fault::new(fields.at(key), format!("`{name}` is not honoured: {instead}")));
            others.push(name);
        }
    }
    fields.only(&others, faults);
    for name in fields.get("on").and_then(Value::as_object).into_iter().flat_map(|on| on.keys()) {
        if name == "*" || name.ends_with(".*") {
            let path = fields.at("on");
            faults.push(Fault::new(
                path,
                format!("wildcards such as `{name}` are not honoured: name the actions"),
            ));
        }
    }
    for (key, value) in fields.get("context").and_then(Value::as_object).into_iter().flatten() {
        if value.as_str().is_some_and(is_function) {
            let path = format!("{}.{key}", fields.at("context"));
            faults.push(Fault::new(path, "a function as text is not honoured; write a constant"));
        }
    }
}

/// Whether a text is a function in JavaScript.
pub(super) fn is_function(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("function") && text.contains('(') || text.starts_with(['(', '{']) && text.contains("=>")
}
