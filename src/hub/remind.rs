//! Reminders for the hooks of agents: what waits for a handle, and what it was neither given nor reminded of.
//!
//! They acknowledge nothing, move no cursor and take no turn. Each piece of news is told once, so that a hook that
//! runs at the end of every turn of its agent can make no circle.

use std::sync::Arc;
use std::time::Duration;

use futures::future::select_all;
use tokio::time::Instant;

use super::Hub;
use super::caller::Caller;
use super::error::HubError;
use super::find::is_archived;
use super::ledger::Reader;
use super::live::{LiveRoom, Locked};
use super::shared::Shared;
use super::waiting::MAX_WAIT;
use crate::room::{Handle, Phase, Refusal};

/// So many senders are named.
const NAMED: usize = 5;

/// What waits for a participant in one room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reminder {
    /// The room.
    pub room: String,
    /// The handle, as the room spells it.
    pub handle: Handle,
    /// Whether it has the floor.
    pub is_turn: bool,
    /// Messages that it was not given.
    pub unread: u64,
    /// Who sent them; at most five.
    pub senders: Vec<Handle>,
}

/// How a reminder came about, or did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reminded {
    /// Something waits.
    News(Vec<Reminder>),
    /// Nothing waits; or nobody here has the handle, or somebody waits under it already.
    Nothing,
    /// A newer hook, or a call of the agent itself, waits now.
    Replaced,
    /// The time is over.
    TimedOut,
    /// The hub stops; ask again.
    Stopping,
}

impl Hub {
    /// What waits for a handle at this moment. A room that is not there has nothing, nor has one that cannot be read
    /// and that nobody named.
    pub async fn remind(
        &self,
        caller: &Caller,
        handle: &str,
        room: Option<&str>,
    ) -> Result<Reminded, HubError> {
        self.refuse_if_stopping()?;
        let mut found = Vec::new();
        for (live, handle) in self.shared.rooms_with(handle, room).await? {
            match live.lock(&self.shared).await {
                // What it finds counts as told, and nobody listens any more.
                Ok(_) if caller.cancelled.is_cancelled() => return Err(HubError::Cancelled),
                Ok(mut locked) => found.extend(locked.reminder(&handle)),
                Err(error) if room.is_some() => return Err(error),
                Err(_) => {}
            }
        }
        Ok(if found.is_empty() { Reminded::Nothing } else { Reminded::News(found) })
    }

    /// Waits until something comes for a handle. It counts as waiting until then.
    pub async fn remind_later(
        &self,
        caller: &Caller,
        handle: &str,
        room: Option<&str>,
        limit: Duration,
    ) -> Result<Reminded, HubError> {
        self.refuse_if_stopping()?;
        let over = Instant::now() + limit.min(MAX_WAIT);
        let mut rooms = self.shared.rooms_with(handle, room).await?;
        rooms.retain(|(live, handle)| !live.bells.is_called(handle));
        if rooms.is_empty() {
            return Ok(Reminded::Nothing);
        }
        let watches = rooms.iter().map(|(live, handle)| Box::pin(self.shared.watch_for(live, handle)));
        tokio::select! {
            (found, _, _) = select_all(watches) => found,
            () = tokio::time::sleep_until(over) => Ok(Reminded::TimedOut),
            () = caller.cancelled.cancelled() => Err(HubError::Cancelled),
            () = self.shared.stop.cancelled() => Ok(Reminded::Stopping),
        }
    }
}

