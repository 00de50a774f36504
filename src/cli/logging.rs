//! Logs go to standard error, so that standard output carries answers only.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Starts logging. `TURNROOM_LOG` (a filter such as `turnroom=debug`) wins over the number of `-v`.
pub(super) fn start(verbose: u8, normal: &str) {
    let asked = std::env::var("TURNROOM_LOG").ok().filter(|asked| EnvFilter::try_new(asked).is_ok());
    let filter = EnvFilter::new(asked.map_or_else(|| by_count(verbose, normal), discreet));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    // A second start can only be a test in the same process; the first one goes on logging.
    let _ = subscriber.try_init();
}

fn by_count(verbose: u8, normal: &str) -> String {
    match verbose {
        0 => format!("{normal},rmcp=off"),
        1 => "turnroom=debug,info".to_owned(),
        _ => discreet("trace".to_owned()),
    }
}

/// What is said in a room is no matter of the log. rmcp would write every message into it, private words and keys too,
/// so it stays quiet unless somebody names it.
fn discreet(filter: String) -> String {
    if filter.contains("rmcp") { filter } else { filter + ",rmcp=info" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rmcp_writes_no_messages_into_the_log_unless_it_is_named() {
        assert_eq!(by_count(2, "warn"), "trace,rmcp=info");
        assert_eq!(discreet("debug".to_owned()), "debug,rmcp=info");
        assert_eq!(discreet("rmcp=trace".to_owned()), "rmcp=trace");
    }
}
