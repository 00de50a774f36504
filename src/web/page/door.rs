//! The door of the page: only a browser that has entered sees anything, and no other page gets hold of it.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::view::{EnterPage, Frame};
use super::{Page, shown};

/// Nothing but what comes from here: no program in the page, no picture from elsewhere, no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Shows how to come in to whoever has not.
pub(super) async fn only_who_has_entered(State(page): State<Page>, request: Request, next: Next) -> Response {
    if page.access.has_entered(request.headers()) {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, how_to_enter(false)).into_response()
}

/// The page that says how to come in.
pub(super) fn how_to_enter(is_stale: bool) -> Response {
    let frame = Frame { title: "Come in".to_owned(), ..Frame::default() };
    shown(&EnterPage { frame, is_stale })
}

/// Whether the request wants an answer for a program, not a page.
pub(super) fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("application/json"))
}

/// Tells the browser what the page may do.
pub(super) async fn close_in(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer` a browser would not say of our own forms where they come from.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
