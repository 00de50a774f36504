//! Settings of puzzles: what may be said in `[puzzles]`.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::notices::is_program;

/// How guards of puzzles are judged by programs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Puzzles {
    /// How long a program may think.
    pub command_timeout_seconds: NonZeroU32,
    /// The programs, each with its arguments, by the names that guards use.
    #[serde(default)]
    pub commands: BTreeMap<String, Vec<String>>,
}

/// What a value must be that cannot be that of this setting; nothing if it can.
pub(super) fn misfit(table: &str, value: &Value) -> Option<&'static str> {
    let first = value.as_array().and_then(|words| words.first()).and_then(Value::as_str).unwrap_or_default();
    let fits = table != "puzzles.commands" || (!first.is_empty() && is_program(first));
    (!fits).then_some("a list that begins with an absolute path or the name of a program in PATH")
}
