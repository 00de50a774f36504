//! The transcript of one room: what the room is, in the words of the note, and the writer that follows it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use tokio::sync::mpsc;

use super::codec;
use super::error::HubError;
use super::ledger::Ledger;
use super::live::LiveRoom;
use super::shared::Shared;
use super::story;
use crate::room::event::Noted;
use crate::room::{Command, Event, Room};
use crate::transcript::{
    ClaimError, Entry, History, HistoryError, Scribe, ScribeEvent, Settings, Start, Unwritable, claim,
    keep_aside,
};

/// A note that cannot be written holds no call for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who is woken by a message may look for it in the note at once; but a slow disk makes nobody late by more than this.
const GLANCE: Duration = Duration::from_millis(100);

/// The transcript of one room.
#[derive(Default)]
pub(super) struct Note {
    /// `None` while the room rests.
    scribe: Mutex<Option<Scribe>>,
    /// Whether it was compared with the log: by this hub, or by the one before, which left a brief of the room.
    is_compared: AtomicBool,
}

impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Note").field("is_started", &self.scribe().is_some()).finish()
    }
}

impl Note {
    /// Starts the writer, once the room has been made.
    pub(super) fn start(&self, shared: &Arc<Shared>, live: &Arc<LiveRoom>, room: &Room, ledger: &Ledger) {
        if room.id().is_empty() {
            return;
        }
        self.scribe().get_or_insert_with(|| {
            let (events, told) = mpsc::unbounded_channel();
            shared.tasks.spawn(tell(Arc::downgrade(shared), Arc::downgrade(live), told));
            let clock = shared.clock;
            Scribe::start(Start {
                path: live.path.clone(),
                settings: Settings::default(),
                head: story::head(room, ledger),
                history: Arc::new(Log { shared: Arc::downgrade(shared), live: Arc::downgrade(live) }),
                now: Arc::new(move || clock.now().wall),
                events,
            })
        });
    }

    /// A writer of this hub compares it with the log, or the hub before has done so.
    pub(super) fn compared(&self) {
        self.is_compared.store(true, Ordering::Release);
    }

    /// Whether the note is known to hold all that is in the log.
    pub(super) fn is_whole(&self) -> bool {
        self.is_compared.load(Ordering::Acquire) && self.is_settled()
    }

    /// Whether the note is up to date and can be written.
    pub(super) fn is_settled(&self) -> bool {
        self.scribe().as_ref().is_none_or(Scribe::is_settled)
    }

    /// Ends the writer. What it has not written is written when it starts again.
    pub(super) fn end(&self) {
        self.scribe().take();
    }

    /// Tells the writer what is new. Never waits. What a participant said is written at once: its sender waits for
    /// that, and who reads it may look into the note, although the sender has given up.
    pub(super) fn update(&self, room: &Room, ledger: &Ledger, said: &[&Event]) {
        if let Some(scribe) = &*self.scribe() {
            let entries = said.iter().filter_map(|event| story::entry(event, room)).collect();
            scribe.update(story::head(room, ledger), entries);
            let post = said.iter().rev().find(|event| matches!(event, Event::Posted(_)));
            if let Some(seq) = post.and_then(|event| event.seq()) {
                scribe.hurry(seq);
            }
        }
    }

    /// Whether participants have said what the note does not hold yet.
    pub(super) fn is_behind(&self) -> bool {
        self.missing().is_some()
    }

    /// Returns when the note holds all that participants have said, or cannot be written now, or after a short time.
    pub(super) async fn glance(&self) {
        if let Some(seq) = self.missing() {
            // It need not be there: who is woken has the message itself.
            let _ = tokio::time::timeout(GLANCE, self.holds(seq)).await;
        }
    }

    /// Returns when the note holds message `seq`, or cannot be written now, or is late.
    pub(super) async fn written(&self, seq: u64) {
        match tokio::time::timeout(PATIENCE, self.holds(seq)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the note does not hold the message yet"),
            Err(_) => tracing::warn!(seq, "the note is late"),
        }
    }

    fn missing(&self) -> Option<u64> {
        self.scribe().as_ref().and_then(Scribe::missing)
    }

    async fn holds(&self, seq: u64) -> Result<(), Unwritable> {
        let scribe = self.scribe().clone();
        match scribe {
            Some(scribe) => scribe.written(seq).await,
            None => Ok(()),
        }
    }

    /// Why the note cannot be written now, in words.
    pub(super) fn warning(&self) -> Option<String> {
        self.scribe().as_ref().and_then(Scribe::warning)
    }

    /// Writes what is left, and ends the writer.
    pub(super) async fn close(&self) {
        let scribe = self.scribe().clone();
        if let Some(scribe) = scribe {
            scribe.close().await;
        }
    }

