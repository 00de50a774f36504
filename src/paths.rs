//! STAND-IN until `paths` is merged: replaced whole.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

/// STAND-IN.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// STAND-IN.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HubAddress {
    /// Process.
    pub pid: u32,
    /// Over HTTP.
    pub url: Option<String>,
    /// Over the socket.
    pub socket: PathBuf,
    /// Since when.
    pub started: String,
}

impl DataFolder {
    /// STAND-IN.
    pub fn locate(given: Option<&Path>) -> io::Result<Self> {
        let home = env::var_os("XDG_DATA_HOME").unwrap_or_else(|| "/nowhere".into());
        Ok(Self(given.map_or_else(|| PathBuf::from(home).join("turnroom"), Path::to_owned)))
    }

    /// STAND-IN.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// STAND-IN.
    pub fn hub_address(&self) -> io::Result<Option<HubAddress>> {
        match fs::read(self.0.join("hub.json")) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
