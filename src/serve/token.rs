//! The bearer token of the hub: made once, kept in a file that only this user can read.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

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
/// If the file cannot be read, or holds something too short to be a token.
pub fn load(path: &Path) -> io::Result<Option<String>> {
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
            assert_eq!(load_or_make(&path).unwrap_err().kind(), io::ErrorKind::InvalidData, "{text}");
        }
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
