//! What every part of the hub shares.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::caller::Client;
use super::error::HubError;
use super::live::LiveRoom;
use super::named::Named;
use super::patience::Patience;
use super::receipts::Receipts;
use super::registry::{Entry, Registry};
use super::settings::Settings;
use super::timekeeper;
use crate::clock::Clock;
use crate::journal::search::SearchIndex;
use crate::journal::{Journal, StreamId};

type Loading = Arc<OnceCell<Arc<LiveRoom>>>;

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
    pub receipts: Receipts,
    pub patience: Arc<Patience>,
    /// Which room each session named last.
    pub named: Named,
    /// Held while somebody searches.
    pub searching: tokio::sync::Mutex<()>,
    /// Changes when a room is started or closed.
    pub list_changes: watch::Sender<u64>,
    rooms: Mutex<HashMap<StreamId, Loading>>,
}

impl Shared {
    pub(super) fn new(
        journal: Arc<dyn Journal>,
        search: Arc<dyn SearchIndex>,
        clock: Clock,
        settings: Settings,
        registry: Registry,
    ) -> Arc<Self> {
        let patience = Arc::new(Patience::new(settings.waits.clone(), settings.learned_waits.clone()));
        Arc::new(Self {
            journal,
            search,
            clock,
            settings,
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            registry: tokio::sync::Mutex::new(registry),
            receipts: Receipts::default(),
            patience,
            named: Named::default(),
            searching: tokio::sync::Mutex::default(),
            list_changes: watch::Sender::new(0),
            rooms: Mutex::default(),
        })
    }

    /// A room in memory; it is loaded when it is first needed.
    pub(super) async fn live(self: &Arc<Self>, entry: &Entry) -> Result<Arc<LiveRoom>, HubError> {
        let cell = Arc::clone(self.rooms().entry(entry.stream.clone()).or_default());
        let loaded = cell.get_or_try_init(|| async {
            let (stream, room, path) = (entry.stream.clone(), entry.room.clone(), entry.path.clone());
            let live = Arc::new(LiveRoom::new(stream, room, path, self.clock));
            let locked = live.lock(self).await?;
            live.note.start(self, &live, locked.room(), &locked.inside.ledger);
            drop(locked);
            timekeeper::start(self, &live);
            Ok(live)
        });
        loaded.await.cloned()
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

    /// Rooms that are in memory.
    pub(super) fn loaded(&self) -> Vec<Arc<LiveRoom>> {
        self.rooms().values().filter_map(|cell| cell.get().cloned()).collect()
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Loading>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
