//! Saves what can be read of a damaged journal into a new one, and keeps the old file.
//!
//! Each stream is copied up to its first damaged event: what stands behind a gap cannot be understood without what
//! was in it. Where each event stands for itself, only the damaged ones are left out.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::writer::Append;
use super::{OpenError, rows, schema};
use crate::journal::{Cause, JournalError, LOST, NewEvent, Recorded, StreamId, Version};

/// Events copied at a time.
const PAGE: usize = 1_000;
/// Damaged events in a row that are left out; a page of the disk holds fewer.
const MOST_GAPS: u64 = 1_000;
/// The new file, until it takes the place of the old one.
const NEW: &str = ".new";
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What became of a journal.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// Where the old file is now.
    pub kept: PathBuf,
    /// How many events the new one has.
    pub events: u64,
    /// Streams that have lost events.
    pub cut: Vec<Cut>,
}

/// A stream that has lost its end.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Which one.
    pub stream: StreamId,
    /// Its last event now.
    pub last: Version,
    /// What is wrong with the event behind it.
    pub detail: String,
}

/// Why nothing was repaired. The journal is as it was.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RepairError {
    /// Nothing of it can be read.
    #[error("nothing of `{path}` can be read; put back a copy of it, or move it away to begin anew")]
    Hopeless {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: Cause,
    },
    /// The new one cannot be made.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The new one cannot be written, or not put in place.
    #[error("the new journal `{path}` cannot be written; see that its disk has space")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: Cause,
    },
}

/// Repairs the journal in `path`; the old file gets the name `kept`, which nothing has yet. `is_loose` names the
/// streams whose events stand each for itself: an event of [`LOST`] takes the place of each damaged one. Call it only
/// while no hub runs.
pub fn repair(path: &Path, kept: &Path, is_loose: fn(&StreamId) -> bool) -> Result<Repaired, RepairError> {
    let hopeless = |error| RepairError::Hopeless { path: path.to_owned(), source: super::cause(error) };
    let new = schema::with_ending(path, NEW);
    let unwritable = |source| RepairError::Unwritable { path: new.clone(), source };
    let old = schema::open_what_is_left(path).map_err(hopeless)?;
    let streams = rows::streams(&old).map_err(hopeless)?;
    remove_all(&new).map_err(|error| unwritable(super::cause(error)))?;
    let (events, cut) = copy(&old, &streams, &new, is_loose)?;
    drop(old);
    put_in_place(path, &new, kept).map_err(|error| unwritable(super::cause(error)))?;
    Ok(Repaired { kept: kept.to_owned(), events, cut })
}

fn copy(
    old: &Connection,
    streams: &[StreamId],
    new: &Path,
    is_loose: fn(&StreamId) -> bool,
) -> Result<(u64, Vec<Cut>), RepairError> {
    let mut to = schema::open(new)?;
    let unwritable = |error| RepairError::Unwritable { path: new.to_owned(), source: super::cause(error) };
    let transaction = to.transaction().map_err(unwritable)?;
    let (mut events, mut cut) = (0, Vec::new());
    for stream in streams {
        let most = if is_loose(stream) { MOST_GAPS } else { 0 };
        let copied = copy_stream(old, stream, &transaction, most).map_err(unwritable)?;
        events += copied.last.0;
        cut.extend(copied.damage.map(|detail| Cut { stream: stream.clone(), last: copied.last, detail }));
    }
    transaction.commit().map_err(unwritable)?;
    to.close().map_err(|(_, error)| unwritable(error))?;
    Ok((events, cut))
}

struct Copied {
    last: Version,
    /// What was wrong first.
    damage: Option<String>,
}

/// Copies a stream, and leaves `most_gaps` damaged events out, if something follows.
fn copy_stream(
    old: &Connection,
    stream: &StreamId,
    to: &Connection,
    most_gaps: u64,
) -> rusqlite::Result<Copied> {
    let (mut copied, mut gap) = (Copied { last: Version::EMPTY, damage: None }, 0);
    loop {
        let (page, damage) = sound_part(old, stream, Version(copied.last.0 + gap));
        if page.is_empty() && damage.is_none() {
            return Ok(copied);
        }
        for recorded in &page {
            fill(to, stream, copied.last, recorded)?;
            (copied.last, gap) = (recorded.version, 0);
        }
        if let Some(detail) = damage {
            copied.damage.get_or_insert(detail);
            gap += 1;
            if gap > most_gaps {
                return Ok(copied);
            }
        }
    }
}

/// The next events that can be read, and what is wrong behind them.
fn sound_part(old: &Connection, stream: &StreamId, after: Version) -> (Vec<Recorded>, Option<String>) {
    match rows::read(old, stream, after, PAGE) {
        Ok(page) => (page, None),
        Err(JournalError::Damaged { version, detail, .. }) => {
            let sound = usize::try_from(version.0.saturating_sub(after.0 + 1)).unwrap_or(0);
            (rows::read(old, stream, after, sound).unwrap_or_default(), Some(detail))
        }
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}

/// Appends an event, and before it one of [`LOST`] for each number that is missing.
fn fill(to: &Connection, stream: &StreamId, last: Version, recorded: &Recorded) -> rusqlite::Result<()> {
    let lost = (last.0 + 1..recorded.version.0).map(|_| NewEvent::stored(LOST.to_owned(), b"null".to_vec()));
    let event = NewEvent::stored(recorded.kind.clone(), recorded.body.clone());
    let events: Vec<NewEvent> = lost.chain([event]).collect();
    // The stream grows one by one from nothing: there is no conflict.
    rows::append(to, &Append::new(stream.clone(), last, events, recorded.at)).map(drop)
}

/// The old file keeps its content under another name; then the new one gets its name. A log of the old one must
/// not lie beside the new one: SQLite would write it into that.
fn put_in_place(path: &Path, new: &Path, kept: &Path) -> io::Result<()> {
    fs::hard_link(path, kept).or_else(|_| fs::copy(path, kept).map(drop))?;
    for ending in BESIDE {
        match fs::rename(schema::with_ending(path, ending), schema::with_ending(kept, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(new, path)?;
    if cfg!(unix) {
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

fn remove_all(path: &Path) -> io::Result<()> {
    for name in
        [PathBuf::from(path)].into_iter().chain(BESIDE.map(|ending| schema::with_ending(path, ending)))
    {
        match fs::remove_file(name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
