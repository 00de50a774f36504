//! The longest waits that are known to be safe, by the start of a client's name (`clientInfo.name`).

use std::time::Duration;

use super::{SafeWait, WaitSource};
use crate::hub::Client;

/// For a client that nobody knows: under the 60 seconds that many allow.
pub(super) const UNKNOWN: Duration = Duration::from_secs(45);

/// The longest safe wait of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientWait {
    /// The start of its name, in any case.
    pub name: String,
    /// The start of its version; any, if there is none.
    pub version: Option<String>,
    /// So long may a call block.
    pub wait: Duration,
}

impl ClientWait {
    /// Whether it tells of this client.
    pub(super) fn is_about(&self, client: &Client) -> bool {
        let version = self.version.as_deref().unwrap_or_default();
        client.name.starts_with(&self.name.to_lowercase()) && client.version.starts_with(version)
    }

    pub(super) fn as_safe(&self, source: WaitSource) -> SafeWait {
        SafeWait { client: self.name.clone(), version: self.version.clone(), wait: self.wait, source }
    }
}

/// What is known of common clients. The limits were looked up in their sources and in reports of their users.
pub(super) fn known() -> impl Iterator<Item = ClientWait> {
    let seconds = [
        // Longer calls move to the background, but not in a run without a person.
        ("claude-code", 110),
        // They end calls after about 60 seconds.
        ("claude-ai", 45),
        ("opencode", 45),
        ("zed", 45),
        // 74 seconds were seen to work, and calls of 5 minutes to be cancelled.
        ("cursor", 60),
        // 300 seconds.
        ("codex", 240),
        ("goose", 240),
        ("visual studio code", 240),
        // 600 seconds.
        ("gemini-cli", 540),
        ("qwen", 540),
        // Our own commands wait as long as they are told.
        ("turnroom", 3_600),
    ];
    seconds.into_iter().map(|(name, seconds)| ClientWait {
        name: name.to_owned(),
        version: None,
        wait: Duration::from_secs(seconds),
    })
}
