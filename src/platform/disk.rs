//! Disks: how much space is left, whether they can be written, and what kind of file system they hold.

use std::io;
use std::path::Path;

/// What is left of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Bytes that this user may still write.
    pub free: u64,
    /// Whether the file system is mounted so that nobody can write to it.
    pub is_read_only: bool,
}

/// A kind of file system, as far as it matters to a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// On a disk of this machine, or in its memory; the system's own name of the kind.
    Local(String),
    /// On another machine.
    Network(String),
    /// Served by a program; it may lie anywhere.
    Program(String),
}

/// Kinds that lie on another machine.
const NETWORK: [&str; 15] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb",
    "smb2",
    "smb3",
    "smbfs",
    "afs",
    "afpfs",
    "ceph",
    "glusterfs",
    "lustre",
    "9p",
    "webdav",
    "ncpfs",
];

impl FileSystem {
    /// Sorts a kind by its name in the list of mounts.
    #[must_use]
    pub fn named(kind: &str) -> Self {
        let family = kind.split('.').next().unwrap_or(kind);
        if NETWORK.contains(&kind) {
            Self::Network(kind.to_owned())
        } else if family == "fuse" || family == "macfuse" || family == "osxfuse" {
            Self::Program(kind.to_owned())
        } else {
            Self::Local(kind.to_owned())
        }
    }
}

/// Whether an attempt to write failed only because there is no space for it.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// What is left of the disk on which a path lies.
///
/// # Errors
/// If the path cannot be reached, or the system does not tell.
pub fn space(path: &Path) -> io::Result<Space> {
    #[cfg(unix)]
    {
        let found = rustix::fs::statvfs(path)?;
        Ok(Space {
            free: found.f_bavail.saturating_mul(found.f_frsize),
            is_read_only: found.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY),
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The kind of file system on which a path lies, which must have no links. `None`: the system does not tell.
#[must_use]
pub fn file_system(path: &Path) -> Option<FileSystem> {
    #[cfg(target_os = "linux")]
    {
        let mounts = std::fs::read("/proc/self/mountinfo").ok()?;
        mounted_at(&String::from_utf8_lossy(&mounts), path).map(|kind| FileSystem::named(&kind))
    }
    #[cfg(target_vendor = "apple")]
    {
        let found = rustix::fs::statfs(path).ok()?;
        let bytes = found.f_fstypename.iter().take_while(|byte| **byte != 0);
        let kind: String = bytes.map(|byte| char::from(byte.cast_unsigned())).collect();
        Some(FileSystem::named(&kind))
    }
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    {
        let _ = path;
        None
    }
}

/// The kind of the innermost mount that holds a path. Of two at one place the later one lies on top.
#[cfg(target_os = "linux")]
fn mounted_at(mounts: &str, path: &Path) -> Option<String> {
    let mut found: Option<(usize, String)> = None;
    for line in mounts.lines() {
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let (Some(place), Some(kind)) = (before.split(' ').nth(4), after.split(' ').next()) else { continue };
        let place = unescaped(place);
        let depth = Path::new(&place).components().count();
        if path.starts_with(&place) && found.as_ref().is_none_or(|(best, _)| *best <= depth) {
            found = Some((depth, kind.to_owned()));
        }
    }
    found.map(|(_, kind)| kind)
}

/// The list of mounts writes white space and backslashes as octal numbers.
#[cfg(target_os = "linux")]
fn unescaped(place: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(place.to_owned(), |place, (code, text)| place.replace(code, text))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 0:26 / /home rw - ext4 /dev/sda2 rw
31 30 0:40 / /home/a/far\\040away rw - nfs4 server:/x rw
32 30 0:41 / /home/a/cloud rw shared:3 - fuse.sshfs host: rw
33 22 0:42 / /homes rw - tmpfs tmpfs rw
";

    #[test]
    fn the_innermost_mount_tells_the_kind() {
        for (path, kind) in [
            ("/home/a", FileSystem::Local("ext4".to_owned())),
            ("/home/a/far away/data", FileSystem::Network("nfs4".to_owned())),
            ("/home/a/cloud", FileSystem::Program("fuse.sshfs".to_owned())),
            ("/homes/a", FileSystem::Local("tmpfs".to_owned())),
        ] {
            let found = mounted_at(MOUNTS, Path::new(path)).unwrap();
            assert_eq!(FileSystem::named(&found), kind, "{path}");
        }
    }

    #[test]
    fn this_machine_tells_of_its_own_disk() {
        let folder = tempfile::tempdir().unwrap();
        assert!(space(folder.path()).unwrap().free > 0);
        assert!(file_system(&folder.path().canonicalize().unwrap()).is_some());
        assert!(space(Path::new("/no such folder")).is_err());
    }
}
