//! Events as the journal keeps them, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::journal::{JournalError, NewEvent, Recorded, StreamId, Version};
use crate::room::Event;

/// An event that the journal keeps.
pub(super) trait Stored: Serialize + DeserializeOwned {
    /// The name of what happened.
    fn kind(&self) -> &'static str;

    /// Whether this version of turnroom must understand events of this kind.
    fn is_known(kind: &str) -> bool;
}

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind)
    }
}

/// An event for the journal.
pub(super) fn encode<E: Stored>(event: &E) -> NewEvent {
    NewEvent::new(event.kind(), event).expect("every event has a JSON form")
}

/// Events from the journal, with their numbers. A kind that this version does not know is kept, and skipped.
///
/// # Errors
/// An event of a known kind that cannot be understood counts as damage: without it its stream would not be what it
/// was.
pub(super) fn decode<E: Stored>(
    stream: &StreamId,
    page: &[Recorded],
) -> Result<Vec<(E, Version)>, JournalError> {
    let mut events = Vec::with_capacity(page.len());
    for recorded in page {
        let (version, kind) = (recorded.version, &recorded.kind);
        match serde_json::from_slice(&recorded.body) {
            Ok(event) => events.push((event, version)),
            Err(error) if E::is_known(kind) => {
                let detail = format!("`{kind}` has a form that this turnroom does not know: {error}");
                return Err(JournalError::Damaged { stream: stream.clone(), version, detail });
            }
            Err(error) => tracing::warn!(%version, %kind, %error, "an event of an unknown kind is skipped"),
        }
    }
    Ok(events)
}

/// An event as JSON, with its number and time, for people who look at the log.
pub(super) fn show(recorded: &Recorded) -> Value {
    let body = serde_json::from_slice(&recorded.body).unwrap_or(Value::Null);
    serde_json::json!({ "version": recorded.version.0, "at": recorded.at.to_rfc3339(), "event": body })
}
