//! Where things lie: data folder, socket, lock, transcripts.
//!
//! STAND-IN of the branch `web`: only what the hub and the bridge need. Replaced at the merge.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The folder that holds everything of one hub.
#[derive(Clone, Debug)]
pub struct DataFolder {
    root: PathBuf,
}

/// How to reach the hub.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HubAddress {
    /// Its process.
    pub pid: u32,
    /// Its URL, if it listens on TCP.
    pub url: Option<String>,
    /// Its socket for local commands.
    pub socket: PathBuf,
    /// When it was started.
    pub started: DateTime<Utc>,
}

/// Held while the hub runs.
#[derive(Debug)]
pub struct HubLock(#[expect(dead_code, reason = "held, not read")] File);

/// Why the folder is not free.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another hub holds it.
    #[error("another hub runs with this data folder (process {pid:?}); `turnroom stop` ends it")]
    Held {
        /// Its process.
        pid: Option<u32>,
    },
    /// The lock file cannot be used.
    #[error("the lock file cannot be used")]
    Io(#[from] io::Error),
}

impl DataFolder {
    /// The folder at `root`, made if need be.
    pub fn open(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        Ok(Self { root: root.to_owned() })
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The socket for local commands.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.root.join("hub.sock")
    }

    /// The socket for bridges.
    #[must_use]
    pub fn bridge_socket(&self) -> PathBuf {
        self.root.join("bridge.sock")
    }

    /// The folder of the sessions of older MCP clients.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// The file of the bearer token.
    #[must_use]
    pub fn token_file(&self) -> PathBuf {
        self.root.join("token")
    }

    /// Takes the folder for one hub.
    pub fn lock(&self) -> Result<HubLock, LockError> {
        let path = self.root.join("hub.lock");
        let file = File::options().create(true).truncate(false).read(true).write(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => {
                fs::write(&path, std::process::id().to_string())?;
                Ok(HubLock(file))
            }
            Err(fs::TryLockError::WouldBlock) => Err(LockError::Held {
                pid: fs::read_to_string(&path).ok().and_then(|text| text.parse().ok()),
            }),
            Err(fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Writes how to reach the hub.
    pub fn write_address(&self, address: &HubAddress) -> io::Result<()> {
        fs::write(self.root.join("hub.json"), serde_json::to_vec(address)?)
    }

    /// Removes what [`Self::write_address`] wrote.
    pub fn remove_address(&self) -> io::Result<()> {
        fs::remove_file(self.root.join("hub.json"))
    }
}
