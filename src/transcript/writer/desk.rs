//! The blocking half of a writer: renders entries, and puts the note and its parts on disk.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::Settings;
use crate::transcript::aside;
use crate::transcript::book::Book;
use crate::transcript::disk::{self, Before, Found, Known};
use crate::transcript::held::{self, Held, Old};
use crate::transcript::keeper::Keeper;
use crate::transcript::proof;
use crate::transcript::render::{self, Key, Page};
use crate::transcript::reply;
use crate::transcript::view::{Entry, Head};

pub(super) struct Desk {
    path: PathBuf,
    /// The file name without its ending.
    name: String,
    settings: Settings,
    key: Key,
    book: Book,
    /// Parts that are not on disk yet. While there are any, no more entries are taken, and the note is not
    /// written, because it would be without them.
    pending: VecDeque<(PathBuf, Page)>,
    /// The newest entry of the log when the writer began.
    logged: u64,
    /// The note as we left it.
    known: Option<Known>,
    keeper: Keeper,
    /// Versions of somebody else under hidden names, with the files in whose place they were.
    unkept: Vec<(PathBuf, PathBuf)>,
    /// Versions that were replaced a moment ago.
    held: Held,
    /// New files that hold what somebody typed.
    kept: Vec<PathBuf>,
    has_swept: bool,
    writes: u64,
}

/// How an attempt to write the note ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// The note is up to date.
    UpToDate,
    /// Parts have gone: everything must be read again.
    PartsAreGone,
}

