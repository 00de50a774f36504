//! How long a client lets a call block: a call that names no time ends by itself before its client gives up.
//!
//! A wait that ends empty costs its agent a turn, so it is to be as long as is safe. What is safe is known by the name
//! of the client, or said by a person, and learned: two calls that were given up at the same age shorten the next
//! ones, and waits that end well make them longer again, never beyond what is known or said.

mod file;
mod learned;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::caller::Client;
use learned::Learned;

pub use table::ClientWait;

/// Clients of which something is learned; names come from outside.
const MAX_LEARNED: usize = 256;

/// How long calls of one client may block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeWait {
    /// The start of its name.
    pub client: String,
    /// Its version, if it matters.
    pub version: Option<String>,
    /// So long.
    pub wait: Duration,
    /// How this is known.
    pub source: WaitSource,
}

/// How the longest safe wait of a client is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitSource {
    /// It is common knowledge.
    Known,
    /// A person has said so.
    Said,
    /// Its calls were given up.
    Learned,
}

/// What is known, said and learned of clients.
#[derive(Debug, Default)]
pub(super) struct Patience {
    said: Vec<ClientWait>,
    file: Option<PathBuf>,
    learned: Mutex<BTreeMap<Client, Learned>>,
    /// Held while the file is written.
    writing: Mutex<()>,
}

impl Patience {
    /// What a person has said, and what was learned before.
    pub(super) fn new(said: Vec<ClientWait>, file: Option<PathBuf>) -> Self {
        let learned = Mutex::new(file.as_deref().map(file::read).unwrap_or_default());
        Self { said, file, learned, writing: Mutex::default() }
    }

    /// How long a call of this client may block.
    pub(super) fn of(&self, client: Option<&Client>) -> Duration {
        let Some(client) = client.map(folded) else { return table::UNKNOWN };
        let most = self.most(&client);
        self.lock().get(&client).map_or(most, |learned| learned.limit(most))
    }

    /// A client gave up a call that had named no time, after so long. Whether something new was learned.
    pub(super) fn given_up(&self, client: Option<&Client>, after: Duration) -> bool {
        let Some(client) = client.map(folded) else { return false };
        let most = self.most(&client);
        let mut all = self.lock();
        if all.len() >= MAX_LEARNED && !all.contains_key(&client) {
            return false;
        }
        let learned = all.entry(client.clone()).or_default();
        let is_new = learned.given_up(after, most);
        if is_new {
            let (name, seconds) = (&client.name, learned.limit(most).as_secs());
            tracing::info!(client = %name, version = %client.version, seconds, "waits of this client end earlier");
        }
        is_new
    }

    /// A call that had named no time ended by itself after so long, and its answer arrived. Whether something new was
    /// learned.
    pub(super) fn arrived(&self, client: &Client, after: Duration) -> bool {
        let client = folded(client);
        let most = self.most(&client);
        self.lock().get_mut(&client).is_some_and(|learned| learned.arrived(after, most))
    }

    /// Writes down what was learned. Losing it costs a few calls that are given up again.
    pub(super) fn save(&self) {
        let Some(path) = &self.file else { return };
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let learned = self.lock().clone();
        if let Err(error) = file::write(path, &learned) {
            tracing::warn!(path = %path.display(), %error, "what was learned of clients cannot be kept");
        }
    }

    /// Everything that is said, learned and known, in this order.
    pub(super) fn report(&self) -> Vec<SafeWait> {
        let learned = self.lock().clone();
        let learned = safe_waits(&learned, |client| self.most(client));
        let said = self.said.iter().map(|said| said.as_safe(WaitSource::Said));
        said.chain(learned).chain(table::known().map(|known| known.as_safe(WaitSource::Known))).collect()
    }

    /// The longest wait of a client, whatever was learned.
    fn most(&self, client: &Client) -> Duration {
        let known = || table::known().find(|known| known.is_about(client)).map(|known| known.wait);
        let said = self.said.iter().find(|said| said.is_about(client)).map(|said| said.wait);
        said.or_else(known).unwrap_or(table::UNKNOWN)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Client, Learned>> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a hub has learned and written down, for whoever looks while no hub runs.
#[must_use]
pub fn learned_waits(file: &Path) -> Vec<SafeWait> {
    safe_waits(&file::read(file), |client| {
        table::known().find(|known| known.is_about(client)).map_or(table::UNKNOWN, |known| known.wait)
    })
    .collect()
}

fn safe_waits(
    learned: &BTreeMap<Client, Learned>,
    most: impl Fn(&Client) -> Duration,
) -> impl Iterator<Item = SafeWait> {
    let lowered = learned.iter().filter(|(_, learned)| learned.is_lowered());
    lowered.map(move |(client, learned)| SafeWait {
        client: client.name.clone(),
        version: Some(client.version.clone()).filter(|version| !version.is_empty()),
        wait: learned.limit(most(client)),
        source: WaitSource::Learned,
    })
}

/// Names of clients differ in case from release to release.
fn folded(client: &Client) -> Client {
    Client { name: client.name.to_lowercase(), version: client.version.clone() }
}

#[cfg(test)]
mod tests;
