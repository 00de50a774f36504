//! One file of ours on disk: put in place whole, and never at the cost of what somebody else wrote.
//!
//! A new version is written beside the file under a hidden name, then the two names are swapped in one step.
//! What stood under the file's name is then under the hidden one, whoever put it there and however late: a
//! save that falls between compare and swap is seen, not lost. Where the system cannot swap, the old file gets a
//! second name first, and the new one is renamed over it.
//!
//! Hidden names end with `.new` while they are written and with `.old` once they may hold a version of somebody
//! else, so that what a crash leaves behind can be told apart.

use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempPath;

use super::held::Old;
use super::render::{Key, Page, Stamp};
use crate::platform::files;

/// A longer file is not compared: it is not ours.
pub(super) const MAX_COMPARED: u64 = 64 * 1024 * 1024;
/// Somebody may take the file away between two looks; not for ever.
const MAX_TRIES: usize = 5;

/// A file as we left it.
#[derive(Clone, Debug)]
pub(super) struct Known {
    stamp: Stamp,
    print: Option<Print>,
}

/// Whether a file was touched is told by these, without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Print {
    identity: (u64, u64),
    length: u64,
    modified: SystemTime,
}

/// What stands at a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// An empty file.
    Empty,
    /// A version of ours that nobody has typed into.
    Ours(Stamp),
    /// Anything else.
    Foreign,
}

/// What stood at the path before.
pub(super) enum Before {
    /// Nothing.
    Nothing,
    /// A version of ours. Somebody may have it open.
    Ours(Option<Old>),
    /// Something of somebody else, which is here now.
    Foreign(PathBuf),
}

/// A version that is on disk, but not under its name yet.
pub(super) struct Prepared {
    hidden: TempPath,
    path: PathBuf,
    known: Known,
}

/// The hidden name of what stood in the place; or the new version back, and why.
type Swapped = Result<TempPath, (TempPath, io::Error)>;

/// Makes a folder of a note. Its path was free of links when the note got its place: a link that has come since leads
/// elsewhere, perhaps out of the allowed folders, and nothing is made or written behind it.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    let existing = folder.ancestors().find(|ancestor| fs::symlink_metadata(ancestor).is_ok());
    if !existing.is_some_and(is_in_place) {
        return Err(moved(folder));
    }
    fs::create_dir_all(folder)?;
    if is_in_place(folder) { Ok(()) } else { Err(moved(folder)) }
}

/// Whether a folder is there, and no link leads to it.
pub(super) fn is_in_place(folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|real| real == folder)
}

fn moved(folder: &Path) -> io::Error {
    let text = format!("`{}` has become a link, or lies behind one; put the folder back", folder.display());
    io::Error::other(text)
}

/// Looks what stands at `path`.
pub(super) fn look(path: &Path, key: &Key, last: Option<&Known>) -> io::Result<Found> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        found => found?,
    };
    if !found.is_file() || found.len() > MAX_COMPARED {
        return Ok(Found::Foreign);
    }
    if found.len() == 0 {
        return Ok(Found::Empty);
    }
    if let Some(last) = last.filter(|last| last.print.is_some() && last.print == print(&found)) {
        return Ok(Found::Ours(last.stamp));
    }
    let bytes = fs::read(path)?;
    let own = str::from_utf8(&bytes).ok().and_then(|text| key.own(text, last.map(|last| last.stamp)));
    Ok(own.map_or(Found::Foreign, Found::Ours))
}

/// Writes a page beside `path`.
pub(super) fn prepare(path: &Path, page: &Page) -> io::Result<Prepared> {
    let (hidden, print) = write_beside(path, &page.text)?;
    Ok(Prepared { hidden, path: path.to_owned(), known: Known { stamp: page.stamp, print } })
}

/// Writes a text under a hidden name beside `path`.
pub(super) fn write_beside(path: &Path, text: &str) -> io::Result<(TempPath, Option<Print>)> {
    let found = fs::symlink_metadata(path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file() && !found.is_symlink()) {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, or no ordinary file"));
    }
    let mut file = hidden(path, ".new")?;
    file.write_all(text.as_bytes())?;
    if let Some(old) = found.filter(Metadata::is_file) {
        files::take_over_mode_and_owner(file.as_file(), &old);
    }
    let print = print(&file.as_file().metadata()?);
    let mut old = file.path().as_os_str().to_owned();
    old.push(".old");
    file.into_temp_path().persist_noclobber(&old).map_err(|failed| failed.error)?;
    Ok((TempPath::try_from_path(old)?, print))
}

/// Puts a file that [`write_beside`] wrote in place. What stood there is under the hidden name that is given.
pub(super) fn swap_in(hidden: TempPath, path: &Path) -> io::Result<Option<TempPath>> {
    put_in_place(hidden, path, exchanged)
}

