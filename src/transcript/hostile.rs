//! Hostile words and hostile rooms: what Markdown, HTML and Obsidian give a meaning to, in every order.
//!
//! A room is made from one number, rendered, and read again by engines that never saw the renderer: each must
//! see the page that was meant, and nothing in it that acts. `tests/hostile/` holds more engines, as drivers that
//! read the same documents.

mod chance;
mod documents;
mod drivers;
mod expected;
mod github;
mod outline;
mod pulldown;
mod rooms;
mod tokens;
mod vault;

use proptest::prelude::*;

/// A hostile text, for property tests.
pub(super) fn text() -> impl Strategy<Value = String> {
    let token = prop::sample::select(tokens::all());
    prop_oneof![
        5 => prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat()),
        1 => "[ -~\n]{0,60}",
        1 => prop::collection::vec(any::<char>(), 0..40).prop_map(|chars| chars.into_iter().collect::<String>()),
    ]
}
