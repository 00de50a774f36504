//! Of what people were told on one way, as a file of the data folder. It may be deleted, and a damaged one counts as
//! none: then they are told again.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::platform;

/// The file of one way.
#[derive(Clone, Debug)]
pub(super) struct ToldFile(PathBuf);

impl ToldFile {
    pub(super) fn new(folder: &Path, channel: &str) -> Self {
        Self(folder.join(format!("{channel}.json")))
    }

    /// The ids that were told.
    pub(super) async fn read(&self) -> BTreeSet<String> {
        let path = self.0.clone();
        let read = tokio::task::spawn_blocking(move || match std::fs::read(path) {
            Ok(json) => serde_json::from_slice(&json).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(error),
        });
        read.await.map_err(io::Error::other).flatten().unwrap_or_else(|error| {
            tracing::warn!(path = %self.0.display(), %error, "people may be told again what waits for them");
            BTreeSet::new()
        })
    }

    /// Keeps the ids that were told.
    pub(super) async fn write(&self, told: BTreeSet<String>) {
        let path = self.0.clone();
        let written = tokio::task::spawn_blocking(move || {
            if let Some(folder) = path.parent() {
                platform::create_private_folder(folder)?;
            }
            platform::files::replace(&path, &serde_json::to_vec(&told)?)
        });
        if let Err(error) = written.await.map_err(io::Error::other).flatten() {
            tracing::warn!(path = %self.0.display(), %error, "after a restart people may be told again");
        }
    }
}
