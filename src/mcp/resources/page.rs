//! The resources in pages: the list of rooms, the rooms, the newest first, then the puzzles in the order in which they
//! were added.

use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, PaginatedRequestParams, Resource};
use serde_json::json;

use super::{JSON, Subject, hub_failed, shows_puzzles};
use crate::hub::{HubError, RoomSummary};
use crate::mcp::Server;
use crate::tools::Toolsets;

const PAGE: usize = 100;
/// A cursor that begins so stands behind a puzzle, or before the first; any other is a number of rooms.
const PUZZLES: &str = "p";

/// Where a page begins.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// After so many of the rooms and their list.
    Rooms(usize),
    /// After this puzzle, or before the first.
    Puzzles(Option<String>),
}

impl Server {
    /// One page of the resources that a client is shown.
    pub(in crate::mcp) async fn resource_page(
        &self,
        request: Option<PaginatedRequestParams>,
        shown: &Toolsets,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let place = place(cursor.as_deref()).ok_or_else(|| foreign(cursor.as_deref()))?;
        let mut resources = Vec::new();
        let mut next = None;
        let after = match place {
            Place::Rooms(start) => {
                next = self.put_rooms(&mut resources, start).await?;
                None
            }
            Place::Puzzles(after) => after,
        };
        if next.is_none() && shows_puzzles(shown) {
            next = self.put_puzzles(&mut resources, after, cursor.as_deref()).await?;
        }
        let mut page = ListResourcesResult::with_all_items(resources);
        page.next_cursor = next;
        Ok(page)
    }

    /// Puts rooms on the page; gives the next cursor, if there are more of them.
    async fn put_rooms(&self, page: &mut Vec<Resource>, start: usize) -> Result<Option<String>, ErrorData> {
        let rooms = self.hub.rooms().await.map_err(|error| hub_failed(&error))?;
        let all = std::iter::once(rooms_resource()).chain(rooms.iter().map(room_resource));
        page.extend(all.skip(start).take(PAGE));
        let end = start.saturating_add(PAGE);
        Ok((end <= rooms.len()).then(|| end.to_string()))
    }

    /// Fills the page with puzzles; gives the next cursor, if there are more of them.
    async fn put_puzzles(
        &self,
        page: &mut Vec<Resource>,
        after: Option<String>,
        cursor: Option<&str>,
    ) -> Result<Option<String>, ErrorData> {
        let found = self.hub.puzzle_ids_after(after.as_deref(), PAGE - page.len()).await;
        let (ids, has_more) = found.map_err(|error| match error {
            HubError::NoSuchPuzzle(_) => foreign(cursor),
            error => hub_failed(&error),
        })?;
        let last = ids.last().cloned().or(after).unwrap_or_default();
        page.extend(ids.into_iter().map(puzzle_resource));
        Ok(has_more.then(|| format!("{PUZZLES}{last}")))
    }
}

fn place(cursor: Option<&str>) -> Option<Place> {
    let Some(cursor) = cursor else { return Some(Place::Rooms(0)) };
    match cursor.strip_prefix(PUZZLES) {
        Some("") => Some(Place::Puzzles(None)),
        Some(id) => Some(Place::Puzzles(Some(id.to_owned()))),
        None => cursor.parse().ok().map(Place::Rooms),
    }
}

fn foreign(cursor: Option<&str>) -> ErrorData {
    ErrorData::invalid_params(
        "this cursor is none of ours; list from the start",
        Some(json!({ "cursor": cursor })),
    )
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

fn puzzle_resource(id: String) -> Resource {
    Resource::new(Subject::Puzzle(id.clone()).uri(), id).with_mime_type(JSON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_of_somebody_else_is_refused() {
        assert_eq!(place(None), Some(Place::Rooms(0)));
        assert_eq!(place(Some("100")), Some(Place::Rooms(100)));
        assert_eq!(place(Some("p")), Some(Place::Puzzles(None)));
        assert_eq!(place(Some("pp1")), Some(Place::Puzzles(Some("p1".into()))));
        for cursor in ["", "-1", "x", "99999999999999999999999"] {
            assert_eq!(place(Some(cursor)), None, "{cursor}");
        }
    }
}
