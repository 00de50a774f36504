//! The one place where calls meet the rooms, the journal, the waiting and the transcripts.
//!
//! A call finds its room ([`find`]), locks it, says who it is ([`who`]), lets the room decide, stores the
//! events, applies them ([`live`]), unlocks, and waits ([`waiting`]). A room's lock
//! is held over decide, append, apply and the reads of an answer to one who takes part; never over a wait, nor while
//! somebody only looks on.

mod aftermath;
mod again;
mod aggregate;
mod allowed;
mod answer;
mod backup;
mod bells;
mod brief;
mod briefing;
mod briefs;
mod caller;
mod changes;
mod codec;
mod commits;
mod compose;
mod delete;
mod desk;
mod error;
mod everywhere;
mod export;
mod find;
mod inbox;
mod item;
mod ledger;
mod listing;
mod live;
mod lodging;
mod look;
mod manage;
mod named;
mod next;
mod note;
mod notice;
mod pages;
mod patience;
mod patient;
mod people;
mod puzzles;
mod receipts;
mod registry;
mod remind;
mod reply;
pub mod request;
mod rescue;
mod rest;
mod searching;
mod settings;
mod shared;
mod silence;
mod slug;
mod start_room;
mod starting;
mod stirs;
mod story;
pub mod survey;
mod talk;
mod tasks;
mod timekeeper;
mod waiting;
mod who;
mod wishes;

use std::sync::Arc;

use futures::stream::{self, StreamExt};

pub use answer::{
    Answer, Delivery, DeliveryState, Given, Hit, Hits, Initialized, Member, Page, Posted, Receipt, RoomState,
    RoomSummary, TurnResult, TurnStatus, WaitingFor,
};
pub use backup::BackedUp;
pub use caller::{AtClient, Caller, Client, Mouth, Session};
pub use changes::Moment;
pub use commits::{Commit, Commits, NoCommits, is_name as is_commit_name};
pub use delete::Deleted;
pub use error::HubError;
pub use export::Exported;
pub use item::{Item, Want};
pub use patience::{SafeWait, Waits, learned_waits};
pub use people::{Find, Found};
pub use puzzles::{
    ActOnPuzzle, Acted, AddPuzzle, AddedPuzzle, AnswerGuard, Calls, DamagedPuzzle, Happened, Judge,
    ListPuzzles, NoJudge, PuzzlePage, PuzzleRoom, PuzzleState, Ruling, WaitPuzzle,
};
pub use remind::{Reminded, Reminder};
pub use settings::{Limits, Settings};
pub use tasks::{
    Acknowledge, CreateTask, Decide, How, IfStarted, ListTasks, NotStarted, PublishRecord, ReportTurn,
    ReportedTurn, SettingsFault, Start, StartedAgent, Starter, TaskPage, TaskSettings, TaskState, WaitTask,
    Waited,
};
pub use waiting::MAX_WAIT;

use crate::clock::Clock;
use crate::journal::search::SearchIndex;
use crate::journal::{Journal, JournalError};
use briefs::Briefs;
use live::LiveRoom;
use registry::Registry;
use shared::Shared;

/// Holds every room. Cheap to share behind an `Arc`.
#[derive(Debug)]
pub struct Hub {
    shared: Arc<Shared>,
}

impl Hub {
    /// Opens a hub over a journal. Rooms are loaded when they are first needed.
    pub async fn open(
        journal: Arc<dyn Journal>,
        search: Arc<dyn SearchIndex>,
        settings: Settings,
    ) -> Result<Self, JournalError> {
        let mut registry = Registry::default();
        registry.catch_up(&*journal).await?;
        let briefs = Briefs::open(settings.briefs.clone()).await;
        let is_incomplete = registry.is_incomplete();
        let shared = Shared::new(journal, search, Clock::start(), settings, (registry, briefs));
        if is_incomplete {
            let mut registry = shared.registry.lock().await;
            rescue::rescue(&mut registry, &*shared.journal, &shared.folders()).await?;
        }
        shared.finish_deleting().await?;
        reply::start(&shared).await;
        tasks::start_rounds(&shared);
        puzzles::start(&shared);
        aftermath::start(&shared);
        Ok(Self { shared })
    }

    /// What may be had at most.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.shared.settings.limits
    }

    /// Takes an answer back that did not arrive: its messages are given again.
    pub fn take_back(&self, receipt: Receipt) {
        let Some(place) = self.shared.receipts.take_back(receipt.0) else { return };
        let Some(live) = place.live.upgrade() else { return };
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(async move {
            // A room that rests is loaded for this: somebody has to let it rest again.
            if let Ok(live) = shared.wake(&live).await
                && let Ok(mut room) = live.lock(&shared).await
            {
                room.take_back(&(place.handle, place.session), receipt.0);
            }
        });
    }

    /// How long calls of clients may block when they name no time.
    #[must_use]
    pub fn safe_waits(&self) -> Vec<SafeWait> {
        self.shared.patience.report()
    }

    /// Tells that a session is over: its handles are free.
    pub fn session_ended(&self, session: &Session) {
        self.shared.named.forget_session(session);
        let (shared, session) = (Arc::clone(&self.shared), session.clone());
        // One task for all rooms; one that is locked for long holds up no other.
        self.shared.tasks.spawn(async move {
            let rooms = stream::iter(shared.rooms_seen());
            let told = rooms.for_each_concurrent(None, async |live| {
                live.lock_as_it_is(&shared).await.session_ended(&session);
            });
            told.await;
        });
    }

    /// How many calls wait in all rooms.
    #[must_use]
    pub fn open_waits(&self) -> usize {
        self.shared.rooms_seen().iter().map(|live| live.bells.open_waits()).sum()
    }

    /// Ends all waits with `stopping`, and refuses new ones.
    pub fn stop(&self) {
        self.shared.stop.cancel();
    }

    /// Returns once [`Hub::stop`] was called.
    pub async fn stopped(&self) {
        self.shared.stop.cancelled().await;
    }

    /// Stores what is not stored yet, lets every note be written, and closes the journal. Call it after
    /// [`Hub::stop`], when no call runs any more.
    pub async fn shut_down(&self) {
        for live in self.shared.rooms_seen() {
            if let Err(error) = self.store_cursors(&live).await {
                tracing::warn!(room = %live.id, %error, "messages may be given again after the restart");
            }
            live.note.close().await;
        }
        self.shared.replies.close().await;
        self.shared.save_briefs().await;
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
        self.shared.journal.close().await;
    }

    /// Whether all that was begun has come to its end, so that the next hub need not look for what is missing. Ask after
    /// [`Hub::shut_down`].
    #[must_use]
    pub fn has_ended_in_order(&self) -> bool {
        !self.shared.is_left_undone.load(std::sync::atomic::Ordering::Acquire)
            && !self.shared.task_list.has_a_room_behind()
    }

    async fn store_cursors(&self, live: &LiveRoom) -> Result<(), HubError> {
        if !live.lock_as_it_is(&self.shared).await.is_loaded() {
            // At rest: they are stored.
            return Ok(());
        }
        live.lock(&self.shared).await?.store_cursors().await
    }

    fn refuse_if_stopping(&self) -> Result<(), HubError> {
        if self.shared.stop.is_cancelled() { Err(HubError::Stopping) } else { Ok(()) }
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
