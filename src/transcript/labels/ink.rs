//! How handles, file names and commands are written in a notice: for a program, or for a note.

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

    pub(super) fn handles(self, handles: &[Handle]) -> String {
        handles.iter().map(|handle| self.handle(handle)).collect::<Vec<_>>().join(", ")
    }

    /// A file name or a command.
    pub(super) fn code(self, text: &str) -> String {
        match self {
            Self::Plain => format!("`{text}`"),
            Self::Markdown => escape::code_span(text),
        }
    }
}
