//! STAND-IN until `paths` is merged: replaced whole. Same names and signatures as there.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// STAND-IN.
#[derive(Clone, Debug)]
pub struct DataFolder {
    path: PathBuf,
}

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
    pub started: DateTime<Utc>,
}

/// STAND-IN.
#[derive(Debug, thiserror::Error)]
#[error("cannot use a file of the data folder")]
pub struct AddressError(#[from] io::Error);

/// STAND-IN.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The data folder.
    pub data_dir: Option<PathBuf>,
}

impl Environment {
    /// STAND-IN.
    #[must_use]
    pub fn read() -> Self {
        Self { data_dir: env::var_os("TURNROOM_DATA_DIR").map(PathBuf::from) }
    }
}

impl DataFolder {
    /// STAND-IN.
    pub fn open(asked: Option<&Path>, environment: &Environment) -> Result<Self, AddressError> {
        let named = asked.or(environment.data_dir.as_deref());
        let path = named.ok_or_else(|| io::Error::other("name a data folder"))?.to_owned();
        fs::create_dir_all(&path)?;
        Ok(Self { path })
    }

    /// STAND-IN.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// STAND-IN.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.path.join("hub.sock")
    }

    /// STAND-IN.
    pub fn read_address(&self) -> Result<Option<HubAddress>, AddressError> {
        match fs::read(self.path.join("hub.json")) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// STAND-IN.
    pub fn write_address(&self, address: &HubAddress) -> Result<(), AddressError> {
        Ok(fs::write(self.path.join("hub.json"), serde_json::to_vec(address).map_err(io::Error::from)?)?)
    }
}
