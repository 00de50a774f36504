//! Files: two names swapped in one step, a move that overwrites nothing, modes, owners and identity.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::Path;

/// More than any file of settings has; a device that never ends must not fill the memory.
const MAX_SETTINGS: u64 = 64 << 20;

/// Which file it is, whatever its name; nothing where the system does not tell.
#[must_use]
pub fn identity(found: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        None
    }
}

/// Swaps what two names stand for, in one step. Where the system or the file system cannot, nothing changes
/// and the error says so.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Gives a file another name, unless something has that name already.
pub fn move_to_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(error) if error != rustix::io::Errno::EXIST && error != rustix::io::Errno::NOENT => {}
            done => return Ok(done?),
        }
    }
    move_by_check(from, to)
}

/// For file systems that cannot do it in one step: a name that appears in between is lost only where hard links
/// are not known either.
fn move_by_check(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => return std::fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {}
    }
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

/// Reads a text of at most so many bytes; one that has more, or has no end, is an error of the kind `FileTooLarge`.
pub fn read_text(input: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it has more than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads a file of settings, which anybody may have put there: whoever made the folder in which a command runs.
pub fn read_settings(path: &Path) -> io::Result<String> {
    read_text(File::open(path)?, MAX_SETTINGS)
}

/// Writes a file whole, or not at all. Temporary files are for this user only, and so the file is.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

/// Whether others than the owner may read or write a file.
#[must_use]
pub fn is_open_to_others(found: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0;
    // Elsewhere a file has the rights of its folder, which is the user's.
    #[cfg(not(unix))]
    {
        let _ = found;
        false
    }
}

/// Gives a new file the mode and the owner of the file whose place it takes, as far as this user may.
pub fn take_over_mode_and_owner(new: &File, old: &Metadata) {
    // Both are courtesies: who may not give a file away still writes it.
    let _ = new.set_permissions(old.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let differs = new.metadata().is_ok_and(|made| (made.uid(), made.gid()) != (old.uid(), old.gid()));
        if differs {
            let _ =
                fchown(new, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(new, None, Some(old.gid())));
            // A change of owner may take bits of the mode away.
            let _ = new.set_permissions(old.permissions());
        }
    }
}

/// Lets the user's mask decide who may read a new file, as for any document.
pub fn with_ordinary_mode(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = builder;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn pair() -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::write(&one, "1").unwrap();
        (folder, one, other)
    }

    #[test]
    fn a_text_without_an_end_is_read_up_to_a_limit() {
        let kind = |read: io::Result<String>| read.unwrap_err().kind();
        assert_eq!(read_text(&b"four"[..], 4).unwrap(), "four");
        assert_eq!(kind(read_text(&b"four"[..], 3)), io::ErrorKind::FileTooLarge);
        assert_eq!(kind(read_text(io::repeat(b'a'), 1 << 20)), io::ErrorKind::FileTooLarge);
        assert_eq!(kind(read_text(&b"\xff"[..], 4)), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_move_overwrites_nothing() {
        let moves: [fn(&Path, &Path) -> io::Result<()>; 2] = [move_to_new, move_by_check];
        for move_it in moves {
            let (_folder, one, other) = pair();
            fs::write(&other, "2").unwrap();
            assert_eq!(move_it(&one, &other).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            fs::remove_file(&other).unwrap();
            move_it(&one, &other).unwrap();
            assert!(!one.exists());
            assert_eq!(fs::read(&other).unwrap(), b"1");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_exchange_loses_neither_file() {
        let (_folder, one, other) = pair();
        assert_eq!(exchange(&one, &other).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(&other, "2").unwrap();
        exchange(&one, &other).unwrap();
        assert_eq!((fs::read(&one).unwrap(), fs::read(&other).unwrap()), (b"2".to_vec(), b"1".to_vec()));
    }
}
