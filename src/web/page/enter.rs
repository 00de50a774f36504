//! The way in: a link that works once gives a browser its cookie.

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::address::Readable;
use super::door::how_to_enter;
use super::{Page, room_path};

/// What a link says.
#[derive(Debug, Deserialize)]
pub(super) struct Link {
    #[serde(default)]
    code: String,
    room: Option<String>,
}

/// Lets a browser in, and leads it on.
pub(super) async fn enter(
    State(page): State<Page>,
    headers: HeaderMap,
    Readable(Query(link)): Readable<Query<Link>>,
) -> Response {
    let on = Redirect::to(&target(link.room.as_deref()));
    match page.access.enter(&link.code) {
        Some(cookie) => ([(header::SET_COOKIE, cookie)], on).into_response(),
        // Who is in already may click an old link.
        None if page.access.has_entered(&headers) => on.into_response(),
        // 410 and not 403: the link was good once, or never was one.
        None => (StatusCode::GONE, how_to_enter(true)).into_response(),
    }
}

/// Only ids of rooms lead anywhere: a link must not send a browser elsewhere.
fn target(room: Option<&str>) -> String {
    let is_id = |room: &&str| {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        !room.is_empty() && !room.starts_with('.') && room.chars().all(is_plain)
    };
    room.filter(is_id).map_or_else(|| "/".to_owned(), room_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_page_of_ours() {
        assert_eq!(target(Some("design-2")), "/rooms/design%2D2");
        assert_eq!(target(Some("é")), "/rooms/%C3%A9");
        for elsewhere in
            [None, Some(""), Some("/evil.example"), Some("a/../b"), Some("a?b"), Some("\u{202e}")]
        {
            assert_eq!(target(elsewhere), "/");
        }
    }
}
