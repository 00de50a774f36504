//! The way in: a link that works once gives a browser its cookie and the key of the page.

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::address::Readable;
use super::door::how_to_enter;
use super::{Page, room_path};
use crate::web::access::PAGE_HEADER;

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
    let target = target(link.room.as_deref());
    match page.access.enter(&link.code) {
        Some(cookie) => {
            // A fragment reaches no server: the script takes the key out of it.
            let on = Redirect::to(&format!("{target}#key={}", page.access.page_key()));
            let headers = [(header::SET_COOKIE, cookie.as_str()), (header::CACHE_CONTROL, "no-store")];
            (headers, on).into_response()
        }
        // Who is in already may click an old link. It gives no key: the cookie alone is no proof.
        None if page.access.has_entered(&headers) => Redirect::to(&target).into_response(),
        // 410 and not 403: the link was good once, or never was one.
        None => (StatusCode::GONE, how_to_enter(true)).into_response(),
    }
}

/// For who only looks where a link leads; and says to the script whether a key is that of the page.
pub(super) async fn look(State(page): State<Page>, headers: HeaderMap) -> StatusCode {
    let shows_another = headers.contains_key(PAGE_HEADER) && !page.access.is_own_page(&headers);
    if shows_another { StatusCode::FORBIDDEN } else { StatusCode::NO_CONTENT }
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
