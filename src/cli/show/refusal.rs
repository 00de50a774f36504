//! A refusal of the hub, in its own words.

use serde_json::Value;

use super::Look;
use super::fields::{word, words};
use super::shell::in_shell;
use super::table::pairs;

/// `{code, message, allowed?, next}` as lines.
pub(in super::super) fn refusal(error: &Value) -> String {
    let known = [
        ("refused", word(error, "code")),
        ("why", word(error, "message").map(|why| in_shell(&why))),
        ("allowed", words(error, "allowed").or_else(|| word(error, "allowed"))),
        ("next", word(error, "next").map(|next| in_shell(&next))),
    ];
    pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), Look::Plain)
}
