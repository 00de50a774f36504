//! How the hub is reached: `hub.json` in the data folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::platform;

/// How the hub of a data folder is reached. Fields that a newer hub adds are not minded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubAddress {
    /// Its process.
    pub pid: u32,
    /// Where it listens for HTTP, such as `http://127.0.0.1:8000`. `None`: nowhere.
    pub url: Option<String>,
    /// Its Unix socket for local commands.
    pub socket: PathBuf,
    /// Since when it runs.
    pub started: DateTime<Utc>,
}

/// Why an address could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The file system refused.
    #[error("cannot use `{path}`, which says how to reach the hub")]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// It holds something else.
    #[error("`{path}` does not say how to reach the hub; stop the hub, delete the file, and start it again")]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl AddressError {
    /// Whether there is only no space for it.
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        matches!(self, Self::File { source, .. } if platform::disk::is_full(source))
    }
}

impl HubAddress {
    pub(super) fn write(&self, path: &Path) -> Result<(), AddressError> {
        let malformed = |source| AddressError::Malformed { path: path.to_owned(), source };
        let json = serde_json::to_vec_pretty(self).map_err(malformed)?;
        platform::files::replace(path, &json)
            .map_err(|source| AddressError::File { path: path.to_owned(), source })
    }

    pub(super) fn read(path: &Path) -> Result<Option<Self>, AddressError> {
        match fs::read(path) {
            Ok(json) => serde_json::from_slice(&json)
                .map(Some)
                .map_err(|source| AddressError::Malformed { path: path.to_owned(), source }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(AddressError::File { path: path.to_owned(), source }),
        }
    }

    pub(super) fn remove(path: &Path) -> Result<(), AddressError> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(AddressError::File { path: path.to_owned(), source })
            }
            _ => Ok(()),
        }
    }
}
