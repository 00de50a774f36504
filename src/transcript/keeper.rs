//! Keeps what people typed into a note, without filling the folder with versions.
//!
//! The first changed version is kept whole. Whatever is typed in the ten minutes after it joins the same file:
//! only lines that are neither ours nor there already. So nothing that a person typed is lost, and a plugin that
//! changes the note after each of our writes makes one file, not one each second.
//!
//! The same line may be typed twice. A version names the version of ours on which it is based, so two that are
//! based on different ones were typed one after the other, and each has lines of its own; two with the same base
//! are two saves of one text, of which only what was added is new.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};

use super::aside;
use super::disk::MAX_COMPARED;
use super::render::Stamp;

const WINDOW: TimeDelta = TimeDelta::minutes(10);

/// Keeps the versions of one note.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    window: Option<Window>,
}

/// How often each line stands in a text, by its hash.
type Lines = HashMap<u64, usize>;

/// The ten minutes after a version was kept.
#[derive(Debug)]
struct Window {
    file: PathBuf,
    since: DateTime<Utc>,
    /// Lines that we wrote: how often each stood in a version of ours at most.
    ours: Lines,
    /// Lines that are in `file`, by the version of ours on which they were typed.
    kept: HashMap<Option<Stamp>, Lines>,
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
        let kept = text.as_deref().map(|text| (Stamp::named_in(text), count(text)));
        let kept = kept.into_iter().collect();
        self.window = Some(Window { file: file.clone(), since: now, ours: Lines::new(), kept });
        Ok(Some(file))
    }

    /// Tells what we write, so that it is not taken for something typed.
    pub(super) fn wrote(&mut self, text: &str, now: DateTime<Utc>) {
        match &mut self.window {
            Some(window) if window.is_open(now) => raise(&mut window.ours, count(text)),
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
        let kept = self.kept.entry(Stamp::named_in(text)).or_default();
        let (mut found, mut typed) = (Lines::new(), Vec::new());
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let key = hash(line);
            let times = found.entry(key).or_default();
            *times += 1;
            let known = |lines: &Lines| lines.get(&key).copied().unwrap_or(0);
            if *times > known(&self.ours).max(known(kept)) {
                typed.push((key, *times, line));
            }
        }
        if typed.is_empty() {
            return Ok(());
        }
        let when = now.format("%Y-%m-%d %H:%M:%S UTC");
        let lines: Vec<&str> = typed.iter().map(|(_, _, line)| *line).collect();
        let mut file = fs::OpenOptions::new().append(true).open(&self.file)?;
        file.write_all(format!("\n\n{when}\n\n{}\n", lines.join("\n")).as_bytes())?;
        raise(kept, typed.into_iter().map(|(key, times, _)| (key, times)));
        Ok(())
    }
}

fn count(text: &str) -> Lines {
    let mut lines = Lines::new();
    for line in text.lines() {
        *lines.entry(hash(line)).or_default() += 1;
    }
    lines
}

/// Lets no count be lower than in `other`.
fn raise(lines: &mut Lines, other: impl IntoIterator<Item = (u64, usize)>) {
    for (line, times) in other {
        let known = lines.entry(line).or_default();
        *known = times.max(*known);
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

    /// A version of ours with this mark, and what was typed below it.
    fn based_on(stamp: &str, typed: &str) -> String {
        format!("---\nroom: x\nstamp: {}\n---\nours\n{typed}\n", stamp.repeat(16))
    }

    #[test]
    fn the_same_line_typed_twice_is_kept_twice() {
        let mut house = house();
        let name = house.keep(&based_on("a", "yes"), "10:22:03").unwrap();
        house.keeper.wrote(&based_on("b", ""), at("10:22:03"));
        assert_eq!(house.keep(&based_on("b", "yes"), "10:23:00"), None);
        house.keeper.wrote(&based_on("c", ""), at("10:23:00"));
        assert_eq!(house.keep(&based_on("c", "yes\nyes"), "10:24:00"), None);
        assert_eq!(house.read(&name).matches("yes").count(), 4);
    }

    #[test]
    fn a_text_that_is_saved_again_adds_only_what_is_new() {
        let mut house = house();
        let name = house.keep(&based_on("a", "yes"), "10:22:03").unwrap();
        house.keeper.wrote(&based_on("b", ""), at("10:22:03"));
        house.keep(&based_on("a", "yes"), "10:23:00");
        house.keep(&based_on("a", "yes\nno"), "10:23:01");
        house.keep(&based_on("a", "yes\nno\nyes"), "10:23:02");
        assert_eq!(
            (house.read(&name).matches("yes").count(), house.read(&name).matches("no\n").count()),
            (2, 1)
        );
    }

    #[test]
    fn a_line_that_reads_like_one_of_ours_is_kept() {
        let mut house = house();
        let name = house.keep(&based_on("a", "first"), "10:22:03").unwrap();
        house.keeper.wrote(&based_on("b", "> hello"), at("10:22:03"));
        house.keep(&based_on("b", "> hello\n> hello"), "10:23:00");
        assert_eq!(house.read(&name).matches("> hello").count(), 1);
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
