//! All differences between operating systems: who may read a file, which processes live, what a socket
//! allows.
//!
//! Linux and macOS are supported. Elsewhere the fallbacks compile: files get the rights of their folder.

pub mod disk;
pub mod files;
pub mod group;
pub mod process;
pub mod socket;
pub mod terminal;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The longest path of a Unix socket, in bytes.
pub const MAX_SOCKET_PATH_BYTES: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Makes a folder, and those above it that are missing, for this user only (mode 0700). One that is there
/// stays as it is.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    system::create_private_folder(path)
}

/// Whether a folder is a real folder (no link) of this user, which nobody else may enter.
pub fn is_private_folder(path: &Path) -> io::Result<bool> {
    system::is_private_folder(path)
}

/// Opens a file to read and write, and makes it for this user only (mode 0600) if it is missing. Its content
/// stays.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    system::keep_private(&mut options);
    options.open(path)
}

/// Opens a file to read, and to write at its end whatever becomes of it, and makes it for this user only (mode 0600) if it
/// is missing.
pub fn create_private_log(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    system::keep_private(&mut options);
    options.open(path)
}

/// Whether another has locked a file for itself. Asking is in nobody's way, but for one who locks at this very moment.
pub fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock_shared() {
        Ok(()) => {
            let_go(file);
            Ok(false)
        }
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Unlocks a file. A program that is being started has the open files of its parent for a moment: to close this one would
/// let go too late.
pub fn let_go(file: &File) {
    if let Err(error) = file.unlock() {
        tracing::debug!(%error, "the lock goes when the file is closed");
    }
}

/// Whether a process with this id lives, whoever owns it. Where the system does not tell: `true`.
#[must_use]
pub fn is_alive(pid: u32) -> bool {
    system::is_alive(pid)
}

/// A folder with a short path for what lives only while this user's programs run; others may write there
/// too. The name of a folder in it should hold [`user_tag`].
#[must_use]
pub fn short_temporary_folder() -> PathBuf {
    system::short_temporary_folder()
}

/// What tells this user from others in the name of a file.
#[must_use]
pub fn user_tag() -> String {
    system::user_tag()
}

#[cfg(unix)]
mod system {
    use std::fs::{DirBuilder, OpenOptions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
    use std::path::{Path, PathBuf};

    use rustix::io::Errno;
    use rustix::process::{Pid, geteuid, test_kill_process};

    const FOLDER_MODE: u32 = 0o700;
    const FILE_MODE: u32 = 0o600;
    const OTHERS: u32 = 0o077;

    pub(super) fn create_private_folder(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
    }

    pub(super) fn is_private_folder(path: &Path) -> io::Result<bool> {
        let found = path.symlink_metadata()?;
        Ok(found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & OTHERS == 0)
    }

    pub(super) fn keep_private(options: &mut OpenOptions) {
        options.mode(FILE_MODE);
    }

    pub(super) fn is_alive(pid: u32) -> bool {
        // A signal is not sent. `PERM`: it lives, and belongs to somebody else.
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| matches!(test_kill_process(pid), Ok(()) | Err(Errno::PERM)))
    }

    pub(super) fn short_temporary_folder() -> PathBuf {
        // Not `TMPDIR`: on macOS that alone is half as long as a socket allows.
        PathBuf::from("/tmp")
    }

    pub(super) fn user_tag() -> String {
        geteuid().as_raw().to_string()
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::OpenOptions;
    use std::io;
    use std::path::{Path, PathBuf};

    pub(super) fn create_private_folder(path: &Path) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }

    pub(super) fn is_private_folder(path: &Path) -> io::Result<bool> {
        path.symlink_metadata().map(|found| found.is_dir())
    }

    pub(super) fn keep_private(_: &mut OpenOptions) {}

    pub(super) fn is_alive(_: u32) -> bool {
        true
    }

    pub(super) fn short_temporary_folder() -> PathBuf {
        std::env::temp_dir()
    }

    pub(super) fn user_tag() -> String {
        // The folder for temporary files is each user's own.
        String::from("user")
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_private_is_for_this_user_only() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        create_private_folder(&folder).unwrap();
        create_private_folder(&folder).unwrap();
        assert_eq!((mode(&folder), mode(folder.parent().unwrap())), (0o700, 0o700));
        create_private_file(&folder.join("file")).unwrap();
        assert_eq!(mode(&folder.join("file")), 0o600);
    }

    #[test]
    fn opening_a_private_file_again_keeps_its_content() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");
        create_private_file(&path).unwrap().write_all(b"kept").unwrap();
        create_private_file(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    }

    #[test]
    fn an_open_folder_a_link_and_a_file_are_not_private_folders() {
        let root = tempfile::tempdir().unwrap();
        let [private, open, link, file] =
            ["private", "open", "link", "file"].map(|name| root.path().join(name));
        create_private_folder(&private).unwrap();
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o750)).unwrap();
        symlink(&private, &link).unwrap();
        create_private_file(&file).unwrap();
        let answers = [&private, &open, &link, &file].map(|path| is_private_folder(path).unwrap());
        assert_eq!(answers, [true, false, false, false]);
    }

    #[test]
    fn this_process_lives_and_one_that_has_ended_does_not() {
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        assert!(is_alive(std::process::id()));
        assert!(!is_alive(ended.id()));
        assert!(!is_alive(0) && !is_alive(u32::MAX));
    }
}
