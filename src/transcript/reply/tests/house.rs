//! A desk over a real folder, and hands that save files in the way of different programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::super::{Pace, ReplyAnswer, ReplyDesk, ReplyEvent, ReplyHead, ReplyPlace};
use crate::transcript::sample::at;

/// Nothing takes so long, unless it never comes.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct House {
    pub(super) folder: tempfile::TempDir,
    pub(super) desk: ReplyDesk,
    events: mpsc::UnboundedReceiver<ReplyEvent>,
}

fn pace() -> Pace {
    let ms = Duration::from_millis;
    Pace { settle: ms(20), again: ms(30), poll: ms(50), retry: ms(100), linger: ms(300) }
}

fn desk() -> (ReplyDesk, mpsc::UnboundedReceiver<ReplyEvent>) {
    let (events, told) = mpsc::unbounded_channel();
    (ReplyDesk::new(pace(), Arc::new(|| at("10:22:03")), events), told)
}

impl House {
    pub(super) fn new() -> Self {
        let (desk, events) = desk();
        Self { folder: tempfile::tempdir().expect("a folder"), desk, events }
    }

    /// A house on a system that does not tell of changes.
    pub(super) fn deaf() -> Self {
        let (events, told) = mpsc::unbounded_channel();
        let desk = ReplyDesk::deaf(pace(), Arc::new(|| at("10:22:03")), events);
        Self { folder: tempfile::tempdir().expect("a folder"), desk, events: told }
    }

    /// A house with a note that shows this.
    pub(super) async fn with(head: ReplyHead) -> Self {
        let house = Self::new();
        assert!(house.desk.shown(house.place(), head).await);
        house
    }

    /// Another hub takes over.
    pub(super) async fn restart(&mut self) {
        self.desk.close().await;
        (self.desk, self.events) = desk();
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there")
    }

    pub(super) fn place(&self) -> ReplyPlace {
        ReplyPlace { key: "room/abc".into(), transcript: self.root().join("design.md") }
    }

    pub(super) fn note(&self) -> PathBuf {
        self.root().join("design.reply.md")
    }

    pub(super) fn text(&self) -> String {
        fs::read_to_string(self.note()).expect("a note")
    }

    /// The note with a part replaced by what a person makes of it.
    pub(super) fn edited(&self, part: &str, by: &str) -> String {
        let text = self.text();
        assert!(text.contains(part), "{text}");
        text.replace(part, by)
    }

    /// The files beside the note that somebody kept.
    pub(super) fn kept(&self) -> Vec<String> {
        let files = fs::read_dir(self.root()).expect("a folder").flatten();
        let kept = files.filter(|file| file.file_name().to_string_lossy().contains("(edited"));
        kept.map(|file| fs::read_to_string(file.path()).expect("text")).collect()
    }

    pub(super) async fn event(&mut self) -> ReplyEvent {
        let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
        event.expect("an event comes").expect("the desk lives")
    }

    pub(super) async fn answer(&mut self) -> ReplyAnswer {
        match self.event().await {
            ReplyEvent::Answered(answer) => answer,
            other => panic!("no answer, but {other:?}"),
        }
    }

    pub(super) fn has_no_event(&mut self) -> bool {
        self.events.try_recv().is_err()
    }

    /// Waits until the text of the note is as wished.
    pub(super) async fn until(&self, is_so: impl Fn(&str) -> bool) -> String {
        let look = async {
            loop {
                if let Some(text) = fs::read_to_string(self.note()).ok().filter(|text| is_so(text)) {
                    return text;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let found = tokio::time::timeout(PATIENCE, look).await;
        found.unwrap_or_else(|_| panic!("it stays {}", self.text()))
    }
}

/// As Obsidian saves: into the same file.
pub(super) fn save_in_place(path: &Path, text: &str) {
    fs::write(path, text).expect("saved");
}

/// As vim saves: the old file becomes a backup, the new one is written, the backup goes.
pub(super) fn save_with_backup(path: &Path, text: &str) {
    let backup = path.with_extension("md~");
    fs::rename(path, &backup).expect("backed up");
    fs::write(path, text).expect("saved");
    fs::remove_file(backup).expect("removed");
}

/// As a sync tool saves: beside it, with the time of the other device, then over it.
pub(super) fn save_by_rename(path: &Path, text: &str) {
    let beside = path.with_file_name(".syncthing.design.reply.md.tmp");
    fs::write(&beside, text).expect("saved");
    let file = fs::File::options().write(true).open(&beside).expect("open");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    file.set_modified(long_ago).expect("dated");
    fs::rename(beside, path).expect("renamed");
}

/// As another sync tool saves: the old file goes, then a new one comes.
pub(super) fn save_anew(path: &Path, text: &str) {
    fs::remove_file(path).expect("removed");
    fs::write(path, text).expect("saved");
}
