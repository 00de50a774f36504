//! Versions of ours that were replaced a moment ago, held open for a while.
//!
//! A program that adds a line to the note opens the file first and writes then. When our next version takes the
//! name of the file in between, that line goes into a file without a name. So such a file is not let go at once:
//! what comes into it late is found and kept.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::MAX_COMPARED;

/// So many are held for one note; many writes in a row need no more files than this.
pub(super) const MOST: usize = 8;

/// The files that are held, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Held {
    files: VecDeque<Old>,
}

/// A file that has lost its name.
#[derive(Debug)]
pub(super) struct Old {
    file: File,
    /// The name it had.
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl Old {
    /// Opens `hidden`, which had the name `path`. Call it before its text is looked at, so that whatever comes
    /// later is seen. `None`: it cannot be held.
    pub(super) fn open(hidden: &Path, path: &Path) -> Option<Self> {
        // Opening anything but a file might wait for somebody.
        std::fs::symlink_metadata(hidden).ok().filter(std::fs::Metadata::is_file)?;
        let file = File::open(hidden).ok()?;
        let found = file.metadata().ok()?;
        Some(Self { path: path.to_owned(), length: found.len(), modified: found.modified().ok(), file })
    }

    /// The name it had.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it, if it was written to since it was opened.
    pub(super) fn late_text(&mut self) -> io::Result<Option<Vec<u8>>> {
        let found = self.file.metadata()?;
        let is_same = found.len() == self.length && found.modified().ok() == self.modified;
        if is_same || found.len() > MAX_COMPARED {
            return Ok(None);
        }
        let mut text = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut text)?;
        Ok(Some(text))
    }
}

impl Held {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn hold(&mut self, old: Option<Old>) {
        self.files.extend(old);
    }

    /// The oldest file, if more than `most` are held.
    pub(super) fn oldest_beyond(&mut self, most: usize) -> Option<&mut Old> {
        if self.files.len() > most { self.files.front_mut() } else { None }
    }

    /// Lets the oldest file go.
    pub(super) fn let_go(&mut self) {
        self.files.pop_front();
    }
}
