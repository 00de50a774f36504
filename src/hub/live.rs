//! One room in memory: the pure room, its ledger, who is at it, and the one way to change it.

mod cursors;
mod gone;
mod rest;
mod trouble;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::{Mutex, MutexGuard, Notify};

use super::bells::Bells;
use super::brief::Brief;
use super::caller::Session;
use super::changes::Changes;
use super::codec;
use super::desk::Desk;
use super::error::HubError;
use super::ledger::Ledger;
use super::note::Note;
use super::pages;
use super::reply::Shown;
use super::shared::Shared;
use super::silence::Silence;
use super::stirs::Stir;
use crate::clock::Clock;
use crate::journal::{AppendError, JournalError, Recorded, StreamId, Version};
use crate::room::event::CursorMove;
use crate::room::{Command, Event, Handle, Need, Needed, Now, Presence, Room};

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
    /// What its reply note shows.
    pub reply: Shown,
    /// Changes with everything that happens; for subscriptions.
    pub changes: Changes,
    /// Tells those who follow all rooms.
    pub stir: Stir,
    /// The timekeeper has to look again.
    pub alarm: Arc<Notify>,
    /// Its note and its deadlines are looked after.
    pub is_awake: AtomicBool,
    inside: Mutex<Inside>,
    /// How it stood when somebody last wanted to know, or when it left memory.
    brief: PlainMutex<Option<Arc<Brief>>>,
    /// Why its log could not be read, when somebody tried last.
    trouble: PlainMutex<Option<HubError>>,
    has_rested: AtomicBool,
    /// Since when nothing has happened, as soon as somebody wanted to know.
    silence: PlainMutex<Option<Silence>>,
    /// When it was last called, in milliseconds of monotonic time.
    used: AtomicU64,
    /// It is deleted: nothing is read or written any more.
    is_gone: AtomicBool,
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
    /// The newest message when the room was loaded. Whatever the log had by then may have been given to anybody: a
    /// hub that died has not told how far.
    pub found: Option<u64>,
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
    pub(super) fn new(stream: StreamId, id: String, path: PathBuf, clock: Clock, stir: Stir) -> Self {
        let alarm = Arc::<Notify>::default();
        Self {
            stream,
            id,
            note: Note::default(),
            reply: Shown::default(),
            path,
            bells: Bells::new(clock, Arc::clone(&alarm), stir.clone()),
            stir,
            changes: Changes::default(),
            alarm,
            is_awake: AtomicBool::new(false),
            inside: Mutex::default(),
            brief: PlainMutex::default(),
            trouble: PlainMutex::default(),
            has_rested: AtomicBool::new(false),
            silence: PlainMutex::default(),
            used: AtomicU64::new(0),
            is_gone: AtomicBool::new(false),
            is_behind: AtomicBool::new(true),
        }
    }

    /// How long nothing has happened, if this was the last by the wall clock.
    pub(super) fn silence(&self, last: DateTime<Utc>, now: Now) -> Duration {
        let mut silence = self.silence.lock().unwrap_or_else(PoisonError::into_inner);
        silence.get_or_insert_with(|| Silence::loaded(last, now)).length(now.mono)
    }

    /// Something has happened; `has_news` if it was more than that cursors were stored.
    fn has_changed(&self, has_news: bool, now: Duration) {
        self.changes.happened();
        if has_news {
            *self.silence.lock().unwrap_or_else(PoisonError::into_inner) = Some(Silence::broken(now));
        }
    }

    /// How it stands. It is not loaded for that if it is known.
    pub(super) async fn brief(&self, hub: &Shared) -> Result<Arc<Brief>, HubError> {
        if let Some(brief) = self.known_brief(hub).await {
            return Ok(brief);
        }
        if let Some(damage) = self.known_damage() {
            return Err(damage);
        }
        let mut room = self.lock(hub).await?;
        let brief = room.brief();
        if !self.is_awake.load(Ordering::SeqCst) {
            room.forget();
            hub.briefs.has_more();
        }
        Ok(brief)
    }

    /// How it stands, if that is known without reading its log.
    pub(super) async fn known_brief(&self, hub: &Shared) -> Option<Arc<Brief>> {
        let inside = self.inside.lock().await;
        if self.is_gone() {
            return None;
        }
        if inside.version == Version::EMPTY {
            let known = self.kept_brief().clone();
            if known.is_some() {
                return known;
            }
            let found = hub.briefs.take(&self.stream, &*hub.journal).await.map(Arc::new);
            if found.is_some() {
                self.note.compared();
            }
            self.kept_brief().clone_from(&found);
            return found;
        }
        if self.is_behind.load(Ordering::Acquire) {
            // It is damaged, or somebody has just appended.
            return None;
        }
        let room = Locked { hub, live: self, inside };
        Some(room.brief())
    }

    fn kept_brief(&self) -> std::sync::MutexGuard<'_, Option<Arc<Brief>>> {
        self.brief.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the room as far as it is in memory: its log may hold more.
    pub(super) async fn lock_as_it_is<'a>(&'a self, hub: &'a Shared) -> Locked<'a> {
        Locked { hub, live: self, inside: self.inside.lock().await }
    }

    /// Locks the room; it knows all that is in its log by then.
    pub(super) async fn lock<'a>(&'a self, hub: &'a Shared) -> Result<Locked<'a>, HubError> {
        let inside = self.inside.lock().await;
        if self.is_gone() {
            return Err(HubError::NoSuchRoom(self.id.clone(), Vec::new()));
        }
        let mut locked = Locked { hub, live: self, inside };
        if self.is_behind.load(Ordering::Acquire) {
            if let Err(error) = locked.catch_up().await {
                // Who asks how it stands shall hear that it cannot be read.
                *self.kept_brief() = None;
                hub.briefs.forget(&self.stream);
                self.note_trouble(&error);
                return Err(error);
            }
            self.forget_trouble();
        }
        Ok(locked)
    }
}