impl Prepared {
    /// Puts the page in place.
    pub(super) fn install(self, key: &Key, last: Option<&Known>) -> io::Result<(Known, Before)> {
        let Self { hidden, path, known } = self;
        let Some(old) = swap_in(hidden, &path)? else { return Ok((known, Before::Nothing)) };
        let held = Old::open(&old, &path);
        let is_foreign = match look(&old, key, last) {
            Ok(Found::Ours(_) | Found::Nothing) => false,
            // Who has emptied our file may be about to write into it.
            Ok(Found::Empty) => last.is_some(),
            // What cannot be read cannot be ours.
            Ok(Found::Foreign) | Err(_) => true,
        };
        let before = if is_foreign { Before::Foreign(kept(old)?) } else { Before::Ours(held) };
        Ok((known, before))
    }
}

/// Takes what a crash has left in a folder of files that `is_ours` names. Gives what may be somebody else's,
/// and the file whose place it had.
pub(super) fn sweep(folder: &Path, key: &Key, is_ours: impl Fn(&str) -> bool) -> Vec<(PathBuf, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut foreign = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(file) = file_of_hidden(&name).filter(|file| is_ours(file)) else { continue };
        let hidden = entry.path();
        let is_whole = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "old");
        if is_whole && matches!(look(&hidden, key, None), Ok(Found::Foreign) | Err(_)) {
            foreign.push((hidden, folder.join(file)));
        } else {
            // What cannot be removed is tried again at the next start.
            let _ = fs::remove_file(hidden);
        }
    }
    foreign
}

/// The file to which a hidden name belongs: `.x.md.<letters>.new.old` is for `x.md`.
pub(super) fn file_of_hidden(name: &str) -> Option<&str> {
    let mut rest = name.strip_prefix('.')?;
    while let Some(shorter) = rest.strip_suffix(".new").or_else(|| rest.strip_suffix(".old")) {
        rest = shorter;
    }
    let (file, _) = rest.rsplit_once('.')?;
    (rest.len() + 1 < name.len()).then_some(file)
}

/// Gives a text that has no file any more a hidden one beside `path`, as if it had stood there.
pub(super) fn give_back(text: &[u8], path: &Path) -> io::Result<PathBuf> {
    let mut file = hidden(path, ".old")?;
    file.write_all(text)?;
    kept(file.into_temp_path())
}

/// Finds out whether files can be made beside `path`, and leaves none.
pub(super) fn try_to_write(path: &Path) -> io::Result<()> {
    let mut file = hidden(path, ".new")?;
    file.write_all(b"turnroom")?;
    match file.close() {
        // The writer of a room that starts here at the same time has swept it away.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        closed => closed,
    }
}

/// Gives `hidden` the name `path`. What had that name is under a hidden one afterwards.
fn put_in_place(
    mut hidden: TempPath,
    path: &Path,
    swap: fn(TempPath, &Path) -> Swapped,
) -> io::Result<Option<TempPath>> {
    let mut failure = io::Error::from(io::ErrorKind::Interrupted);
    for _ in 0..MAX_TRIES {
        match hidden.persist_noclobber(path) {
            Ok(()) => return Ok(None),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => hidden = failed.path,
            Err(failed) => return Err(failed.error),
        }
        match swap(hidden, path) {
            Ok(old) => return Ok(Some(old)),
            Err((back, error)) if error.kind() == io::ErrorKind::NotFound => {
                (hidden, failure) = (back, error);
            }
            Err((_, error)) => return Err(error),
        }
    }
    Err(failure)
}

fn exchanged(hidden: TempPath, path: &Path) -> Swapped {
    match files::exchange(&hidden, path) {
        Ok(()) => Ok(hidden),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err((hidden, error)),
        Err(_) => linked(hidden, path),
    }
}

/// The way without a swap: a second name for the old file (or a copy, where there are no second names).
fn linked(hidden: TempPath, path: &Path) -> Swapped {
    let mut second = hidden.as_os_str().to_owned();
    second.push(".new.old");
    let second = PathBuf::from(second);
    let copied = fs::hard_link(path, &second).or_else(|_| fs::copy(path, &second).map(drop));
    let second = match copied.and_then(|()| TempPath::try_from_path(second)) {
        Ok(second) => second,
        Err(error) => return Err((hidden, error)),
    };
    match hidden.persist(path) {
        Ok(()) => Ok(second),
        Err(failed) => Err((failed.path, failed.error)),
    }
}

fn kept(hidden: TempPath) -> io::Result<PathBuf> {
    hidden.keep().map_err(|failed| failed.error)
}

fn hidden(path: &Path, ending: &str) -> io::Result<tempfile::NamedTempFile> {
    let name = path.file_name().and_then(|name| name.to_str());
    let (folder, name) = path.parent().zip(name).ok_or(io::ErrorKind::InvalidInput)?;
    // The hidden name carries the file's own, so that two rooms in one folder do not meet.
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ending);
    files::with_ordinary_mode(&mut builder);
    builder.tempfile_in(folder)
}

pub(super) fn print(found: &Metadata) -> Option<Print> {
    let identity = files::identity(found)?;
    Some(Print { identity, length: found.len(), modified: found.modified().ok()? })
}

#[cfg(test)]
mod tests;
