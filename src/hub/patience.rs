//! How long a client lets a call block: a call that names no time ends by itself before its client gives up.
//!
//! A wait that ends empty costs its agent a turn, so it is to be as long as is safe. What is safe is said in the
//! settings, by the name of the client, and learned: two calls that were given up at the same age shorten the next
//! ones, and waits that end well make them longer again, never beyond what is said.

mod file;
mod learned;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::caller::Client;
use learned::Learned;

/// Clients of which something is learned; names come from outside.
const MAX_LEARNED: usize = 256;

/// How long calls of clients may block, as the settings say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// By the start of the client's name and version, such as `codex` or `codex 0.1`; the longest start counts.
    pub clients: Vec<(String, Duration)>,
    /// For clients that are not named.
    pub other: Duration,
}

/// How long calls of one client may block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeWait {
    /// The start of its name and version.
    pub client: String,
    /// So long.
    pub wait: Duration,
    /// Whether this was learned from its calls; else the settings say it.
    pub is_learned: bool,
}

/// What is said and learned of clients.
#[derive(Debug)]
pub(super) struct Patience {
    said: Waits,
    file: Option<PathBuf>,
    learned: Mutex<BTreeMap<Client, Learned>>,
    /// Held while the file is written.
    writing: Mutex<()>,
}

impl Default for Waits {
    /// Many clients allow 60 seconds.
    fn default() -> Self {
        Self { clients: Vec::new(), other: Duration::from_secs(45) }
    }
}

impl Patience {
    /// What the settings say, and what was learned before.
    pub(super) fn new(said: Waits, file: Option<PathBuf>) -> Self {
        let learned = Mutex::new(file.as_deref().map(file::read).unwrap_or_default());
        Self { said, file, learned, writing: Mutex::default() }
    }

    /// How long a call of this client may block.
    pub(super) fn of(&self, client: Option<&Client>) -> Duration {
        let Some(client) = client.map(folded) else { return self.said.other };
        let most = self.said.of(&client);
        self.lock().get(&client).map_or(most, |learned| learned.limit(most))
    }

    /// A client gave up a call that had named no time, after so long. Whether something new was learned.
    pub(super) fn given_up(&self, client: Option<&Client>, after: Duration) -> bool {
        let Some(client) = client.map(folded) else { return false };
        let most = self.said.of(&client);
        let mut all = self.lock();
        if all.len() >= MAX_LEARNED && !all.contains_key(&client) {
            if !Learned::tells(after) {
                return false;
            }
            let least = all.iter().find(|(_, learned)| !learned.is_lowered()).or_else(|| all.iter().next());
            let least = least.map(|(client, _)| client.clone());
            least.map(|least| all.remove(&least));
        }
        let learned = all.entry(client.clone()).or_default();
        let is_new = learned.given_up(after, most);
        if is_new {
            let seconds = learned.limit(most).as_secs();
            tracing::info!(client = %named(&client), seconds, "waits of this client end earlier");
        }
        is_new
    }

    /// A call that had named no time ended by itself after so long, and its answer arrived. Whether something new was
    /// learned.
    pub(super) fn arrived(&self, client: &Client, after: Duration) -> bool {
        let client = folded(client);
        let most = self.said.of(&client);
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

    /// Everything that is learned and said, in this order.
    pub(super) fn report(&self) -> Vec<SafeWait> {
        let mut all = learned_of(&self.lock(), |client| self.said.of(client));
        let said = self.said.clients.iter().cloned().chain([("other".to_owned(), self.said.other)]);
        all.extend(said.map(|(client, wait)| SafeWait { client, wait, is_learned: false }));
        all
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Client, Learned>> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waits {
    fn of(&self, client: &Client) -> Duration {
        let client = named(client);
        let said = self.clients.iter().filter(|(start, _)| client.starts_with(&start.to_lowercase()));
        said.max_by_key(|(start, _)| start.len()).map_or(self.other, |(_, wait)| *wait)
    }
}

/// What a hub has learned and written down, for whoever looks while no hub runs.
#[must_use]
pub fn learned_waits(file: &Path) -> Vec<SafeWait> {
    learned_of(&file::read(file), |_| Duration::MAX)
}

fn learned_of(learned: &BTreeMap<Client, Learned>, most: impl Fn(&Client) -> Duration) -> Vec<SafeWait> {
    let lowered = learned.iter().filter(|(_, learned)| learned.is_lowered());
    let safe = lowered.map(|(client, learned)| SafeWait {
        client: named(client),
        wait: learned.limit(most(client)),
        is_learned: true,
    });
    safe.collect()
}

/// Names of clients differ in case from release to release.
fn folded(client: &Client) -> Client {
    Client { name: client.name.to_lowercase(), version: client.version.to_lowercase() }
}

fn named(client: &Client) -> String {
    format!("{} {}", client.name, client.version).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
