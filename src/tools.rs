//! Words from outside: tool arguments, answers and errors, and their conversion.
//!
//! STAND-IN of the branch `web`: only what the API needs to compile. Replaced at the merge.

use serde_json::{Map, Value, json};

use crate::hub::{Caller, Hub, HubError, Receipt, RoomState};

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

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The hub refused.
    #[error(transparent)]
    Hub(#[from] HubError),
}

impl From<Refused> for Outcome {
    fn from(refused: Refused) -> Self {
        Self { json: json!({"error": {"message": refused.to_string()}}), is_error: true, receipt: None }
    }
}

/// A room and everyone in it.
pub(crate) fn room_state(room: &RoomState) -> Value {
    json!({"room": room.room})
}
