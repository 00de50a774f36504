//! Events as the journal keeps them, and back.

use serde_json::Value;

use crate::journal::{NewEvent, Recorded};
use crate::room::Event;

/// An event for the journal.
pub(super) fn encode(event: &Event) -> NewEvent {
    NewEvent::new(event.kind(), event).expect("every event has a JSON form")
}

/// An event from the journal; `None` for a kind that this version does not know: it is kept, and skipped.
pub(super) fn decode(recorded: &Recorded) -> Option<Event> {
    match serde_json::from_slice(&recorded.body) {
        Ok(event) => Some(event),
        Err(error) => {
            let (version, kind) = (recorded.version, &recorded.kind);
            tracing::warn!(%version, %kind, %error, "an event of an unknown kind is skipped");
            None
        }
    }
}

/// An event as JSON, with its number and time, for people who look at the log.
pub(super) fn show(recorded: &Recorded) -> Value {
    let body = serde_json::from_slice(&recorded.body).unwrap_or(Value::Null);
    serde_json::json!({ "version": recorded.version.0, "at": recorded.at.to_rfc3339(), "event": body })
}
