//! What every part of the hub shares.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::briefs::Briefs;
use super::caller::Client;
use super::changes::Changes;
use super::error::HubError;
use super::inbox::Inbox;
use super::ledger::Wanted;
use super::listing::Listing;
use super::live::LiveRoom;
use super::named::Named;
use super::patience::Patience;
use super::puzzles::Puzzles;
use super::receipts::Receipts;
use super::registry::{Entry, Registry};
use super::reply::Replies;
use super::settings::Settings;
use super::starting::Starting;
use super::stirs::Stirs;
use super::tasks::Tasks;
use super::timekeeper;
use crate::clock::Clock;
use crate::journal::search::SearchIndex;
use crate::journal::{Journal, StreamId};
use crate::room::{Message, Phase};

/// What every part of the hub shares.
#[derive(Debug)]
pub(super) struct Shared {
    pub journal: Arc<dyn Journal>,
    pub search: Arc<dyn SearchIndex>,
    pub clock: Clock,
    pub settings: Settings,
    /// Ends all waits.
    pub stop: CancellationToken,
    /// Every task that the hub has started.
    pub tasks: TaskTracker,
    pub registry: tokio::sync::Mutex<Registry>,
    /// Rooms that are not in the list yet.
    pub starting: Starting,
    pub receipts: Receipts,
    pub patience: Arc<Patience>,
    /// Which room each session named last.
    pub named: Named,
    /// Held while somebody searches.
    pub searching: tokio::sync::Mutex<()>,
    /// Changes when a room is started or closed.
    pub list_changes: Changes,
    pub briefs: Briefs,
    pub inbox: Inbox,
    pub stirs: Arc<Stirs>,
    pub listing: tokio::sync::Mutex<Listing>,
    pub replies: Replies,
    pub task_list: Tasks,
    pub puzzles: Puzzles,
    /// Whether something was begun that the next hub has to bring to its end.
    pub is_left_undone: AtomicBool,
    rooms: Mutex<HashMap<StreamId, Arc<LiveRoom>>>,
}

impl Shared {
    pub(super) fn new(
        journal: Arc<dyn Journal>,
        search: Arc<dyn SearchIndex>,
        clock: Clock,
        settings: Settings,
        (registry, briefs): (Registry, Briefs),
    ) -> Arc<Self> {
        let task_list = Tasks::new(settings.is_after_crash);
        let patience = Arc::new(Patience::new(settings.waits.clone(), settings.learned_waits.clone()));
        Arc::new(Self {
            journal,
            search,
            clock,
            settings,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            registry: tokio::sync::Mutex::new(registry),
            starting: Starting::default(),
            receipts: Receipts::default(),
            patience,
            named: Named::default(),
            searching: tokio::sync::Mutex::default(),
            list_changes: Changes::default(),
            briefs,
            inbox: Inbox::default(),
            stirs: Arc::default(),
            listing: tokio::sync::Mutex::default(),
            replies: Replies::new(clock),
            task_list,
            puzzles: Puzzles::default(),
            is_left_undone: AtomicBool::new(false),
            rooms: Mutex::default(),
        })
    }

    /// The listed room that has this stream.
    pub(super) async fn entry_of(&self, stream: &str) -> Option<Entry> {
        let registry = self.registry.lock().await;
        registry.all().find(|entry| entry.stream.as_str() == stream).cloned()
    }

    /// A room. It may be at rest.
    pub(super) fn room(&self, entry: &Entry) -> Arc<LiveRoom> {
        let (stream, room, path) = (entry.stream.clone(), entry.room.clone(), entry.path.clone());
        let made = || {
            let stir = self.stirs.of(stream.clone());
            Arc::new(LiveRoom::new(stream, room, path, self.clock, stir))
        };
        Arc::clone(self.rooms().entry(entry.stream.clone()).or_insert_with(made))
    }

    /// A room in memory; it is loaded when it is needed.
    pub(super) async fn live(self: &Arc<Self>, entry: &Entry) -> Result<Arc<LiveRoom>, HubError> {
        self.wake(&self.room(entry)).await
    }

    /// Sees to it that a room is in memory, and that its note and its deadlines are looked after.
    pub(super) async fn wake(self: &Arc<Self>, live: &Arc<LiveRoom>) -> Result<Arc<LiveRoom>, HubError> {
        live.touch(self.clock.now().mono);
        if !live.is_awake.load(Ordering::SeqCst) {
            let has_place = self.has_place(live).await;
            let locked = live.lock(self).await?;
            // The note of a room that is over was whole when the room went to rest.
            if has_place && !(live.has_rested() && locked.room().phase() == Phase::Closed) {
                live.note.start(self, live, locked.room(), &locked.inside.ledger);
            }
            live.note.compared();
            if !live.is_awake.swap(true, Ordering::SeqCst) {
                timekeeper::start(self, live);
            }
        }
        Ok(Arc::clone(live))
    }

    /// Whether a room may write at its path. That of a room that is over may be another's by now, or may become so.
    pub(super) async fn has_place(&self, live: &LiveRoom) -> bool {
        let registry = self.registry.lock().await;
        let is_ours = |entry: &Entry| {
            entry.stream == live.stream && (entry.is_open || !self.starting.has_path(&live.path))
        };
        registry.by_path(&live.path).is_none_or(is_ours)
    }

    /// What was said in a room, of all that is wanted.
    pub(super) async fn said(&self, live: &LiveRoom, wanted: Wanted) -> Result<Vec<Arc<Message>>, HubError> {
        let read = wanted.read(&*self.journal, &live.stream).await;
        read.map_err(|error| HubError::unread(&live.id, error))
    }

    /// A client gave up a call that had named no time, after so long.
    pub(super) fn given_up(&self, client: Option<&Client>, after: Duration) {
        if self.patience.given_up(client, after) {
            self.keep_patience();
        }
    }

    /// A call that had named no time ended by itself after so long, and its answer arrived.
    pub(super) fn arrived(&self, client: &Client, after: Duration) {
        if self.patience.arrived(client, after) {
            self.keep_patience();
        }
    }

    fn keep_patience(&self) {
        let patience = Arc::clone(&self.patience);
        self.tasks.spawn_blocking(move || patience.save());
    }

    /// Rooms that were named since the start, and are not deleted. Some of them may be at rest.
    pub(super) fn rooms_seen(&self) -> Vec<Arc<LiveRoom>> {
        self.rooms().values().filter(|live| !live.is_gone()).cloned().collect()
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Arc<LiveRoom>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
