//! The way to a hub, as a client program has it: calls that may be given up, and sessions that end.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

/// What becomes of one call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    /// Its answer arrives.
    Arrives,
    /// The client cancels it if there is no answer by then.
    Cancelled(Duration),
    /// The client goes away without a word if there is no answer by then.
    Dropped(Duration),
    /// The answer is made, but the client has given up just before: its cancellation comes late.
    Late,
    /// The answer is made and sent, but nobody reads it any more: the client is dead.
    Unread,
}

/// The answer to one call.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub json: Value,
    pub is_error: bool,
}

/// What came of one call.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The answer that the hub made, if it made one.
    pub made: Option<Reply>,
    /// Whether the client got it.
    pub has_arrived: bool,
}

/// The way to a hub.
#[async_trait]
pub(super) trait Door: Send + Sync {
    /// Calls a tool from a session.
    async fn call(&self, session: &str, tool: &str, arguments: &Value, fate: Fate) -> Outcome;

    /// A session is over.
    fn end_session(&self, session: &str);

    /// The log of the room: its events as JSON.
    async fn log(&self, room: &str) -> Vec<Value>;
}
