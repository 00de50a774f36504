//! The bearer token of the hub: made once, kept in a file that only this user can read.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::platform::files;
use crate::secret;

/// A token that somebody put there by hand must not be easy to guess.
const MIN_LENGTH: usize = 32;

/// The token in `path`; a new one if there is none.
///
/// # Errors
/// If the file cannot be read or written, or holds something too short to be a token.
pub(super) fn load_or_make(path: &Path) -> io::Result<String> {
    match load(path)? {
        Some(token) => Ok(token),
        None => make(path),
    }
}

/// The token in `path`, if there is one.
///
/// # Errors
/// If the file cannot be read, may be read by others, or holds something too short to be a token.
pub fn load(path: &Path) -> io::Result<Option<String>> {
    if let Ok(found) = fs::symlink_metadata(path) {
        if !found.is_file() {
            let problem = "it is no ordinary file; remove it, and a new one is made";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        if files::is_open_to_others(&found) {
            let problem = "others than its owner may read it, and may have; remove it, and a new one is made";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem));
        }
    }
    match fs::read_to_string(path) {
        Ok(text) if is_token(text.trim()) => Ok(Some(text.trim().to_owned())),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "it must hold at least {MIN_LENGTH} visible characters; remove it, and a new one is made"
            ),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn make(path: &Path) -> io::Result<String> {
    let token = secret::token();
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    // Private to this user from its first byte on, and never half a token.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{token}")?;
    file.persist(path)?;
    Ok(token)
}

fn is_token(text: &str) -> bool {
    text.len() >= MIN_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let token = load_or_make(&path).unwrap();
        assert!(is_token(&token));
        assert_eq!(load_or_make(&path).unwrap(), token);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_token_is_not_used_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        for text in ["", "short", "spaces in between, although long enough"] {
            fs::write(&path, text).unwrap();
            tighten(&path);
            assert_eq!(load_or_make(&path).unwrap_err().kind(), io::ErrorKind::InvalidData, "{text}");
        }
    }

    #[cfg(unix)]
    fn tighten(path: &Path) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    #[cfg(not(unix))]
    fn tighten(_: &Path) {}

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_may_have_read_is_not_used() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        load_or_make(&at("token")).unwrap();
        for mode in [0o644, 0o640, 0o604] {
            fs::set_permissions(at("token"), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(load(&at("token")).unwrap_err().kind(), io::ErrorKind::PermissionDenied, "{mode:o}");
        }
        fs::set_permissions(at("token"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink(at("token"), at("link")).unwrap();
        assert!(load(&at("token")).is_ok() && load(&at("link")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_this_user_can_read_the_token() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        load_or_make(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
