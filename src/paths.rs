//! Where things lie: the data folder, what is in it, and the sockets of the hub.
//!
//! Nothing here reads the environment but [`Environment::read`]; everything else is told.

mod address;
mod environment;
mod lock;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::platform;

pub use address::{AddressError, HubAddress};
pub use environment::{Environment, home_folder};
pub use lock::{HubLock, LockError, LockState};

/// The longer one of the two names of sockets decides where both lie.
const SOCKET: &str = "hub.sock";
const BRIDGE_SOCKET: &str = "bridge.sock";

/// The folder that holds everything of one hub: journal, lock, keys, and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder {
    path: PathBuf,
    sockets: PathBuf,
}

/// Why there is no data folder.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// Neither told, nor is there a home.
    #[error("this user has no home folder; choose a data folder with --data-dir or TURNROOM_DATA_DIR")]
    NoHome,
    /// It cannot be made or entered.
    #[error("cannot use the data folder `{path}`; choose another with --data-dir")]
    Unusable {
        /// Which folder.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// Its sockets would lie where others could reach them.
    #[error(
        "`{path}` is not a private folder of this user; remove it, or choose a data folder with a shorter path"
    )]
    NotPrivate {
        /// Which folder.
        path: PathBuf,
    },
}

impl DataFolder {
    /// Opens the data folder that was asked for (`--data-dir`), else that of the environment. A missing one
    /// is made, for this user only.
    pub fn open(asked: Option<&Path>, environment: &Environment) -> Result<Self, PathError> {
        let path = environment.data_folder(asked)?;
        let unusable = |source| PathError::Unusable { path: path.clone(), source };
        platform::create_private_folder(&path).map_err(unusable)?;
        // One folder has one name, however it was asked for: the hash of its sockets depends on it.
        let path = path.canonicalize().map_err(unusable)?;
        let sockets = sockets_of(&path, environment)?;
        Ok(Self { path, sockets })
    }

    /// Which folder [`DataFolder::open`] would open. It may be missing.
    pub fn meant(asked: Option<&Path>, environment: &Environment) -> Result<PathBuf, PathError> {
        environment.data_folder(asked)
    }

    /// The folder itself: absolute, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The log of all rooms.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// The index of their messages. It may be deleted at any time while no hub runs.
    #[must_use]
    pub fn search(&self) -> PathBuf {
        self.path.join("search.db")
    }

    /// How the rooms stand, in brief. It may be deleted at any time.
    #[must_use]
    pub fn briefs(&self) -> PathBuf {
        self.path.join("briefs.json")
    }

    /// Sessions of clients, which survive a restart of the hub.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }

    /// The token of the person at this machine.
    #[must_use]
    pub fn token_file(&self) -> PathBuf {
        self.path.join("token")
    }

    /// The token by which words of a person are known: no agent is ever given it.
    #[must_use]
    pub fn human_token_file(&self) -> PathBuf {
        self.path.join("human-token")
    }

    /// Folders that may hold transcripts, for good.
    #[must_use]
    pub fn allowed_folders(&self) -> PathBuf {
        self.path.join("allowed-folders")
    }

    /// What was learned of how long clients let a call block. It may be deleted.
    #[must_use]
    pub fn learned_waits(&self) -> PathBuf {
        self.path.join("waits.json")
    }

    /// Of what people have been told, for each way of telling. It may be deleted: they are told again.
    #[must_use]
    pub fn notices(&self) -> PathBuf {
        self.path.join("notices")
    }

    /// Where the programs that are agents of tasks leave what they say.
    #[must_use]
    pub fn agents(&self) -> PathBuf {
        self.path.join("agents")
    }

    /// As whom sessions of clients call turnroom, for their hooks. It may be deleted.
    #[must_use]
    pub fn hook_sessions(&self) -> PathBuf {
        self.path.join("hook-sessions")
    }

    /// The Unix socket for local commands. Only this user can enter the folder that it is in.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.sockets.join(SOCKET)
    }

    /// The Unix socket for bridges of stdio clients, beside the other one.
    #[must_use]
    pub fn bridge_socket(&self) -> PathBuf {
        self.sockets.join(BRIDGE_SOCKET)
    }

    /// Takes the folder for one hub, until the lock is dropped or its process ends in any way.
    pub fn lock(&self) -> Result<HubLock, LockError> {
        HubLock::take(&self.lock_file())
    }

    /// Whether a hub holds the folder.
    pub fn lock_state(&self) -> Result<LockState, LockError> {
        LockState::of(&self.lock_file())
    }

    fn lock_file(&self) -> PathBuf {
        self.path.join("hub.lock")
    }

    /// Finds out whether a file can be written in the folder, and leaves none.
    pub fn try_to_write(&self) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
        // As much as SQLite needs for a small commit.
        file.write_all(&vec![0; 64 << 10])?;
        file.close()
    }

    /// Tells how the hub can be reached. A reader sees the old address or the new one, whole.
    pub fn write_address(&self, address: &HubAddress) -> Result<(), AddressError> {
        address.write(&self.address_file())
    }

    /// How the hub can be reached, if one has told so. It may have died since.
    pub fn read_address(&self) -> Result<Option<HubAddress>, AddressError> {
        HubAddress::read(&self.address_file())
    }

    /// Takes the address back. None there: nothing to do.
    pub fn remove_address(&self) -> Result<(), AddressError> {
        HubAddress::remove(&self.address_file())
    }

    fn address_file(&self) -> PathBuf {
        self.path.join("hub.json")
    }
}

/// Whether a path is a folder, or one could be made there.
#[must_use]
pub fn may_be_folder(path: &Path) -> bool {
    let there = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
    // A relative path that begins with something new lies in the present folder.
    there.is_none_or(Path::is_dir)
}

/// The folder of the sockets: the data folder itself, unless its path is longer than a socket allows, or
/// others may enter it.
fn sockets_of(data: &Path, environment: &Environment) -> Result<PathBuf, PathError> {
    let is_private = |path: &Path| {
        platform::is_private_folder(path)
            .map_err(|source| PathError::Unusable { path: path.to_owned(), source })
    };
    if is_short(data) && is_private(data)? {
        return Ok(data.to_owned());
    }
    let sockets = short_folder(data, environment);
    platform::create_private_folder(&sockets)
        .map_err(|source| PathError::Unusable { path: sockets.clone(), source })?;
    if is_private(&sockets)? { Ok(sockets) } else { Err(PathError::NotPrivate { path: sockets }) }
}

/// A folder with a short path, the same one each time for this data folder.
fn short_folder(data: &Path, environment: &Environment) -> PathBuf {
    let digest = Sha256::digest(data.as_os_str().as_encoded_bytes());
    let hash = digest.iter().take(8).fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
    let in_runtime = environment.runtime_dir.as_deref().map(|dir| dir.join(format!("turnroom-{hash:016x}")));
    in_runtime.filter(|folder| is_short(folder)).unwrap_or_else(|| {
        environment.short_temporary_dir.join(format!("turnroom-{}-{hash:016x}", platform::user_tag()))
    })
}

/// Whether sockets fit in the folder, and their paths can be written down as text.
fn is_short(folder: &Path) -> bool {
    let longest = folder.join(BRIDGE_SOCKET);
    longest.to_str().is_some_and(|path| path.len() <= platform::MAX_SOCKET_PATH_BYTES)
}

#[cfg(test)]
mod tests;
