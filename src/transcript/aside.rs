//! Versions of a note that are kept beside it, and the names of files that go with a note.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::reply;
use crate::platform::files;

/// How many names are tried in one second.
const MAX_TRIES: usize = 1_000;

/// Moves a note that is to be replaced aside, with its parts, and gives its new path; nothing, when there is no
/// such file.
///
/// No [`super::Scribe`] may still write to `path`.
pub fn keep_aside(path: &Path, now: DateTime<Utc>) -> io::Result<Option<PathBuf>> {
    let parts = parts_folder(path);
    let has_parts = fs::read_dir(&parts).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| is_part(&entry.file_name().to_string_lossy())))
    });
    if has_parts {
        move_aside(&parts, &parts, now)?;
    }
    if fs::symlink_metadata(path).is_err() { Ok(None) } else { move_aside(path, path, now).map(Some) }
}

/// Deletes a note, its parts, and the reply note beside it. Versions that were kept aside stay, and so do a reply note in
/// which somebody has typed and whatever else somebody keeps in the folder of the parts.
///
/// No [`super::Scribe`] may still write to `path`.
pub fn remove(path: &Path) -> io::Result<()> {
    let parts = parts_folder(path);
    for entry in fs::read_dir(&parts).into_iter().flatten() {
        let entry = entry?;
        if is_part(&entry.file_name().to_string_lossy()) {
            remove_file(&entry.path())?;
        }
    }
    // Only an empty folder can be removed so.
    let _ = fs::remove_dir(&parts);
    if reply::is_untouched(path) {
        remove_file(&reply::reply_path(path))?;
    }
    remove_file(path)
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The folder of a note's parts.
pub(super) fn parts_folder(note: &Path) -> PathBuf {
    note.with_extension("")
}

/// Moves `from`, which holds a version of `note`, to a name beside the note that says when.
pub(super) fn move_aside(from: &Path, note: &Path, now: DateTime<Utc>) -> io::Result<PathBuf> {
    let mut taken = None;
    for number in 1..=MAX_TRIES {
        let kept = kept_path(note, now, number);
        match files::move_to_new(from, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(taken.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
}

/// `<name> (edited 2026-08-18 10.22.03).md`; a second version in one second gets a number.
fn kept_path(note: &Path, now: DateTime<Utc>, number: usize) -> PathBuf {
    let stem = note.file_stem().unwrap_or_default().to_string_lossy();
    let when = now.format("%Y-%m-%d %H.%M.%S");
    let number = if number > 1 { format!(" {number}") } else { String::new() };
    let ending = note.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    note.with_file_name(format!("{stem} (edited {when}{number}){ending}"))
}

/// Whether a file of this name goes with a note, so that no note may have it.
pub(super) fn is_reserved(name: &str) -> bool {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let is_reply = stem.rsplit_once('.').is_some_and(|(_, ending)| ending == "reply");
    is_part(name) || is_reply || (stem.contains(" (edited ") && stem.ends_with(')'))
}

/// Whether this is the name of a part.
pub(super) fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".md"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sample::at;

    #[test]
    fn a_note_is_kept_with_its_parts_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("A b.md");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        for text in ["one", "two"] {
            fs::write(&note, text).unwrap();
            fs::create_dir(folder.path().join("A b")).unwrap();
            fs::write(folder.path().join("A b/part-001.md"), text).unwrap();
            assert!(keep_aside(&note, at("10:22:03")).unwrap().is_some());
            assert!(!note.exists() && !folder.path().join("A b").exists());
        }
        assert_eq!(read("A b (edited 2026-08-18 10.22.03).md"), "one");
        assert_eq!(read("A b (edited 2026-08-18 10.22.03 2).md"), "two");
        assert_eq!(read("A b (edited 2026-08-18 10.22.03)/part-001.md"), "one");
        assert_eq!(read("A b (edited 2026-08-18 10.22.03 2)/part-001.md"), "two");
    }

    #[test]
    fn a_note_is_removed_with_what_goes_with_it_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::create_dir(place("talk")).unwrap();
        for name in ["talk.md", "talk/part-001.md", "talk (edited x).md", "talk/mine.md"] {
            fs::write(place(name), "x").unwrap();
        }
        let reply = "---\nreply: r1.abc.0.none.\n---\n";
        for kept in ["mine", &format!("{reply}half a thought\n")] {
            fs::write(place("talk.reply.md"), kept).unwrap();
            fs::write(place("talk.md"), "x").unwrap();
            remove(&place("talk.md")).unwrap();
            assert_eq!(fs::read_to_string(place("talk.reply.md")).unwrap(), kept);
        }
        fs::write(place("talk.reply.md"), reply).unwrap();
        remove(&place("talk.md")).unwrap();
        let left = |name: &str| place(name).exists();
        assert!(!left("talk.md") && !left("talk.reply.md") && !left("talk/part-001.md"));
        assert!(left("talk (edited x).md") && left("talk/mine.md"));
        fs::remove_file(place("talk/mine.md")).unwrap();
        remove(&place("talk.md")).unwrap();
        assert!(!left("talk"));
    }

    #[test]
    fn what_is_not_there_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("x")).unwrap();
        assert_eq!(keep_aside(&folder.path().join("x.md"), at("10:22:03")).unwrap(), None);
        assert!(folder.path().join("x").exists(), "a folder without parts is somebody else's");
    }
}
