//! How handles, paths and words are written in a notice: for a program, or for a note.

use super::super::escape;
use crate::room::Handle;

/// Handles that a notice lists.
const SHOWN: usize = 20;

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

    /// Some handles with commas between; of many, the first ones.
    pub(super) fn handles(self, handles: &[Handle]) -> String {
        let mut shown: Vec<String> = handles.iter().take(SHOWN).map(|handle| self.handle(handle)).collect();
        if handles.len() > SHOWN {
            shown.push("…".to_owned());
        }
        shown.join(", ")
    }

    /// A file, or a command.
    pub(super) fn code(self, text: &str) -> String {
        match self {
            Self::Plain => format!("`{text}`"),
            Self::Markdown => escape::code_span(text),
        }
    }
}
