//! One hub per data folder, by a lock of the operating system that dies with its holder.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::platform;

/// A process id has at most ten digits; no more is read of a file that may hold anything.
const PID_BYTES: u64 = 16;

/// Holds a data folder. Dropping it lets the folder go. Only [`HubLock::release`] says that all is in order: whoever
/// takes the folder after a holder that did not say so is told that it died.
#[derive(Debug)]
pub struct HubLock {
    file: File,
    has_died: bool,
}

/// Why the folder could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another hub has it.
    #[error("another hub{} holds this data folder; use that one, or stop it with `turnroom stop`", by(*pid))]
    Held {
        /// The process of that hub, if it has said so.
        pid: Option<u32>,
    },
    /// Nobody can write there.
    #[error(
        "`{path}` is on a read-only file system, and a hub must write; choose another folder with --data-dir"
    )]
    ReadOnly {
        /// The lock file.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot lock `{path}`; choose another folder with --data-dir")]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

/// Whether a hub holds a data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockState {
    /// No hub runs.
    Free,
    /// A hub runs.
    Held {
        /// Its process, if it has said so.
        pid: Option<u32>,
    },
}

impl LockState {
    pub(super) fn of(path: &Path) -> Result<Self, LockError> {
        let failed = |source| LockError::File { path: path.to_owned(), source };
        let mut file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Free),
            opened => opened.map_err(failed)?,
        };
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        let is_held = platform::is_locked(&file).map_err(failed)?;
        Ok(if is_held { Self::Held { pid: holder(&mut file) } } else { Self::Free })
    }
}

fn by(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}

impl HubLock {
    pub(super) fn take(path: &Path) -> Result<Self, LockError> {
        let failed = |source: io::Error| {
            let path = path.to_owned();
            match source.kind() {
                io::ErrorKind::ReadOnlyFilesystem => LockError::ReadOnly { path },
                _ => LockError::File { path, source },
            }
        };
        let mut file = platform::create_private_file(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { pid: holder(&mut file) }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let has_died = holder(&mut file).is_some();
        let mut lock = Self { file, has_died };
        if let Err(error) = lock.write(&std::process::id().to_string()) {
            // The lock holds all the same; a full disk only takes the number away from a message.
            tracing::warn!(%error, "the number of this process cannot be written into the lock file");
        }
        Ok(lock)
    }

    /// Whether the holder before this one has ended without letting go.
    #[must_use]
    pub fn found_a_death(&self) -> bool {
        self.has_died
    }

    /// Lets the folder go after an end in order.
    pub fn release(mut self) {
        if let Err(error) = self.write("") {
            tracing::warn!(%error, "the next hub will believe that this one has died");
        }
    }

    /// The file itself stays: were it removed, two hubs could lock two files of the same name.
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(text.len() as u64)
    }
}

impl Drop for HubLock {
    fn drop(&mut self) {
        platform::let_go(&self.file);
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(PID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_let_go_is_free_while_a_program_that_is_being_started_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hub.lock");
        let lock = HubLock::take(&path).unwrap();
        // Such a program has the same open file.
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        assert_eq!(LockState::of(&path).unwrap(), LockState::Free);
        drop(HubLock::take(&path).unwrap());
        drop(inherited);
    }
}