impl Shared {
    /// The open rooms in which a handle takes part, or the one that is named; under the handle that each knows.
    async fn rooms_with(
        self: &Arc<Self>,
        name: &str,
        room: Option<&str>,
    ) -> Result<Vec<(Arc<LiveRoom>, Handle)>, HubError> {
        let handle = Handle::parse(name).map_err(Refusal::from)?;
        let rooms = match room {
            None => {
                let open = self.open_rooms().await;
                open.into_iter()
                    .filter(|(_, brief)| brief.has_joined(&handle))
                    .map(|(live, _)| live)
                    .collect()
            }
            Some(room) => match self.named_room(room).await {
                Ok(live) => vec![live],
                Err(HubError::NoSuchRoom(..)) => Vec::new(),
                Err(error) => return Err(error),
            },
        };
        let mut found = Vec::new();
        for live in rooms {
            let live = match self.wake(&live).await {
                Err(_) if room.is_none() => continue,
                live => live?,
            };
            let locked = live.lock(self).await?;
            let member = locked.room().resolve(name).filter(|member| member.has_joined());
            let handle = member.map(|member| member.handle.clone());
            let is_fresh = !is_archived(&live, locked.room().last_activity(), self.clock.now());
            drop(locked);
            found.extend(handle.filter(|_| is_fresh).map(|handle| (live, handle)));
        }
        Ok(found)
    }

    async fn watch_for(&self, live: &Arc<LiveRoom>, handle: &Handle) -> Result<Reminded, HubError> {
        let mut wait = live.bells.watch(handle);
        loop {
            wait.rings.borrow_and_update();
            let mut room = live.lock(self).await?;
            // Before it looks: what it finds counts as told, and nobody listens to a hook that was replaced.
            if wait.is_replaced() {
                return Ok(Reminded::Replaced);
            }
            if let Some(found) = room.reminder(handle) {
                return Ok(Reminded::News(vec![found]));
            }
            drop(room);
            if wait.rings.changed().await.is_err() {
                return Ok(Reminded::Stopping);
            }
        }
    }
}

impl Locked<'_> {
    /// What a participant is to be reminded of; it counts as reminded by it.
    fn reminder(&mut self, handle: &Handle) -> Option<Reminder> {
        if self.room().phase() != Phase::Open {
            return None;
        }
        let seen = self.room().participant(handle).filter(|member| member.has_joined())?.seen;
        let (told_seq, told_turn) = self.inside.desks.entry((handle.clone(), None)).or_default().reminded;
        let cursor = seen.max(self.given_to(handle)).max(told_seq);
        let turn = self.room().turn().filter(|turn| turn.handle == *handle).map(|turn| turn.number);
        let is_turn = turn.is_some_and(|turn| turn > told_turn || self.room().is_called_anew(handle, cursor));
        let unread =
            if self.room().has_words(handle, cursor) { self.unread_of(handle, cursor) } else { Vec::new() };
        if !is_turn && unread.is_empty() {
            return None;
        }
        let reminded = (self.room().last_seq(), turn.unwrap_or(told_turn));
        self.inside.desks.entry((handle.clone(), None)).or_default().reminded = reminded;
        let mut senders: Vec<Handle> = Vec::new();
        for sender in unread.iter().filter_map(|seq| self.inside.ledger.sender(*seq)) {
            if !senders.contains(sender) && senders.len() < NAMED {
                senders.push(sender.clone());
            }
        }
        let (room, handle) = (self.live.id.clone(), handle.clone());
        Some(Reminder { room, handle, is_turn, unread: unread.len() as u64, senders })
    }

    /// The messages of others that a participant has not seen, after `cursor`.
    fn unread_of(&self, handle: &Handle, cursor: u64) -> Vec<u64> {
        let reader = Reader { handle, origin: "" };
        let ledger = &self.inside.ledger;
        let is_of_another = |seq: &u64| ledger.sender(*seq).is_some_and(|sender| sender != handle);
        ledger.unread(reader, cursor).filter(is_of_another).collect()
    }

    /// The highest message that a participant was given in an answer that has not been taken back.
    fn given_to(&self, handle: &Handle) -> u64 {
        let desks = self.inside.desks.range((handle.clone(), None)..);
        let own = desks.take_while(|((of, _), _)| of == handle);
        own.filter_map(|(_, desk)| desk.last_upto()).max().unwrap_or(0)
    }
}
