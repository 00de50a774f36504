//! Whether a note can be written at a place, before its room is made.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk;

/// A place cannot be used. The folder of the place may have been made.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// There is a file already.
    #[error("`{}` exists and is not a transcript of this room; take another path, or `force` to keep that file aside", .0.display())]
    FileExists(PathBuf),
    /// It cannot be written.
    #[error("`{}` cannot be written ({source}); take a path in a folder that can", path.display())]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Makes the folder of a place that [`super::Folders`] gave, and finds out whether a new note can be written
/// there. An empty file is not in the way.
pub fn claim(path: &Path) -> Result<(), ClaimError> {
    let unwritable = |source| ClaimError::Unwritable { path: path.to_owned(), source };
    let folder = path.parent().ok_or_else(|| unwritable(io::ErrorKind::NotFound.into()))?;
    disk::make_folder(folder).map_err(unwritable)?;
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && found.len() == 0 => {}
        Ok(_) => return Err(ClaimError::FileExists(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(error)),
    }
    disk::try_to_write(path).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        (temp, root)
    }

    #[test]
    fn folders_are_made_and_no_file_is_left() {
        let (_temp, root) = root();
        claim(&root.join("a/b/x.md")).unwrap();
        assert_eq!(fs::read_dir(root.join("a/b")).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_is_not_ours_is_never_overwritten() {
        let (_temp, root) = root();
        fs::write(root.join("x.md"), "mine").unwrap();
        assert!(matches!(claim(&root.join("x.md")), Err(ClaimError::FileExists(_))));
        fs::write(root.join("empty.md"), "").unwrap();
        claim(&root.join("empty.md")).unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let (_temp, root) = root();
        fs::write(root.join("file"), "").unwrap();
        for path in [root.join("file/x.md"), PathBuf::from("/proc/1/x.md")] {
            assert!(matches!(claim(&path), Err(ClaimError::Unwritable { .. })), "{}", path.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_became_a_link_is_refused() {
        let (_temp, root) = root();
        fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        assert!(matches!(claim(&root.join("link/x.md")), Err(ClaimError::Unwritable { .. })));
    }
}
