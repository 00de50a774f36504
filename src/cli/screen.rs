//! The one place that writes to the terminal.

use std::io::{self, IsTerminal, Write};

use super::{clean, wrap};
use crate::platform::terminal;

/// How the output looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// For programs and files: no decoration.
    Plain,
    /// For eyes.
    Terminal,
}

impl Look {
    /// How standard output wants to look.
    pub(super) fn of_stdout() -> Self {
        let plain_wanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if io::stdout().is_terminal() && !plain_wanted && !is_dumb { Self::Terminal } else { Self::Plain }
    }

    /// Makes `text` stand out.
    pub(super) fn strong(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Terminal => format!("\u{1b}[1m{text}\u{1b}[0m"),
        }
    }

    /// Makes `text` stand back.
    pub(super) fn faint(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Terminal => format!("\u{1b}[2m{text}\u{1b}[0m"),
        }
    }
}

/// Writes text for people to standard output, at once; on a terminal its long lines break between words.
pub(super) fn tell(text: &str) -> io::Result<()> {
    match terminal::columns_of_output() {
        Some(columns) => print(&wrap::wrapped(text, columns)),
        None => print(text),
    }
}

/// Writes to standard output, as it is and at once.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Ends the line on which a terminal shows `^C`, so that the next prompt begins a line.
pub(super) fn end_line() {
    if io::stderr().is_terminal() {
        complain("\n");
    }
}

/// Writes to standard error, cleaned. If nobody reads it, nobody is to be told.
pub(super) fn complain(text: &str) {
    let text = clean::text(text);
    let text = terminal::columns_of_errors().map_or(text.clone(), |columns| wrap::wrapped(&text, columns));
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
