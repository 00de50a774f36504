//! Resources: the list of rooms, the state of each room, task and puzzle, and the documents of puzzles. They show who
//! and when, never what was said.

mod page;
mod subject;

use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{ListResourceTemplatesResult, ReadResourceResult, ResourceContents, ResourceTemplate};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Server;
use crate::hub::HubError;
use crate::tools::{self, Toolset, Toolsets};

pub(super) use subject::Subject;

/// Also what completions go by.
pub(super) const ROOM_TEMPLATE: &str = "turnroom://room/{id}";
const TASK_TEMPLATE: &str = "turnroom://task/{id}";
/// The name of Puzzlebox for it, which clients may know.
const PUZZLE_TEMPLATE: &str = "puzzlebox://puzzle/{id}";
/// The same under our own.
const OWN_PUZZLE_TEMPLATE: &str = "turnroom://puzzle/{id}";
const DOCUMENT_TEMPLATE: &str = "puzzlebox://puzzle/{id}/state/{name}";
/// All that are about a puzzle.
pub(super) const PUZZLE_TEMPLATES: [&str; 3] = [PUZZLE_TEMPLATE, OWN_PUZZLE_TEMPLATE, DOCUMENT_TEMPLATE];
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain";

impl Server {
    /// The state of a resource, as JSON.
    pub(super) async fn resource(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let state = match Subject::parse(uri) {
            Some(Subject::Rooms) => {
                tools::room_list(&self.hub.rooms().await.map_err(|error| hub_failed(&error))?)
            }
            Some(Subject::Room(id)) => {
                let caller = self.caller(context, CancellationToken::new());
                let room = self.hub.room_state(&caller, Some(&id)).await;
                tools::room_state(&room.map_err(|error| unreadable(uri, &error))?)
            }
            Some(Subject::Task(id)) => {
                let task = self.hub.task_state(&id).await;
                tools::task_state(&task.map_err(|error| unreadable(uri, &error))?)
            }
            Some(Subject::Puzzle(id)) => {
                let puzzle = self.hub.puzzle(&id).await;
                tools::puzzle_state(&puzzle.map_err(|error| unreadable(uri, &error))?)
            }
            Some(Subject::Document { puzzle, state }) => return self.document(uri, &puzzle, &state).await,
            None => return Err(unknown(uri)),
        };
        Ok(ReadResourceResult::new(vec![contents(uri, &state)]))
    }

    /// What a state of a puzzle brings along to be read.
    pub(super) async fn document(
        &self,
        uri: &str,
        puzzle: &str,
        state: &str,
    ) -> Result<ReadResourceResult, ErrorData> {
        let found = self.hub.puzzle_resource(puzzle, state).await.map_err(|error| unreadable(uri, &error))?;
        let Some(document) = found else {
            let message =
                format!("state `{state}` of puzzle `{puzzle}` has no document, or there is no such state");
            return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))));
        };
        let mime_type = document.mime_type.unwrap_or_else(|| PLAIN.to_owned());
        let contents = ResourceContents::text(document.text, uri).with_mime_type(mime_type);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}

/// The forms of the URIs.
pub(super) fn templates(shown: &Toolsets) -> ListResourceTemplatesResult {
    let room = ResourceTemplate::new(ROOM_TEMPLATE, "room")
        .with_description("State of one room: participants, turn, queue, rules; no messages")
        .with_mime_type(JSON);
    let task = ResourceTemplate::new(TASK_TEMPLATE, "task")
        .with_description("State of one task: status, version, whom it waits for, warnings; no records")
        .with_mime_type(JSON);
    let mut templates = vec![room, task];
    if shows_puzzles(shown) {
        let puzzle = ResourceTemplate::new(PUZZLE_TEMPLATE, "Puzzle Snapshot")
            .with_description("The current state and available actions for the given puzzle id")
            .with_mime_type(JSON);
        let own = ResourceTemplate::new(OWN_PUZZLE_TEMPLATE, "puzzle")
            .with_description("State of one puzzle: the same as puzzlebox://puzzle/{id}")
            .with_mime_type(JSON);
        let document = ResourceTemplate::new(DOCUMENT_TEMPLATE, "Puzzle state document")
            .with_description("The document that a state of a puzzle brings along");
        templates.extend([puzzle, own, document]);
    }
    ListResourceTemplatesResult::with_all_items(templates)
}

/// Whether the resources of puzzles are listed, too.
pub(super) fn shows_puzzles(shown: &Toolsets) -> bool {
    shown.as_slice().contains(&Toolset::Puzzles)
}

/// There is no such resource.
pub(super) fn unknown(uri: &str) -> ErrorData {
    let message = format!(
        "there is no such resource; read {}, {ROOM_TEMPLATE}, {TASK_TEMPLATE} or {PUZZLE_TEMPLATE}",
        subject::ROOMS
    );
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// A room that cannot be read: there is none of this id, or the hub cannot tell.
pub(super) fn unreadable(uri: &str, error: &HubError) -> ErrorData {
    if is_gone(error) {
        ErrorData::resource_not_found(error.to_string(), Some(json!({ "uri": uri })))
    } else {
        hub_failed(error)
    }
}

/// Whether there is no such thing, or not any more.
pub(super) fn is_gone(error: &HubError) -> bool {
    let gone = ["room_not_found", "task_not_found", "puzzle_not_found", "puzzle_removed", "validation_error"];
    gone.contains(&error.code())
}

fn hub_failed(error: &HubError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), Some(json!({ "code": error.code() })))
}

fn contents(uri: &str, state: &Value) -> ResourceContents {
    ResourceContents::text(state.to_string(), uri).with_mime_type(JSON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_resource_is_named_in_the_error() {
        let error = unknown("test://static-text");
        assert_eq!(error.data, Some(json!({ "uri": "test://static-text" })));
    }
}
