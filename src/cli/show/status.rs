//! Whether the hub runs, how to reach it, and how long calls of clients may block.

use serde_json::Value;

use super::fields::{items, word};
use super::table::table;
use super::{Look, object};

/// The whole answer.
pub(in super::super) fn status(answer: &Value, look: Look) -> String {
    let rows: Vec<_> = items(answer, "safe_waits").iter().map(safe_wait).collect();
    let mut rest = answer.clone();
    if let Some(fields) = rest.as_object_mut() {
        fields.remove("safe_waits");
    }
    let rest = object(&rest, look);
    if rows.is_empty() {
        rest
    } else {
        format!("{rest}\n{}", table(["CLIENT", "WAITS", "FROM"], &rows, look))
    }
}

fn safe_wait(safe: &Value) -> [String; 3] {
    let text = |name| word(safe, name).unwrap_or_default();
    [text("client"), format!("{} s", text("seconds")), text("from")]
}
