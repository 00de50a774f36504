//! Words from outside: tool arguments, answers and errors, and their conversion.
//!
//! STAND-IN of the branch `web`: only what the API needs to compile. Replaced at the merge.

use serde_json::{Map, Value, json};

use crate::hub::{Caller, Hub, Receipt};

/// What a tool answered.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub json: Value,
    /// Whether the call was refused.
    pub is_error: bool,
    /// By which the answer can be taken back.
    pub receipt: Option<Receipt>,
}

/// Calls a tool.
#[expect(clippy::unused_async, reason = "stand-in")]
pub async fn call(_hub: &Hub, _caller: &Caller, name: &str, _arguments: Map<String, Value>) -> Outcome {
    Outcome { json: json!({"tool": name}), is_error: false, receipt: None }
}
