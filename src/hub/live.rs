//! One room in memory: the pure room, its ledger, who is at it, and the one way to change it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, MutexGuard, Notify, watch};

use super::bells::Bells;
use super::caller::Session;
use super::codec;
use super::desk::Desk;
use super::error::HubError;
use super::ledger::Ledger;
use super::note::Note;
use super::shared::Shared;
use super::silence::Silence;
use crate::clock::Clock;
use crate::journal::{AppendError, StreamId, Version};
use crate::room::event::CursorMove;
use crate::room::{Command, Event, Handle, Now, Presence, Room};

/// Events read from the journal at once.
const PAGE: usize = 1_000;
/// How often a decision is tried again when others append to the same room.
const TRIES: usize = 16;

/// One room in memory.
#[derive(Debug)]
pub(super) struct LiveRoom {
    pub stream: StreamId,
    pub id: String,
    pub path: PathBuf,
    pub bells: Arc<Bells>,
    pub note: Note,
    /// Changes with everything that happens; for subscriptions.
    pub changes: watch::Sender<u64>,
    /// The timekeeper has to look again.
    pub alarm: Arc<Notify>,
    inside: Mutex<Inside>,
    /// Something was appended, and its writer was gone before it could apply it.
    is_behind: AtomicBool,
}

/// What only the holder of the lock may touch.
#[derive(Debug, Default)]
pub(super) struct Inside {
    pub room: Room,
    pub ledger: Ledger,
    pub desks: BTreeMap<(Handle, Option<Session>), Desk>,
    /// Which session each handle belongs to; `None` when its owner is gone.
    pub owners: BTreeMap<Handle, Option<Session>>,
    version: Version,
    /// Since when nothing has happened.
    pub silence: Silence,
    /// The newest message when the room was loaded. Whatever the log had by then may have been given to anybody: a
    /// hub that died has not told how far.
    pub found: u64,
    /// Cursors that are applied, and journalled with the next append: losing one only gives messages again.
    moved: BTreeMap<Handle, CursorMove>,
}

/// A locked room.
pub(super) struct Locked<'a> {
    pub hub: &'a Shared,
    pub live: &'a LiveRoom,
    pub inside: MutexGuard<'a, Inside>,
}

/// Calls the timekeeper when a writer goes away before it could apply what it stored.
struct AlarmIfBehind<'a>(&'a LiveRoom);

impl Drop for AlarmIfBehind<'_> {
    fn drop(&mut self) {
        if self.0.is_behind.load(Ordering::Acquire) {
            self.0.alarm.notify_one();
        }
    }
}

impl LiveRoom {
    pub(super) fn new(stream: StreamId, id: String, path: PathBuf, clock: Clock) -> Self {
        let alarm = Arc::<Notify>::default();
        Self {
            stream,
            id,
            note: Note::default(),
            path,
            bells: Bells::new(clock, Arc::clone(&alarm)),
            changes: watch::Sender::new(0),
            alarm,
            inside: Mutex::default(),
            is_behind: AtomicBool::new(true),
        }
    }

    /// Locks the room; it knows all that is in its log by then.
    pub(super) async fn lock<'a>(&'a self, hub: &'a Shared) -> Result<Locked<'a>, HubError> {
        let inside = self.inside.lock().await;
        let mut locked = Locked { hub, live: self, inside };
        if self.is_behind.load(Ordering::Acquire) {
            locked.catch_up().await?;
        }
        Ok(locked)
    }
}