    fn scribe(&self) -> MutexGuard<'_, Option<Scribe>> {
        self.scribe.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What becomes of a file that lies where a new note shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    /// It stays, and the note cannot be there.
    IsInTheWay,
    /// It is moved to a name beside it.
    IsKeptAside,
}

/// Finds out whether a new note can be written at a place. Makes its folder, and changes nothing else.
pub(super) async fn check(path: &Path, existing: Existing) -> Result<(), HubError> {
    let place = path.to_owned();
    let claimed = run(path, move || claim(&place)).await?;
    match claimed {
        Ok(()) => Ok(()),
        Err(ClaimError::FileExists(_)) if existing == Existing::IsKeptAside => Ok(()),
        Err(ClaimError::FileExists(path)) => Err(HubError::FileExists(path)),
        Err(ClaimError::Unwritable { path, source }) => Err(unwritable(&path, &source)),
    }
}

/// Moves what lies at a place aside.
pub(super) async fn make_place(path: &Path, existing: Existing, now: DateTime<Utc>) -> Result<(), HubError> {
    if existing == Existing::IsInTheWay {
        return Ok(());
    }
    let place = path.to_owned();
    let kept = run(path, move || keep_aside(&place, now)).await?;
    kept.map(|_| ()).map_err(|source| unwritable(path, &source))
}

async fn run<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, HubError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, problem: &dyn std::fmt::Display) -> HubError {
    HubError::TranscriptUnwritable { path: path.to_owned(), problem: problem.to_string() }
}

/// Makes notices of what happens to the file, for as long as its writer lives.
async fn tell(shared: Weak<Shared>, live: Weak<LiveRoom>, mut told: mpsc::UnboundedReceiver<ScribeEvent>) {
    while let Some(event) = told.recv().await {
        let (Some(shared), Some(live)) = (shared.upgrade(), live.upgrade()) else { return };
        match event {
            ScribeEvent::Kept(path) => {
                let what = Noted::NoteKept(name(&path));
                let noted = async { live.lock(&shared).await?.execute(Command::Note(what)).await };
                if let Err(error) = noted.await {
                    tracing::warn!(room = %live.id, %error, "a notice could not be stored");
                }
            }
            ScribeEvent::Unwritable(problem) => {
                tracing::warn!(room = %live.id, %problem, "the note is not written");
                live.stir.stir();
            }
            ScribeEvent::Writable => {
                tracing::info!(room = %live.id, "the note is written again");
                live.stir.stir();
            }
        }
    }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The log, as the writer reads it when it has to write the note anew.
struct Log {
    shared: Weak<Shared>,
    live: Weak<LiveRoom>,
}

#[async_trait]
impl History for Log {
    async fn page(&self, after: u64, limit: usize) -> Result<Vec<Entry>, HistoryError> {
        let (Some(shared), Some(live)) = (self.shared.upgrade(), self.live.upgrade()) else {
            return Ok(Vec::new());
        };
        let failed = |error: HubError| HistoryError(Box::new(error));
        let before = live.lock(&shared).await.map_err(failed)?.inside.ledger.version_before(after + 1);
        let Some(before) = before else { return Ok(Vec::new()) };
        let page = shared.journal.read(&live.stream, before, limit).await;
        let events = page.and_then(|page| codec::decode(&live.stream, &page));
        let events = events.map_err(|error| failed(HubError::unread(&live.id, error)))?;
        // The disk may be slow: nobody waits for it who wants to speak.
        let room = live.lock(&shared).await.map_err(failed)?;
        Ok(events.iter().filter_map(|(event, _)| story::entry(event, room.room())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Language;
    use crate::transcript::sample;

    /// A log that nobody can read to its end.
    struct Stuck;

    #[async_trait]
    impl History for Stuck {
        async fn page(&self, _after: u64, _limit: usize) -> Result<Vec<Entry>, HistoryError> {
            std::future::pending().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_note_that_is_late_makes_nobody_late_for_long() {
        let folder = tempfile::tempdir().unwrap();
        let (events, _told) = mpsc::unbounded_channel();
        let head = sample::head(Language::En);
        let last = head.last_seq;
        let scribe = Scribe::start(Start {
            path: folder.path().join("talk.md"),
            settings: Settings::default(),
            head,
            history: Arc::new(Stuck),
            now: Arc::new(|| sample::at("10:22:00")),
            events,
        });
        let note = Note { scribe: Mutex::new(Some(scribe.clone())), ..Note::default() };
        let begun = tokio::time::Instant::now();
        note.glance().await;
        assert!(begun.elapsed().is_zero() && !note.is_behind(), "nobody has said anything");
        scribe.hurry(last);
        note.glance().await;
        assert!(begun.elapsed() <= 2 * GLANCE && note.is_behind(), "{:?}", begun.elapsed());
    }
}
