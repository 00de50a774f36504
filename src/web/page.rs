//! The page: what people see in a browser. It reads the hub and asks it for things; it decides nothing.

mod assets;
mod enter;
mod started;
mod view;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::access::Access;

/// Where links lead that work once.
pub(super) const WAY_IN: &str = "/enter";

/// Where the page is, beside `/`.
const FOLDERS: [&str; 6] = ["/rooms", "/assets", "/stream", "/search", "/new", "/inbox"];

/// Whether a path belongs to the page.
pub(super) fn is_page(path: &str) -> bool {
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    path == "/" || path == WAY_IN || FOLDERS.into_iter().any(is_below)
}

/// The path of a room's page.
pub(super) fn room_path(room: &str) -> String {
    format!("/rooms/{}", utf8_percent_encode(room, NON_ALPHANUMERIC))
}

/// What the page is made of.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) access: Arc<Access>,
}

/// The routes of the page.
pub(super) fn routes(page: Page) -> Router {
    Router::new().route(WAY_IN, get(enter::enter)).with_state(page)
}
