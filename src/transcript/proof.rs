//! Whether the files of a note are what its log says: looked at, and not changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::aside;
use super::book::Book;
use super::disk::{self, Found};
use super::render::{self, Key};
use super::reply;
use super::view::{Entry, Head};
use super::writer::Settings;

/// How the files of a note stand to its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteState {
    /// They say what the log says.
    UpToDate,
    /// The note, or a part of it, is not there.
    Missing,
    /// Somebody changed the note, or a part of it.
    Edited,
    /// They are an earlier version of ours.
    Behind,
    /// They are ours, and hold messages that the log lacks.
    Ahead {
        /// The number of the newest message in the note.
        note: u64,
        /// The number of the newest entry of the log.
        log: u64,
    },
}

/// Compares the files of a note with the entries of its log, which are given one after the other.
#[derive(Debug)]
pub struct Proof {
    path: PathBuf,
    name: String,
    settings: Settings,
    head: Head,
    key: Key,
    book: Book,
    /// What is wrong with a part.
    parts: Option<NoteState>,
}

impl Proof {
    /// Over the note at `path`; `head` is the room as it is now.
    #[must_use]
    pub fn new(path: &Path, settings: Settings, head: Head) -> Self {
        Self {
            path: path.to_owned(),
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            settings,
            key: Key::of(&head),
            head,
            book: Book::new(settings.limits),
            parts: None,
        }
    }

    /// Takes the next entries.
    ///
    /// # Errors
    /// If a part cannot be read.
    pub fn take(&mut self, entries: &[Entry]) -> io::Result<()> {
        for entry in entries {
            let chunk = render::entry(entry, &self.head, self.settings.links);
            if let Some(moved) = self.book.push(chunk) {
                let spans = self.book.spans();
                let page = render::part(&self.head, &self.name, spans, moved.iter());
                let part = aside::parts_folder(&self.path).join(render::part_file(spans.len()));
                let state = self.compare(&part, &page)?;
                if state != NoteState::UpToDate {
                    self.parts.get_or_insert(state);
                }
            }
        }
        Ok(())
    }

    /// How the files stand to all entries taken.
    ///
    /// # Errors
    /// If the note cannot be read.
    pub fn verdict(&self) -> io::Result<NoteState> {
        let reply = reply::file_beside(&self.path);
        let (spans, chunks) = (self.book.spans(), self.book.chunks());
        let page = render::note(&self.head, &self.name, reply.as_deref(), spans, chunks);
        let state = self.compare(&self.path, &page)?;
        Ok(match self.parts {
            Some(part) if state == NoteState::UpToDate => part,
            _ => state,
        })
    }

    fn compare(&self, path: &Path, page: &render::Page) -> io::Result<NoteState> {
        Ok(match disk::look(path, &self.key, None)? {
            Found::Nothing => NoteState::Missing,
            Found::Empty | Found::Foreign => NoteState::Edited,
            Found::Ours(stamp) if stamp == page.stamp => NoteState::UpToDate,
            Found::Ours(_) => match newest(&fs::read_to_string(path)?) {
                Some(note) if note > self.head.last_seq => NoteState::Ahead { note, log: self.head.last_seq },
                _ => NoteState::Behind,
            },
        })
    }
}

/// Whether a note is ours and holds messages beyond number `last_seq`.
pub(super) fn is_ahead(path: &Path, key: &Key, last_seq: u64) -> bool {
    let is_ours = matches!(disk::look(path, key, None), Ok(Found::Ours(_)));
    is_ours && fs::read_to_string(path).ok().and_then(|text| newest(&text)).is_some_and(|seq| seq > last_seq)
}

/// The number of the newest message in a file of ours: no participant can write such a line.
fn newest(text: &str) -> Option<u64> {
    let headings = text.lines().filter(|line| line.starts_with("### "));
    headings.filter_map(|line| line.rsplit_once(" · ")?.1.trim().parse().ok()).max()
}