impl Locked<'_> {
    pub(super) fn room(&self) -> &Room {
        &self.inside.room
    }

    /// How the room stands.
    fn brief(&self) -> Arc<Brief> {
        let mut kept = self.live.kept_brief();
        match &*kept {
            Some(brief) if brief.version == self.inside.version.0 => Arc::clone(brief),
            _ => {
                let brief = Brief::of(self.room(), self.needs(), self.inside.version.0);
                Arc::clone(kept.insert(Arc::new(brief)))
            }
        }
    }

    /// What it needs of people, and the place in the log just before each message that asks.
    pub(super) fn needs(&self) -> (Vec<Need>, BTreeMap<u64, Version>) {
        let needs = self.room().needs();
        let asked = needs.iter().filter_map(|need| match need.what {
            Needed::Answer { seq, .. } => Some((seq, self.inside.ledger.version_before(seq)?)),
            _ => None,
        });
        let asked = asked.collect();
        (needs, asked)
    }

    /// Whether it is in memory.
    pub(super) fn is_loaded(&self) -> bool {
        self.inside.version != Version::EMPTY
    }

    /// Lets go of all that the log holds, but for a brief.
    pub(super) fn forget(&mut self) {
        self.brief();
        self.live.is_behind.store(true, Ordering::Release);
        self.inside.room = Room::default();
        self.inside.ledger = Ledger::default();
        self.inside.version = Version::EMPTY;
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
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.room().deadline(&|handle| self.presence(handle))
    }

    /// When the turn that runs is over, if nothing happens until then.
    pub(super) fn turn_until(&self, now: Now) -> Option<DateTime<Utc>> {
        let left = self.room().turn_over(&|handle| self.presence(handle))?.saturating_sub(now.mono);
        now.wall.checked_add_signed(TimeDelta::from_std(left).ok()?)
    }

    fn presence(&self, handle: &Handle) -> Presence {
        let (is_waiting, waited) = self.live.bells.presence(handle);
        let desk = self.inside.desks.get(&(handle.clone(), None));
        let (heard, acted) = desk.map(|desk| (desk.heard, desk.acted)).unwrap_or_default();
        // A program that the hub has started works until it ends, whether it calls or not.
        let is_at_work = self.live.bells.is_at_work(handle);
        let acted = if is_at_work { self.hub.clock.now().mono } else { acted };
        Presence { heard: heard.max(waited), acted, is_waiting }
    }

    /// Stores events, then applies them and wakes who waits. Gives `false` when somebody else had appended in
    /// between: nothing is stored then, the room has caught up, and the caller decides again.
    ///
    /// **Invariant (stored before told).**
    pub(super) async fn commit(&mut self, events: &[Event], now: Now) -> Result<bool, HubError> {
        if events.is_empty() { Ok(true) } else { self.append(events, now).await }
    }

    /// The same, of cursors alone too.
    async fn append(&mut self, events: &[Event], now: Now) -> Result<bool, HubError> {
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
                let has_news = self.take_in(events.iter().zip((first.0..).map(Version)));
                self.live.has_changed(has_news, now.mono);
                Ok(true)
            }
            Err(AppendError::Conflict { .. }) => self.catch_up().await.map(|()| false),
            // What was not stored as far as is known may be there all the same: the next one looks.
            Err(error) => Err(HubError::unstored(&self.live.id, error)),
        }
    }

    /// Reads what the log has beyond what is known, and applies it. That it is read at all for the first time is no change.
    async fn catch_up(&mut self) -> Result<(), HubError> {
        let is_first = self.inside.version == Version::EMPTY;
        let unstored = self.inside.moved.clone();
        let (hub, live) = (self.hub, self.live);
        let mut has_news = false;
        let read = pages::read_on(&*hub.journal, &live.stream, self.inside.version, |page| {
            has_news |= self.take_page(page)?;
            Ok(ControlFlow::Continue(()))
        });
        read.await.map_err(|error| HubError::unread(&live.id, error))?;
        if is_first {
            let last_seq = self.room().last_seq();
            if self.inside.found.is_none() && self.hub.settings.is_after_crash {
                self.doubt_what_was_given(last_seq);
            }
            self.inside.found.get_or_insert(last_seq);
            // Of a room that has rested, what was given or taken back last is not stored: all that is, is older.
            for moved in unstored.into_values() {
                self.move_cursor(moved);
            }
        } else {
            self.live.has_changed(has_news, self.hub.clock.now().mono);
        }
        self.live.is_behind.store(false, Ordering::Release);
        Ok(())
    }

    fn take_page(&mut self, page: &[Recorded]) -> Result<bool, JournalError> {
        let events = codec::decode(&self.live.stream, page)?;
        if let Some(last) = page.last() {
            self.inside.version = last.version;
        }
        self.forget_stored_cursors(&events);
        Ok(self.take_in(events.iter().map(|(event, version)| (event, *version))))
    }

    /// Applies stored events, and lets everyone know. Gives whether anything happened: that cursors are stored, which
    /// the hub does for itself, is nothing.
    fn take_in<'e>(&mut self, events: impl Iterator<Item = (&'e Event, Version)>) -> bool {
        let now = self.hub.clock.now().mono;
        let (mut said, mut has_started, mut has_news) = (Vec::new(), false, false);
        for (event, version) in events {
            has_started |= matches!(event, Event::Started { .. });
            has_news |= !matches!(event, Event::CursorsMoved { .. });
            self.inside.room.apply(event, now);
            if self.inside.ledger.push(event, version).is_some() {
                said.push(event);
            }
        }
        self.live.note.update(self.room(), &self.inside.ledger, &said);
        if self.live.reply.is_old(self.room(), self.hub) {
            self.hub.replies.room_changed(&self.live.stream);
        }
        self.live.alarm.notify_one();
        self.live.stir.stir();
        for handle in self.live.bells.waiting() {
            // When the room opens, all are woken whom its barrier held.
            if has_started || self.has_news(&handle) {
                self.live.bells.ring(&handle);
            }
        }
        has_news
    }
}
