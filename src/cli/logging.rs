//! Logs go to standard error, so that standard output carries answers only.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Starts logging. `TURNROOM_LOG` (a filter such as `turnroom=debug`) wins over the number of `-v`.
pub(super) fn start(verbose: u8, normal: &str) {
    let level = match verbose {
        0 => &format!("{normal},rmcp=off"),
        1 => "turnroom=debug,info",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("TURNROOM_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // A second start can only be a test in the same process; the first one goes on logging.
    let _ = subscriber.try_init();
}
