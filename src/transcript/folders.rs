//! Where a note may lie: inside the folders that a person has allowed, and nowhere else.
//!
//! Nothing here writes; `claim` makes folders once a path has been found good.

mod portable;
mod refused;

use std::fs;
use std::path::{Component, Path, PathBuf};

pub use refused::{PathRefused, Why};

use super::aside;
use super::clean;

/// The ending of a note.
const ENDING: &str = "md";
/// Longest file name, in bytes: the system allows 255, and kept versions and parts add to it.
const MAX_NAME: usize = 180;
const MAX_PATH: usize = 1_024;
/// Length to which a bad path is cut in an error.
const SHOWN: usize = 200;
/// The file that an error names, when what was asked has no name that could be used.
const SOME_NAME: &str = "room.md";

/// The folders of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// Absolute paths, the first one first.
    pub allowed: Vec<PathBuf>,
}

impl Folders {
    /// The place of a note: `asked`, if it lies in a folder of the hub or of the asker.
    ///
    /// A relative path starts in the asker's first folder, else in the hub's. If it begins with the names by
    /// which that folder ends, they mean the folder itself: `transcripts/x.md` in `…/transcripts` is
    /// `…/transcripts/x.md`, whether or not a folder `transcripts/transcripts` exists, so that one path always
    /// means one place; an absolute path names the inner one. Links are followed, and must stay inside.
    pub fn resolve(&self, asked: &str, asker_folders: &[PathBuf]) -> Result<PathBuf, PathRefused> {
        let folders: Vec<&Path> = asker_folders.iter().chain(&self.allowed).map(PathBuf::as_path).collect();
        place(asked, &folders).map_err(|why| refused(asked, &folders, why))
    }
}

/// A folder, with every link on the way to it followed: only so does a note know its place again. One that cannot be
/// reached is as it is named.
#[must_use]
pub fn real_folder(folder: &Path) -> PathBuf {
    real(folder).unwrap_or_else(|_| folder.to_owned())
}

fn place(asked: &str, folders: &[&Path]) -> Result<PathBuf, Why> {
    let path = parsed(asked)?;
    let first = folders.first().ok_or(Why::NoFolder)?;
    let path = if path.is_absolute() { path } else { first.join(without_tail_of(first, &path)) };
    let name = path.file_name().ok_or(Why::Directory)?;
    let parent = real(path.parent().ok_or(Why::Directory)?)?;
    let real_folders: Vec<PathBuf> = folders.iter().filter_map(|folder| real(folder).ok()).collect();
    let is_allowed = |place: &Path| real_folders.iter().any(|folder| place.starts_with(folder));
    if !is_allowed(&parent) {
        return Err(Why::Outside);
    }
    behind_links(with_good_names(&parent.join(name))?, is_allowed)
}

/// The path, with what is not there yet in names that every system takes.
fn with_good_names(path: &Path) -> Result<PathBuf, Why> {
    let existing = path.ancestors().find(|ancestor| fs::symlink_metadata(ancestor).is_ok());
    let existing = existing.ok_or(Why::NoFolder)?;
    let new = path.strip_prefix(existing).map_err(|_| Why::NoFolder)?;
    let is_portable = |name: Component<'_>| name.as_os_str().to_str().is_some_and(portable::is_portable);
    if !new.components().all(is_portable) {
        return Err(Why::Name);
    }
    Ok(if new.as_os_str().is_empty() { existing.to_owned() } else { existing.join(portable::composed(new)) })
}

/// The path as it was asked for, if its form is right.
fn parsed(asked: &str) -> Result<PathBuf, Why> {
    if asked.trim().is_empty() {
        return Err(Why::Empty);
    }
    if asked.len() > MAX_PATH {
        return Err(Why::TooLong);
    }
    if clean::line(asked) != asked || !portable::is_visible(asked) {
        return Err(Why::Characters);
    }
    if portable::is_url(asked) {
        return Err(Why::Url);
    }
    let path = Path::new(asked);
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(Why::Parent);
    }
    if asked.starts_with('~') {
        return Err(Why::Home);
    }
    if asked.ends_with(std::path::is_separator) {
        return Err(Why::Directory);
    }
    check_name(path)?;
    Ok(path.components().filter(|part| *part != Component::CurDir).collect())
}

fn check_name(path: &Path) -> Result<(), Why> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(Why::Directory)?;
    if path.extension().is_none_or(|ending| ending != ENDING) {
        return Err(Why::Ending);
    }
    if name.len() > MAX_NAME {
        return Err(Why::TooLong);
    }
    if aside::is_reserved(name) { Err(Why::Reserved) } else { Ok(()) }
}

/// `path` without the names at its start by which `folder` ends.
fn without_tail_of(folder: &Path, path: &Path) -> PathBuf {
    let parts: Vec<Component<'_>> = path.components().collect();
    let tail: Vec<Component<'_>> = folder.components().collect();
    let longest = (1..parts.len()).rev().find(|count| tail.ends_with(&parts[..*count]));
    parts[longest.unwrap_or(0)..].iter().collect()
}

/// The real path of a folder that may not exist yet: links in the part that exists are followed.
fn real(folder: &Path) -> Result<PathBuf, Why> {
    let existing = folder.ancestors().find(|ancestor| fs::symlink_metadata(ancestor).is_ok());
    let existing = existing.ok_or(Why::NoFolder)?;
    let rest = folder.strip_prefix(existing).map_err(|_| Why::NoFolder)?;
    let start = existing.canonicalize().map_err(|_| Why::Link)?;
    if !start.is_dir() {
        return Err(Why::NoFolder);
    }
    // `join` with nothing would end the path with a separator.
    Ok(if rest.as_os_str().is_empty() { start } else { start.join(rest) })
}

/// Where a file really lies: a link may stand for it if it leads to a note inside.
fn behind_links(file: PathBuf, is_allowed: impl Fn(&Path) -> bool) -> Result<PathBuf, Why> {
    let Ok(found) = fs::symlink_metadata(&file) else { return Ok(file) };
    if found.is_dir() {
        return Err(Why::Directory);
    }
    // Also without a link: where capitals or marks make no difference, one file has one path.
    let target = file.canonicalize().map_err(|_| Why::Link)?;
    if !is_allowed(&target) {
        return Err(Why::Link);
    }
    check_name(&target)?;
    if target.is_file() { Ok(target) } else { Err(Why::Directory) }
}

fn refused(asked: &str, folders: &[&Path], why: Why) -> PathRefused {
    let shown: String = clean::line(asked).chars().take(SHOWN).collect();
    let path = Path::new(asked);
    // A name at which something lies that cannot be used is no name to recommend.
    let is_taken = matches!(why, Why::Link | Why::Directory);
    let is_good =
        |name: &str| clean::line(name) == name && portable::is_visible(name) && portable::is_portable(name);
    let has_good_name = !is_taken && check_name(path).is_ok();
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| has_good_name && is_good(name));
    let name = name.unwrap_or(SOME_NAME);
    let instead = folders.first().filter(|_| why != Why::NoFolder).map(|folder| folder.join(name));
    let folder = path.parent().filter(|folder| why == Why::Outside && folder.is_absolute());
    PathRefused { asked: shown, why, instead, folder: folder.map(Path::to_owned) }
}

#[cfg(test)]
mod tests;
