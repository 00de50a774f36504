//! The reply notes of all rooms: what they show, and what people answer in them.
//!
//! A note is looked after whether or not its room is in memory. A room is loaded when somebody has answered in its
//! note; what is said there goes the way of every other word.

mod answer;
mod gate;
mod guard;
mod show;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

pub(super) use show::{Shown, open, show};

use super::shared::Shared;
use crate::clock::Clock;
use crate::journal::StreamId;
use crate::room::Command;
use crate::room::event::Noted;
use crate::transcript::{ReplyDesk, ReplyEvent, ReplyHead, ReplyPace, ReplyPlace};

/// The reply notes of all rooms.
#[derive(Debug)]
pub(super) struct Replies {
    desk: ReplyDesk,
    /// Taken when the work begins.
    events: Mutex<Option<mpsc::UnboundedReceiver<ReplyEvent>>>,
    /// Rooms in which a note may have to show something else.
    changed: Mutex<BTreeSet<StreamId>>,
    has_changed: Arc<Notify>,
    /// Rooms whose place another has taken: they show nothing any more.
    left: Mutex<BTreeSet<StreamId>>,
}

impl Replies {
    pub(super) fn new(clock: Clock) -> Self {
        // Unbounded, because there are few: one event for each answer of a person, and for each kept file.
        let (events, told) = mpsc::unbounded_channel();
        Self {
            desk: ReplyDesk::new(ReplyPace::default(), Arc::new(move || clock.now().wall), events),
            events: Mutex::new(Some(told)),
            changed: Mutex::default(),
            has_changed: Arc::default(),
            left: Mutex::default(),
        }
    }

    /// Tells that the note of a room may have to show something else. Never waits.
    pub(super) fn room_changed(&self, stream: &StreamId) {
        if locked(&self.changed).insert(stream.clone()) {
            self.has_changed.notify_one();
        }
    }

    /// A room gives its place to another.
    pub(super) fn leave(&self, stream: &StreamId) {
        locked(&self.left).insert(stream.clone());
        self.desk.leave(stream.as_str());
    }

    /// Ends all work. What is not written yet is written after the next start.
    pub(super) async fn close(&self) {
        self.desk.close().await;
    }

    fn show(&self, stream: &StreamId, path: &Path, head: ReplyHead) {
        let left = locked(&self.left);
        if !left.contains(stream) {
            self.desk.show(place(stream, path), head);
        }
    }
}

/// Begins to look after the notes of all open rooms. What was answered in them while no hub ran is found.
pub(super) async fn start(shared: &Arc<Shared>) {
    let Some(events) = locked(&shared.replies.events).take() else { return };
    for entry in shared.registry.lock().await.all().filter(|entry| entry.is_open) {
        shared.replies.desk.watch(place(&entry.stream, &entry.path));
    }
    shared.tasks.spawn(run(Arc::downgrade(shared), shared.stop.clone(), events));
}

/// Works until the hub stops, or is gone.
async fn run(shared: Weak<Shared>, stop: CancellationToken, mut events: mpsc::UnboundedReceiver<ReplyEvent>) {
    loop {
        let Some(hub) = shared.upgrade() else { return };
        let changed = std::mem::take(&mut *locked(&hub.replies.changed));
        for stream in changed {
            let shared = Arc::clone(&hub);
            hub.tasks.spawn(async move { show(&shared, &stream).await });
        }
        let has_changed = Arc::clone(&hub.replies.has_changed);
        drop(hub);
        tokio::select! {
            () = stop.cancelled() => return,
            () = has_changed.notified() => {}
            event = events.recv() => match (event, shared.upgrade()) {
                (Some(event), Some(hub)) => {
                    let shared = Arc::clone(&hub);
                    hub.tasks.spawn(async move { take(&shared, event).await });
                }
                _ => return,
            },
        }
    }
}

async fn take(shared: &Arc<Shared>, event: ReplyEvent) {
    match event {
        ReplyEvent::Answered(answered) => answer::answer(shared, &answered).await,
        ReplyEvent::Kept { key, file } => note(shared, &key, Noted::NoteKept(name(&file))).await,
        ReplyEvent::InTheWay { file, .. } => {
            tracing::warn!(file = %file.display(), "a file of somebody else has the name of a reply note");
        }
    }
}

/// Makes a notice in a room.
async fn note(shared: &Arc<Shared>, key: &str, what: Noted) {
    let noted = async {
        let Some(entry) = shared.entry_of(key).await else { return Ok(()) };
        let live = shared.live(&entry).await?;
        live.lock(shared).await?.execute(Command::Note(what)).await.map(drop)
    };
    if let Err(error) = noted.await {
        tracing::warn!(%error, "a notice could not be stored");
    }
}

fn place(stream: &StreamId, path: &Path) -> ReplyPlace {
    ReplyPlace { key: stream.to_string(), transcript: path.to_owned() }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The lock is held for a few moves of values, which cannot fail half-way.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
