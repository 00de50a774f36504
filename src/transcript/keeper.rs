//! Keeps what people typed into a note, without filling the folder with versions.
//!
//! The first changed version is kept whole. Whatever is typed in the ten minutes after it joins the same file:
//! only lines that are neither ours nor there already. So nothing that a person typed is lost, and a plugin that
//! changes the note after each of our writes makes one file, not one each second.

use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};

use super::aside;
use super::disk::MAX_COMPARED;

const WINDOW: TimeDelta = TimeDelta::minutes(10);

/// Keeps the versions of one note.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    window: Option<Window>,
}

/// The ten minutes after a version was kept.
#[derive(Debug)]
struct Window {
    file: PathBuf,
    since: DateTime<Utc>,
    /// Hashes of the lines that are in `file` or ours.
    lines: HashSet<u64>,
}

impl Keeper {
    /// Keeps `hidden`, a version of `note`. Gives the path of the file that holds it, if that is a new one.
    pub(super) fn keep(
        &mut self,
        hidden: &Path,
        note: &Path,
        now: DateTime<Utc>,
    ) -> io::Result<Option<PathBuf>> {
        let text = read(hidden);
        let window = self.window.as_mut().filter(|window| window.is_open(now));
        // Into an empty file somebody may be about to write: it must stay the same file.
        if let (Some(window), Some(text)) = (window, text.as_ref().filter(|text| !text.is_empty())) {
            window.add(text, now)?;
            fs::remove_file(hidden)?;
            return Ok(None);
        }
        let file = aside::move_aside(hidden, note, now)?;
        let lines = text.as_deref().map_or_else(HashSet::new, |text| text.lines().map(hash).collect());
        self.window = Some(Window { file: file.clone(), since: now, lines });
        Ok(Some(file))
    }

    /// Tells what we write, so that it is not taken for something typed.
    pub(super) fn wrote(&mut self, text: &str, now: DateTime<Utc>) {
        match &mut self.window {
            Some(window) if window.is_open(now) => window.lines.extend(text.lines().map(hash)),
            window => *window = None,
        }
    }
}

impl Window {
    fn is_open(&self, now: DateTime<Utc>) -> bool {
        // The clock may have been set back.
        (now - self.since).abs() < WINDOW && self.file.is_file()
    }

    fn add(&mut self, text: &str, now: DateTime<Utc>) -> io::Result<()> {
        let typed: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !self.lines.contains(&hash(line)))
            .collect();
        if typed.is_empty() {
            return Ok(());
        }
        let when = now.format("%Y-%m-%d %H:%M:%S UTC");
        let mut file = fs::OpenOptions::new().append(true).open(&self.file)?;
        file.write_all(format!("\n\n{when}\n\n{}\n", typed.join("\n")).as_bytes())?;
        self.lines.extend(typed.into_iter().map(hash));
        Ok(())
    }
}

/// The text of a file that can be taken apart by lines.
fn read(path: &Path) -> Option<String> {
    let found = fs::symlink_metadata(path).ok()?;
    (found.is_file() && found.len() <= MAX_COMPARED).then(|| fs::read_to_string(path).ok()).flatten()
}

fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.trim().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sample::at;

    struct House {
        folder: tempfile::TempDir,
        keeper: Keeper,
    }

    impl House {
        fn keep(&mut self, text: &str, time: &str) -> Option<String> {
            let hidden = self.folder.path().join(".hidden");
            fs::write(&hidden, text).unwrap();
            let kept = self.keeper.keep(&hidden, &self.folder.path().join("note.md"), at(time)).unwrap();
            assert!(!hidden.exists());
            kept.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.folder.path().join(name)).unwrap()
        }
    }

    fn house() -> House {
        House { folder: tempfile::tempdir().unwrap(), keeper: Keeper::default() }
    }

    #[test]
    fn one_file_in_ten_minutes_holds_all_that_was_typed() {
        let mut house = house();
        let name = house.keep("ours 1\nfirst\n", "10:22:03").unwrap();
        assert_eq!(name, "note (edited 2026-08-18 10.22.03).md");
        house.keeper.wrote("ours 1\nours 2\n", at("10:23:00"));
        assert_eq!(house.keep("ours 1\nours 2\nsecond\nfirst\n", "10:24:00"), None);
        assert_eq!(house.keep("ours 2\nsecond\n", "10:25:00"), None);
        assert_eq!(house.read(&name), "ours 1\nfirst\n\n\n2026-08-18 10:24:00 UTC\n\nsecond\n");
        assert_eq!(house.keep("third", "10:32:03").unwrap(), "note (edited 2026-08-18 10.32.03).md");
    }

    #[test]
    fn a_kept_file_that_is_gone_is_made_anew() {
        let mut house = house();
        let name = house.keep("first", "10:22:03").unwrap();
        fs::remove_file(house.folder.path().join(&name)).unwrap();
        assert!(house.keep("second", "10:22:04").is_some());
    }

    #[test]
    fn what_is_no_text_is_kept_whole() {
        let mut house = house();
        house.keep("first", "10:22:03");
        let hidden = house.folder.path().join(".hidden");
        fs::write(&hidden, [0xff, 0xfe]).unwrap();
        let kept = house.keeper.keep(&hidden, &house.folder.path().join("note.md"), at("10:22:04")).unwrap();
        assert_eq!(fs::read(kept.unwrap()).unwrap(), [0xff, 0xfe]);
    }
}
