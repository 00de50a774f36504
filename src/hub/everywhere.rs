//! Waiting in all rooms of a handle at once.

use std::sync::Arc;

use futures::future::select_all;

use super::Hub;
use super::answer::Answer;
use super::caller::Caller;
use super::compose::Said;
use super::error::HubError;
use super::live::LiveRoom;
use super::request::Wait;
use super::waiting::{MAX_WAIT, Until};
use super::who::Who;
use crate::room::{Handle, Refusal};

impl Hub {
    /// Waits in all open rooms that have the handle. The answer is that of the first room with news; others
    /// that have news by then are named in it, and keep theirs.
    pub(super) async fn wait_everywhere(&self, caller: &Caller, request: Wait) -> Result<Answer, HubError> {
        let handle = Handle::parse(&request.handle).map_err(Refusal::from)?;
        let rooms = self.rooms_of(caller, &handle, &request).await?;
        if rooms.is_empty() {
            return Err(HubError::NoRoom);
        }
        let limit = request.timeout.unwrap_or_else(|| self.shared.patience.of(caller.client.as_deref()));
        let over = tokio::time::Instant::now() + limit.min(MAX_WAIT);
        let watches = rooms.iter().map(|(live, who)| Box::pin(self.watch(live, who)));
        let first = tokio::select! {
            ((), at, _) = select_all(watches) => at,
            () = tokio::time::sleep_until(over) => 0,
            () = caller.cancelled.cancelled() => return Err(HubError::Cancelled),
            () = self.shared.stop.cancelled() => 0,
        };
        let mut others = Vec::new();
        for (live, who) in rooms.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, room)| room) {
            if live.lock(&self.shared).await?.has_news(&who.handle) {
                others.push(live.id.clone());
            }
        }
        let (live, who) = &rooms[first];
        let said = Said { other_rooms: others, ..Said::default() };
        let left = over.saturating_duration_since(tokio::time::Instant::now());
        self.shared.wait_in(live, caller, who, Until::News, Some(left), said).await
    }

    async fn rooms_of(
        &self,
        caller: &Caller,
        handle: &Handle,
        request: &Wait,
    ) -> Result<Vec<(Arc<LiveRoom>, Who)>, HubError> {
        let mut found = Vec::new();
        for live in self.shared.open_rooms().await? {
            let room = live.lock(&self.shared).await?;
            let is_part = room.room().resolve(handle.as_str()).is_some_and(|member| member.has_joined());
            drop(room);
            if is_part {
                let who = self.begin_wait(caller, &live, request).await?;
                found.push((live, who));
            }
        }
        Ok(found)
    }

    /// Ends when there is news for `who` in a room. It counts as waiting there until then.
    async fn watch(&self, live: &Arc<LiveRoom>, who: &Who) {
        let Some(mut wait) = live.bells.open(&who.handle, who.is_human) else { return };
        loop {
            wait.rings.borrow_and_update();
            let Ok(room) = live.lock(&self.shared).await else { return };
            if room.has_news(&who.handle) || wait.is_replaced() {
                return;
            }
            drop(room);
            if wait.rings.changed().await.is_err() {
                return;
            }
        }
    }
}
