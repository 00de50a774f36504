//! How handles, paths and words are written in a notice: for a program, or for a note.

use super::super::escape;
use crate::room::Handle;

/// How a notice is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ink {
    /// As it is.
    Plain,
    /// Escaped for a line of Markdown.
    Markdown,
}

impl Ink {
    pub(super) fn handle(self, handle: &Handle) -> String {
        match self {
            Self::Plain => handle.to_string(),
            Self::Markdown => escape::handle(handle),
        }
    }

    pub(super) fn file(self, file: &str) -> String {
        match self {
            Self::Plain => format!("`{file}`"),
            Self::Markdown => escape::code_span(file),
        }
    }

    pub(super) fn text(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Markdown => escape::inline(text),
        }
    }
}
