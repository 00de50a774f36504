//! One reply note on disk: read whole, and written only in place of what was read.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::page;
use super::parse::parse;
use crate::platform::files;
use crate::transcript::aside;
use crate::transcript::disk;
use crate::transcript::held::Old;

/// A longer file is no reply note.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// The front matter of a note begins within so many bytes.
const HEAD_BYTES: u64 = 4 * 1024;
/// How the name of a reply note ends.
const ENDING: &str = ".reply.md";

/// What stands in the place of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing.
    Nothing,
    /// Text; none in an empty file.
    Text(String),
    /// A folder, a link, or what is no text.
    Odd,
}

/// What stood there, in few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sight([u8; 16]);

impl Seen {
    pub(super) fn sight(&self) -> Sight {
        let mut hash = Sha256::new();
        match self {
            Self::Nothing => hash.update([0]),
            Self::Odd => hash.update([1]),
            Self::Text(text) => {
                hash.update([2]);
                hash.update(text);
            }
        }
        let mut sight = [0; 16];
        sight.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
        Sight(sight)
    }
}

/// How a write ended.
pub(super) enum Put {
    /// The new text is in place. The file that it replaced may still be written to.
    Done(Option<Old>),
    /// Something else stands there than was read. Nothing is lost: what had no place is in this file.
    Changed(Option<PathBuf>),
}

pub(super) fn read(path: &Path) -> io::Result<Seen> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Seen::Nothing),
        Err(error) => return Err(error),
        Ok(found) if !found.is_file() || found.len() > MAX_BYTES => return Ok(Seen::Odd),
        Ok(_) => {}
    }
    match fs::read(path) {
        // It was there a moment ago.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Seen::Nothing),
        Err(error) => Err(error),
        Ok(bytes) => Ok(String::from_utf8(bytes).map_or(Seen::Odd, Seen::Text)),
    }
}

/// Whether a file begins like a note of ours.
pub(super) fn is_note(path: &Path) -> bool {
    let begins = || {
        let mut start = Vec::new();
        fs::File::open(path)?.take(HEAD_BYTES).read_to_end(&mut start)?;
        Ok::<_, io::Error>(page::has_field(&String::from_utf8_lossy(&start)))
    };
    // Opening anything but a file might wait for somebody.
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) && begins().unwrap_or(false)
}

/// Puts `text` in the place of `before`. A save of somebody else that comes at the same moment stays.
pub(super) fn replace(path: &Path, before: &Seen, text: &str, now: DateTime<Utc>) -> io::Result<Put> {
    if let Some(folder) = path.parent() {
        disk::make_folder(folder)?;
    }
    if read(path)? != *before {
        return Ok(Put::Changed(None));
    }
    let (hidden, _) = disk::write_beside(path, text)?;
    let Some(old) = disk::swap_in(hidden, path)? else { return Ok(Put::Done(None)) };
    let held = Old::open(&old, path);
    if read(&old).is_ok_and(|found| found == *before) {
        return Ok(Put::Done(held));
    }
    // From here on the hidden file is somebody's: it is not removed.
    let hidden = old.keep().map_err(|failed| failed.error)?;
    give_back(&hidden, path, text, now).map(Put::Changed)
}

/// Gives a save that our write has displaced its place again. What stands there by then, if it is not ours, is kept.
fn give_back(hidden: &Path, path: &Path, ours: &str, now: DateTime<Utc>) -> io::Result<Option<PathBuf>> {
    let is_ours = |place: &Path| read(place).is_ok_and(|found| found == Seen::Text(ours.to_owned()));
    if files::exchange(hidden, path).is_ok() {
        if is_ours(hidden) {
            return fs::remove_file(hidden).map(|()| None);
        }
    } else if is_ours(path) {
        return fs::rename(hidden, path).map(|()| None);
    }
    aside::move_aside(hidden, path, now).map(Some)
}

/// Keeps a text that came into a file after it was replaced.
pub(super) fn keep_late(text: &[u8], path: &Path, now: DateTime<Utc>) -> io::Result<PathBuf> {
    aside::move_aside(&disk::give_back(text, path)?, path, now)
}

/// Takes what a crash has left in a folder. Gives the files that hold what somebody typed, and the note of each.
pub(super) fn sweep(folder: &Path, now: DateTime<Utc>) -> Vec<(PathBuf, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut kept = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(note) = disk::file_of_hidden(&name).filter(|note| note.ends_with(ENDING)) else { continue };
        let (hidden, note) = (entry.path(), folder.join(note));
        if holds_words(&hidden, &note) {
            kept.extend(aside::move_aside(&hidden, &note, now).ok().map(|file| (file, note)));
        } else {
            // What cannot be removed is tried again at the next start.
            let _ = fs::remove_file(hidden);
        }
    }
    kept
}

/// Whether somebody's words are in a hidden file, and not in the note.
fn holds_words(hidden: &Path, note: &Path) -> bool {
    let typed = |path: &Path| match read(path) {
        Ok(Seen::Text(text)) => Some(parse(&text, None).map_or(text, |parsed| parsed.typed)),
        Ok(Seen::Nothing) => Some(String::new()),
        Ok(Seen::Odd) | Err(_) => None,
    };
    match (typed(hidden), typed(note)) {
        (Some(words), Some(known)) => !words.trim().is_empty() && !known.contains(words.trim()),
        (Some(words), None) => !words.trim().is_empty(),
        (None, _) => true,
    }
}