impl Desk {
    /// A desk that knows nothing. `logged` is the number of the newest entry of the log; a note of ours cannot hold
    /// more.
    pub(super) fn new(path: PathBuf, settings: Settings, head: &Head, logged: u64) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            path,
            name,
            settings,
            key: Key::of(head),
            book: Book::new(settings.limits),
            pending: VecDeque::new(),
            logged,
            known: None,
            keeper: Keeper::default(),
            unkept: Vec::new(),
            held: Held::default(),
            kept: Vec::new(),
            has_swept: false,
            writes: 0,
        }
    }

    /// Number of the newest entry taken.
    pub(super) fn last_seq(&self) -> u64 {
        self.book.last_seq()
    }

    pub(super) fn writes(&self) -> u64 {
        self.writes
    }

    /// The new files since the last call that hold what somebody typed.
    pub(super) fn take_kept(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.kept)
    }

    /// Forgets all entries; the next ones are those from number 1 on.
    pub(super) fn forget(&mut self) {
        self.book = Book::new(self.settings.limits);
        self.pending.clear();
    }

    /// Takes the next entries; those that are here already are skipped. Parts that become full are written, and the
    /// note, if no entry is missing by then. On an error the entries after such a part are not taken.
    pub(super) fn take(
        &mut self,
        entries: &[Entry],
        head: &Head,
        now: DateTime<Utc>,
    ) -> io::Result<Option<Done>> {
        self.start(now)?;
        self.flush(now)?;
        for entry in entries {
            if entry.seq() <= self.book.last_seq() {
                continue;
            }
            let chunk = render::entry(entry, head, self.settings.links);
            if let Some(moved) = self.book.push(chunk) {
                let spans = self.book.spans();
                let page = render::part(head, &self.name, spans, moved.iter());
                self.pending.push_back((self.part_path(spans.len()), page));
                self.flush(now)?;
            }
        }
        if self.book.last_seq() < head.last_seq { Ok(None) } else { self.write_note(head, now).map(Some) }
    }

    /// Brings the note up to date with the entries taken.
    fn write_note(&mut self, head: &Head, now: DateTime<Utc>) -> io::Result<Done> {
        if self.known.is_none() && proof::is_ahead(&self.path, &self.key, self.logged) {
            // The log has lost its end; what the files hold beyond it is the last that is left of that.
            self.kept.extend(aside::keep_aside(&self.path, now)?);
        }
        let parts = self.book.spans().len();
        if parts > 0 && !self.part_path(parts).exists() {
            return Ok(Done::PartsAreGone);
        }
        let reply = reply::file_beside(&self.path);
        let (spans, chunks) = (self.book.spans(), self.book.chunks());
        let page = render::note(head, &self.name, reply.as_deref(), spans, chunks);
        if !is_same(&self.path, &page) {
            let path = self.path.clone();
            self.known = Some(self.put(&path, &page, now)?);
            self.keeper.wrote(&page.text, now);
            self.writes += 1;
        }
        Ok(Done::UpToDate)
    }

    /// Keeps what is not ours.
    fn keep_foreign(&mut self, now: DateTime<Utc>) -> io::Result<()> {
        while let Some((hidden, path)) = self.unkept.last().cloned() {
            let held = Old::open(&hidden, &path);
            let kept = if path == self.path {
                self.keeper.keep(&hidden, &path, now)?
            } else {
                Some(aside::move_aside(&hidden, &path, now)?)
            };
            if kept.is_none() {
                self.held.hold(held);
            }
            self.kept.extend(kept);
            self.unkept.pop();
        }
        Ok(())
    }

    /// Makes the folder; at the first time also takes what a crash has left.
    fn start(&mut self, now: DateTime<Utc>) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            disk::make_folder(folder)?;
            if !self.has_swept {
                let note = self.path.file_name().unwrap_or_default();
                self.unkept.extend(disk::sweep(folder, &self.key, |file| note == file));
                let parts = aside::parts_folder(&self.path);
                if disk::is_in_place(&parts) {
                    self.unkept.extend(disk::sweep(&parts, &self.key, aside::is_part));
                }
                self.has_swept = true;
            }
        }
        self.keep_foreign(now)
    }

    fn flush(&mut self, now: DateTime<Utc>) -> io::Result<()> {
        while let Some((path, page)) = self.pending.front().cloned() {
            let is_there =
                matches!(disk::look(&path, &self.key, None)?, Found::Ours(stamp) if stamp == page.stamp);
            if !is_there {
                disk::make_folder(&aside::parts_folder(&self.path))?;
                self.put(&path, &page, now)?;
            }
            self.pending.pop_front();
        }
        Ok(())
    }

    fn put(&mut self, path: &Path, page: &Page, now: DateTime<Utc>) -> io::Result<Known> {
        let last = self.known.as_ref().filter(|_| path == self.path);
        let (known, before) = disk::prepare(path, page)?.install(&self.key, last)?;
        match before {
            Before::Nothing => {}
            Before::Ours(held) => self.held.hold(held),
            Before::Foreign(hidden) => self.unkept.push((hidden, path.to_owned())),
        }
        self.keep_foreign(now)?;
        self.let_go(held::MOST, now)?;
        Ok(known)
    }

    /// Whether versions that were replaced are still held.
    pub(super) fn holds_old(&self) -> bool {
        !self.held.is_empty()
    }

    /// Lets go of all but `most` versions that were replaced, and keeps what came into them late.
    pub(super) fn let_go(&mut self, most: usize, now: DateTime<Utc>) -> io::Result<()> {
        while let Some(old) = self.held.oldest_beyond(most) {
            let path = old.path().to_owned();
            let late = old.late_text()?.filter(|text| !text.is_empty() && !self.key.is_own(text));
            if let Some(text) = late {
                self.unkept.push((disk::give_back(&text, &path)?, path));
            }
            self.held.let_go();
        }
        self.keep_foreign(now)
    }

    fn part_path(&self, number: usize) -> PathBuf {
        aside::parts_folder(&self.path).join(render::part_file(number))
    }
}

/// Whether the file holds these very bytes.
fn is_same(path: &Path, page: &Page) -> bool {
    let is_as_long = fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_file() && usize::try_from(found.len()) == Ok(page.text.len()));
    is_as_long && fs::read(path).is_ok_and(|bytes| bytes == page.text.as_bytes())
}
