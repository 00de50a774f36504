//! Looks through a whole journal, and compares each transcript with its log: for `turnroom doctor`. Changes nothing.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::aggregate::{Aggregate, check_log, is_list};
use super::ledger::Ledger;
use super::registry::{Entry, Registry};
use super::tasks::check_starts;
use super::{codec, pages, rescue, story};
use crate::clock::Clock;
use crate::journal::{Journal, JournalError, StreamId, Version};
use crate::puzzle::Puzzle;
use crate::room::{Phase, Room};
use crate::task::Task;
pub use crate::transcript::NoteState;
use crate::transcript::{Proof, Settings};

/// What was found.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Entries of the list of rooms that cannot be read.
    pub damaged_entries: usize,
    /// Streams of rooms that are not over, and that the list has lost. A hub lists them again at its start, but for
    /// those that it cannot read.
    pub lost: Vec<StreamId>,
    /// Every room, by its id.
    pub rooms: Vec<RoomHealth>,
    /// How many tasks there are whose log is sound.
    pub sound_tasks: usize,
    /// The logs of tasks that are damaged, and where and how: also the list of them, and what was started for them.
    pub damaged_tasks: Vec<(StreamId, Version, String)>,
    /// How many puzzles there are whose log is sound.
    pub sound_puzzles: usize,
    /// The logs of puzzles that are damaged, and where and how: also the list of them.
    pub damaged_puzzles: Vec<(StreamId, Version, String)>,
}

/// How one room is.
#[derive(Clone, Debug)]
pub struct RoomHealth {
    /// Its id.
    pub room: String,
    /// Its stream in the journal.
    pub stream: StreamId,
    /// Its transcript.
    pub path: PathBuf,
    /// Whether it is over, so that nothing more is written in it.
    pub is_over: bool,
    /// How many of its events can be read.
    pub events: u64,
    /// How many of them are of kinds that this version does not know.
    pub unknown: u64,
    /// The first event that cannot be read, and why.
    pub damage: Option<(Version, String)>,
    /// How its transcript stands to it, or why that cannot be said. `None`: another room has its place by now, or
    /// the log cannot be read.
    pub note: Option<Result<NoteState, String>>,
}

/// Whether the events of a stream stand each for itself, so that a repair may leave out the damaged ones alone.
#[must_use]
pub fn is_loose(stream: &StreamId) -> bool {
    Registry::is_loose(stream) || is_list::<Task>(stream) || is_list::<Puzzle>(stream)
}

/// Looks through a journal.
///
/// # Errors
/// If it cannot be read at all. Damage is no error: it is what is looked for.
pub async fn survey(journal: &dyn Journal) -> Result<Survey, JournalError> {
    let mut registry = Registry::default();
    registry.catch_up(journal).await?;
    let damaged_entries = registry.damaged().len();
    let lost =
        if registry.is_incomplete() { rescue::lost_and_open(&registry, journal).await? } else { Vec::new() };
    let mut rooms = Vec::new();
    for entry in registry.all() {
        let has_place = registry.by_path(&entry.path).is_some_and(|other| other.stream == entry.stream);
        rooms.push(look_at(journal, entry, has_place).await?);
    }
    let (mut tasks, mut puzzles) = (Logs::default(), Logs::default());
    for stream in journal.streams().await? {
        if let Some(checked) = check_log::<Puzzle>(journal, &stream).await {
            puzzles.take(checked, stream, Puzzle::owns)?;
            continue;
        }
        let checked = match check_log::<Task>(journal, &stream).await {
            None => check_starts(journal, &stream).await,
            checked => checked,
        };
        if let Some(checked) = checked {
            tasks.take(checked, stream, Task::owns)?;
        }
    }
    let (sound_tasks, damaged_tasks) = (tasks.sound, tasks.damaged);
    let (sound_puzzles, damaged_puzzles) = (puzzles.sound, puzzles.damaged);
    Ok(Survey { damaged_entries, lost, rooms, sound_tasks, damaged_tasks, sound_puzzles, damaged_puzzles })
}

/// The logs of one kind.
#[derive(Default)]
struct Logs {
    sound: usize,
    damaged: Vec<(StreamId, Version, String)>,
}

impl Logs {
    fn take(
        &mut self,
        checked: Result<(), JournalError>,
        stream: StreamId,
        is_one: impl Fn(&StreamId) -> bool,
    ) -> Result<(), JournalError> {
        match checked {
            Ok(()) => self.sound += usize::from(is_one(&stream)),
            Err(JournalError::Damaged { version, detail, .. }) => {
                self.damaged.push((stream, version, detail));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

async fn look_at(journal: &dyn Journal, entry: &Entry, has_place: bool) -> Result<RoomHealth, JournalError> {
    let mut health = RoomHealth {
        room: entry.room.clone(),
        stream: entry.stream.clone(),
        path: entry.path.clone(),
        is_over: false,
        events: 0,
        unknown: 0,
        damage: None,
        note: None,
    };
    let (mut room, mut ledger) = (Room::default(), Ledger::default());
    let now = Clock::start().now().mono;
    let read = pages::read_on(journal, &entry.stream, Version::EMPTY, |page| {
        let events = codec::decode(&entry.stream, page)?;
        health.events += page.len() as u64;
        health.unknown += (page.len() - events.len()) as u64;
        for (event, version) in &events {
            room.apply(event, now);
            ledger.push(event, *version);
        }
        Ok(ControlFlow::Continue(()))
    });
    if let Err(error) = read.await {
        return damaged(health, error);
    }
    health.is_over = room.phase() == Phase::Closed;
    if has_place && !room.id().is_empty() {
        health.note = Some(compare(journal, &health.stream, &health.path, &room, &ledger).await);
    }
    Ok(health)
}

fn damaged(mut health: RoomHealth, error: JournalError) -> Result<RoomHealth, JournalError> {
    match error {
        JournalError::Damaged { version, detail, .. } => {
            health.events = version.0.saturating_sub(1);
            health.damage = Some((version, detail));
            Ok(health)
        }
        error @ JournalError::Unavailable { .. } => Err(error),
    }
}

/// Reads the log once more: entries are written by what the room is in the end.
async fn compare(
    journal: &dyn Journal,
    stream: &StreamId,
    path: &Path,
    room: &Room,
    ledger: &Ledger,
) -> Result<NoteState, String> {
    let mut proof = Proof::new(path, Settings::default(), story::head(room, ledger));
    let read = pages::read_on::<Box<dyn Error + Send + Sync>>(journal, stream, Version::EMPTY, |page| {
        let events = codec::decode(stream, page)?;
        // While a hub runs, the log grows: only what the room knows counts.
        let entries: Vec<_> = events
            .iter()
            .filter_map(|(event, _)| story::entry(event, room))
            .filter(|entry| entry.seq() <= room.last_seq())
            .collect();
        proof.take(&entries)?;
        Ok(ControlFlow::Continue(()))
    });
    read.await.map_err(|error| error.to_string())?;
    proof.verdict().map_err(|error| error.to_string())
}
