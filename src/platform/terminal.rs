//! How wide a terminal is, and what was typed at it too early.

use std::io;

/// Columns of the terminal that standard output is. `None`: it is none, or does not tell.
#[must_use]
pub fn columns_of_output() -> Option<usize> {
    system::columns(&io::stdout())
}

/// Columns of the terminal that standard error is. `None`: it is none, or does not tell.
#[must_use]
pub fn columns_of_errors() -> Option<usize> {
    system::columns(&io::stderr())
}

/// Forgets what was typed before anybody was asked, if standard input is a terminal.
pub fn forget_typed() {
    system::forget(&io::stdin());
}

#[cfg(unix)]
mod system {
    use std::os::fd::AsFd;

    use rustix::termios::{QueueSelector, tcflush, tcgetwinsize};

    pub(super) fn forget(stream: &impl AsFd) {
        // It may be no terminal.
        let _ = tcflush(stream, QueueSelector::IFlush);
    }

    pub(super) fn columns(stream: &impl AsFd) -> Option<usize> {
        let size = tcgetwinsize(stream).ok()?;
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn forget<Stream>(_: &Stream) {}

    pub(super) fn columns<Stream>(_: &Stream) -> Option<usize> {
        None
    }
}
