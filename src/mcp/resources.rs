//! Resources: the list of rooms, and the state of each room and task. They show who and when, never what was said.

use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Server;
use crate::hub::{HubError, RoomSummary};
use crate::tools;

const ROOMS: &str = "turnroom://rooms";
const ROOM: &str = "turnroom://room/";
/// Also what completions go by.
pub(super) const ROOM_TEMPLATE: &str = "turnroom://room/{id}";
const TASK: &str = "turnroom://task/";
const TASK_TEMPLATE: &str = "turnroom://task/{id}";
const JSON: &str = "application/json";
const PAGE: usize = 100;

/// What a URI stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The list of rooms.
    Rooms,
    /// The room with this id.
    Room(String),
    /// The task with this id.
    Task(String),
}

impl Subject {
    /// Reads a URI; nothing if it is none of ours.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        if uri == ROOMS {
            return Some(Self::Rooms);
        }
        let id_after = |start| uri.strip_prefix(start).and_then(unescape).filter(|id| !id.is_empty());
        id_after(ROOM).map(Self::Room).or_else(|| id_after(TASK).map(Self::Task))
    }

    fn uri(&self) -> String {
        match self {
            Self::Rooms => ROOMS.to_owned(),
            Self::Room(id) => format!("{ROOM}{}", escape(id)),
            Self::Task(id) => format!("{TASK}{}", escape(id)),
        }
    }
}

impl Server {
    /// The list of rooms, and one resource for each room, the newest first.
    pub(super) async fn resource_page(
        &self,
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let start = page_start(request.and_then(|request| request.cursor))?;
        let rooms = self.hub.rooms().await.map_err(|error| hub_failed(&error))?;
        let resources = std::iter::once(rooms_resource()).chain(rooms.iter().map(room_resource));
        let mut page =
            ListResourcesResult::with_all_items(resources.skip(start).take(PAGE).collect::<Vec<_>>());
        let end = start.saturating_add(PAGE);
        page.next_cursor = (end <= rooms.len()).then(|| end.to_string());
        Ok(page)
    }

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
            None => return Err(unknown(uri)),
        };
        Ok(ReadResourceResult::new(vec![contents(uri, &state)]))
    }
}

/// The forms of the URIs.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let room = ResourceTemplate::new(ROOM_TEMPLATE, "room")
        .with_description("State of one room: participants, turn, queue, rules; no messages")
        .with_mime_type(JSON);
    let task = ResourceTemplate::new(TASK_TEMPLATE, "task")
        .with_description("State of one task: status, version, whom it waits for, warnings; no records")
        .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![room, task])
}

/// There is no such resource.
pub(super) fn unknown(uri: &str) -> ErrorData {
    let message = format!("there is no such resource; read {ROOMS}, {ROOM_TEMPLATE} or {TASK_TEMPLATE}");
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// A room that cannot be read: there is none of this id, or the hub cannot tell.
pub(super) fn unreadable(uri: &str, error: &HubError) -> ErrorData {
    match error.code() {
        "room_not_found" | "task_not_found" | "validation_error" => {
            ErrorData::resource_not_found(error.to_string(), Some(json!({ "uri": uri })))
        }
        _ => hub_failed(error),
    }
}

fn hub_failed(error: &HubError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), Some(json!({ "code": error.code() })))
}

fn rooms_resource() -> Resource {
    Resource::new(Subject::Rooms.uri(), "rooms")
        .with_description("All rooms: topic, turn, counts, last activity")
        .with_mime_type(JSON)
}

fn room_resource(room: &RoomSummary) -> Resource {
    Resource::new(Subject::Room(room.room.clone()).uri(), room.room.clone())
        .with_description(room.topic.clone())
        .with_mime_type(JSON)
}

fn contents(uri: &str, state: &Value) -> ResourceContents {
    ResourceContents::text(state.to_string(), uri).with_mime_type(JSON)
}

fn page_start(cursor: Option<String>) -> Result<usize, ErrorData> {
    let Some(cursor) = cursor else { return Ok(0) };
    cursor.parse().map_err(|_| {
        ErrorData::invalid_params(
            "this cursor is none of ours; list from the start",
            Some(json!({ "cursor": cursor })),
        )
    })
}

/// Percent-encodes what may not stand in a URI.
fn escape(id: &str) -> String {
    id.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Undoes [`escape`]; letters that need not be escaped, but were, or are of another script, are taken too.
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hex(rest.next()?)? * 16 + hex(rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_stands_for_the_rooms_or_for_one_room() {
        for (uri, expected) in [
            ("turnroom://rooms", Some(Subject::Rooms)),
            ("turnroom://room/design-review", Some(Subject::Room("design-review".into()))),
            ("turnroom://room/%E6%B5%8B", Some(Subject::Room("测".into()))),
            ("turnroom://room/测", Some(Subject::Room("测".into()))),
            ("turnroom://room/", None),
            ("turnroom://room/%", None),
            ("turnroom://room/%+1", None),
            ("turnroom://room/%FF", None),
            ("turnroom://rooms/", None),
            ("turnroom:/rooms", None),
            ("test://static-text", None),
            ("", None),
        ] {
            assert_eq!(Subject::parse(uri), expected, "{uri}");
        }
    }

    #[test]
    fn every_room_has_a_uri_that_reads_back() {
        for id in ["design-review", "测试", "a b/c%2F", "é\u{301}"] {
            let subject = Subject::Room(id.into());
            assert!(subject.uri().is_ascii());
            assert_eq!(Subject::parse(&subject.uri()), Some(subject));
        }
    }

    #[test]
    fn a_cursor_of_somebody_else_is_refused() {
        assert_eq!(page_start(None).unwrap(), 0);
        assert_eq!(page_start(Some("100".into())).unwrap(), 100);
        for cursor in ["", "-1", "x", "99999999999999999999999"] {
            assert!(page_start(Some(cursor.into())).is_err(), "{cursor}");
        }
    }

    #[test]
    fn an_unknown_resource_is_named_in_the_error() {
        let error = unknown("test://static-text");
        assert_eq!(error.data, Some(json!({ "uri": "test://static-text" })));
    }
}