impl Locked<'_> {
    pub(super) fn room(&self) -> &Room {
        &self.inside.room
    }

    /// Decides a command, and makes it so. Gives what happened.
    pub(super) async fn execute(&mut self, command: Command) -> Result<Vec<Event>, HubError> {
        for _ in 0..TRIES {
            let now = self.hub.clock.now();
            let events = self.inside.room.decide(command.clone(), now)?;
            if self.commit(&events, now).await? {
                return Ok(events);
            }
        }
        Err(HubError::NotStored(AppendError::Conflict { actual: self.inside.version }))
    }

    /// Lets what is due happen.
    pub(super) async fn tick(&mut self) -> Result<(), HubError> {
        let now = self.hub.clock.now();
        let events = self.inside.room.tick(now, &|handle| self.presence(handle));
        self.commit(&events, now).await.map(|_| ())
    }

    /// When something is due next, in monotonic time.
    pub(super) fn deadline(&self) -> Option<std::time::Duration> {
        self.room().deadline(&|handle| self.presence(handle))
    }

    fn presence(&self, handle: &Handle) -> Presence {
        let (is_waiting, waited) = self.live.bells.presence(handle);
        let desk = self.inside.desks.get(&(handle.clone(), None));
        let (heard, acted) = desk.map(|desk| (desk.heard, desk.acted)).unwrap_or_default();
        Presence { heard: heard.max(waited), acted, is_waiting }
    }

    /// Stores events, then applies them and wakes who waits. Gives `false` when somebody else had appended in
    /// between: nothing is stored then, the room has caught up, and the caller decides again.
    ///
    /// **Invariant (stored before told).**
    pub(super) async fn commit(&mut self, events: &[Event], now: Now) -> Result<bool, HubError> {
        if events.is_empty() {
            return Ok(true);
        }
        let cursors: Vec<_> = self.inside.moved.values().cloned().collect();
        let moved = (!cursors.is_empty()).then_some(Event::CursorsMoved { cursors });
        let encoded = moved.iter().chain(events).map(codec::encode).collect();
        // If the caller is dropped while it waits for the disk, whoever locks next reads on.
        self.live.is_behind.store(true, Ordering::Release);
        let _alarm = AlarmIfBehind(self.live);
        let stored = self.hub.journal.append(&self.live.stream, self.inside.version, encoded, now.wall).await;
        match stored {
            Ok(version) => {
                self.live.is_behind.store(false, Ordering::Release);
                let first = Version(version.0 - events.len() as u64 + 1);
                self.inside.version = version;
                self.inside.moved.clear();
                self.take_in(events.iter().zip((first.0..).map(Version)));
                Ok(true)
            }
            Err(AppendError::Conflict { .. }) => self.catch_up().await.map(|()| false),
            // What was not stored as far as is known may be there all the same: the next one looks.
            Err(error) => Err(HubError::unstored(&self.live.id, error)),
        }
    }

    /// Reads what the log has beyond what is known, and applies it.
    async fn catch_up(&mut self) -> Result<(), HubError> {
        let is_first = self.inside.version == Version::EMPTY;
        loop {
            let after = self.inside.version;
            let page = self.hub.journal.read(&self.live.stream, after, PAGE).await;
            let page = page.map_err(|error| HubError::unread(&self.live.id, error))?;
            let Some(last) = page.last() else { break };
            let events = codec::decode(&self.live.stream, &page);
            let events = events.map_err(|error| HubError::unread(&self.live.id, error))?;
            self.inside.version = last.version;
            self.forget_stored_cursors(&events);
            self.take_in(events.iter().map(|(event, version)| (event, *version)));
        }
        if is_first {
            self.inside.found = self.room().last_seq();
            self.inside.silence = Silence::loaded(self.room().last_activity(), self.hub.clock.now());
        }
        self.live.is_behind.store(false, Ordering::Release);
        Ok(())
    }

    /// Cursors that turn out to be stored are not stored again: behind a post that is in the log by now, they would
    /// settle it.
    fn forget_stored_cursors(&mut self, events: &[(Event, Version)]) {
        for (event, _) in events {
            if let Event::CursorsMoved { cursors } = event {
                for stored in cursors {
                    self.inside.moved.remove(&stored.handle);
                }
            }
        }
    }

    /// Applies stored events, and lets everyone know.
    fn take_in<'e>(&mut self, events: impl Iterator<Item = (&'e Event, Version)>) {
        let now = self.hub.clock.now().mono;
        self.inside.silence = Silence::broken(now);
        let (mut said, mut has_started) = (Vec::new(), false);
        for (event, version) in events {
            has_started |= matches!(event, Event::Started { .. });
            self.inside.room.apply(event, now);
            if self.inside.ledger.push(event, version).is_some() {
                said.push(event);
            }
        }
        self.live.note.update(self.room(), &self.inside.ledger, &said);
        self.live.changes.send_modify(|changes| *changes += 1);
        self.live.alarm.notify_one();
        for handle in self.live.bells.waiting() {
            // When the room opens, all are woken whom its barrier held.
            if has_started || self.has_news(&handle) {
                self.live.bells.ring(&handle);
            }
        }
    }

    /// Notes how far a participant has come. It takes effect at once, and is journalled with the next append.
    pub(super) fn move_cursor(&mut self, moved: CursorMove) {
        let now = self.hub.clock.now().mono;
        self.inside.room.apply(&Event::CursorsMoved { cursors: vec![moved.clone()] }, now);
        match self.inside.moved.get_mut(&moved.handle) {
            Some(before) => {
                let is_settled = before.is_settled || moved.is_settled;
                *before = CursorMove { is_settled, ..moved };
            }
            None => {
                self.inside.moved.insert(moved.handle.clone(), moved);
            }
        }
    }

    /// Journals the cursors that are not stored yet.
    pub(super) async fn store_cursors(&mut self) -> Result<(), HubError> {
        let cursors: Vec<_> = std::mem::take(&mut self.inside.moved).into_values().collect();
        if cursors.is_empty() {
            return Ok(());
        }
        let now = self.hub.clock.now();
        self.commit(&[Event::CursorsMoved { cursors }], now).await.map(|_| ())
    }
}
