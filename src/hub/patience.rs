//! How long a client lets a call block: a call that names no time ends by itself before its client gives up.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// For a client that nobody knows: under the 60 seconds that many allow.
const UNKNOWN: Duration = Duration::from_secs(45);
/// No client gets less, whatever was learned.
const LEAST: Duration = Duration::from_secs(10);
/// A call that was given up keeps this share of its time next time.
const LEARNED: f64 = 0.8;
/// Clients of which something was learned; names come from outside.
const MAX_LEARNED: usize = 256;

/// The longest waits that are known to be safe, by the start of the client's name (`clientInfo.name`).
const KNOWN: [(&str, Duration); 10] = [
    ("claude-code", Duration::from_secs(110)),
    ("claude-ai", Duration::from_secs(45)),
    ("codex", Duration::from_mins(4)),
    ("gemini-cli", Duration::from_mins(9)),
    ("qwen", Duration::from_mins(9)),
    ("opencode", Duration::from_secs(45)),
    ("goose", Duration::from_mins(4)),
    ("visual studio code", Duration::from_mins(4)),
    ("cursor", Duration::from_secs(50)),
    ("turnroom", Duration::from_hours(1)),
];

/// What is known and learned of clients.
#[derive(Debug, Default)]
pub(super) struct Patience {
    learned: Mutex<HashMap<String, Duration>>,
}

impl Patience {
    /// How long a call of this client may block.
    pub(super) fn of(&self, client: Option<&str>) -> Duration {
        let Some(name) = client.map(str::to_lowercase) else { return UNKNOWN };
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner).get(&name).copied();
        learned.unwrap_or_else(|| {
            let known = KNOWN.iter().find(|(start, _)| name.starts_with(start));
            known.map_or(UNKNOWN, |(_, patience)| *patience)
        })
    }

    /// A client gave up a call that had named no time, after so long: next time the call ends earlier.
    pub(super) fn given_up(&self, client: Option<&str>, after: Duration) {
        let Some(name) = client.map(str::to_lowercase) else { return };
        let lowered = after.mul_f64(LEARNED).max(LEAST);
        if after < LEAST || lowered >= self.of(client) {
            return;
        }
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        if learned.len() < MAX_LEARNED || learned.contains_key(&name) {
            tracing::info!(client = %name, seconds = lowered.as_secs(), "waits of this client end earlier");
            learned.insert(name, lowered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_the_longest_wait_known_to_be_safe() {
        let patience = Patience::default();
        assert_eq!(patience.of(None), UNKNOWN);
        assert_eq!(patience.of(Some("Claude-Code")), Duration::from_secs(110));
        assert_eq!(patience.of(Some("somebody")), UNKNOWN);
    }

    #[test]
    fn a_call_that_was_given_up_ends_earlier_next_time() {
        let patience = Patience::default();
        patience.given_up(Some("somebody"), Duration::from_secs(30));
        assert_eq!(patience.of(Some("somebody")), Duration::from_secs(24));
        patience.given_up(Some("somebody"), Duration::from_secs(40));
        assert_eq!(patience.of(Some("somebody")), Duration::from_secs(24), "it is never raised again");
    }

    #[test]
    fn a_call_that_was_cancelled_early_teaches_nothing() {
        let patience = Patience::default();
        patience.given_up(Some("somebody"), Duration::from_secs(2));
        assert_eq!(patience.of(Some("somebody")), UNKNOWN);
    }
}
