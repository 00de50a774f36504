//! What was learned of clients, as a file of the data folder. It may be deleted, and a damaged one counts as none.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Learned;
use crate::hub::Client;
use crate::platform;

/// One client, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    client: String,
    version: String,
    seconds: u64,
    /// How many waits must end well before the next one is longer.
    needed: u32,
}

pub(super) fn read(path: &Path) -> BTreeMap<Client, Learned> {
    let stored = match std::fs::read(path) {
        Ok(json) => serde_json::from_slice(&json).map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let stored: Vec<Stored> = stored.unwrap_or_else(|error| {
        tracing::warn!(path = %path.display(), %error, "what was learned of clients is learned anew");
        Vec::new()
    });
    let learned = stored.into_iter().take(super::MAX_LEARNED).map(|stored| {
        let client = Client { name: stored.client, version: stored.version };
        (client, Learned::kept(Duration::from_secs(stored.seconds), stored.needed))
    });
    learned.collect()
}

pub(super) fn write(path: &Path, learned: &BTreeMap<Client, Learned>) -> io::Result<()> {
    let stored = learned.iter().filter_map(|(client, learned)| {
        let (wait, needed) = learned.to_keep()?;
        let (client, version) = (client.name.clone(), client.version.clone());
        Some(Stored { client, version, seconds: wait.as_secs(), needed })
    });
    let stored: Vec<Stored> = stored.collect();
    platform::files::replace(path, &serde_json::to_vec_pretty(&stored)?)
}
