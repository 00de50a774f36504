//! The document of a state of a puzzle.

use askama::Template;

use super::{Frame, Html};

/// A document.
#[derive(Clone, Debug, Template)]
#[template(path = "document.html")]
pub(in crate::web) struct DocumentPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// The state that it belongs to.
    pub(in crate::web) state: String,
    /// The puzzle.
    pub(in crate::web) puzzle: String,
    /// The path of that.
    pub(in crate::web) back: String,
    /// What it says.
    pub(in crate::web) text: Text,
}

/// What a document says.
#[derive(Clone, Debug)]
pub(in crate::web) enum Text {
    /// Markdown, as HTML.
    Html(Html),
    /// Text of any other kind, as it is.
    Plain(String),
}
