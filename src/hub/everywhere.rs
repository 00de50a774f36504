//! Waiting in all rooms of a handle at once.

use std::sync::Arc;

use futures::future::select_all;
use tokio::time::Instant;

use super::Hub;
use super::answer::{Answer, TurnStatus};
use super::caller::Caller;
use super::compose::Said;
use super::error::HubError;
use super::live::LiveRoom;
use super::request::Wait;
use super::waiting::{Look, Until};
use super::who::{Call, Who};
use crate::room::{Handle, Refusal};

/// Why the watch over one room ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    /// There is something to answer.
    News,
    /// A newer call of the same agent waits.
    Replaced,
}

impl Hub {
    /// Waits in all open rooms that have the handle. The answer is that of the first room with news; others
    /// that have news by then are named in it, and keep theirs.
    pub(super) async fn wait_everywhere(&self, caller: &Caller, request: Wait) -> Result<Answer, HubError> {
        if request.after_seq_id.is_some() {
            let problem = "each room has numbers of its own";
            return Err(HubError::argument("after_seq_id", problem, &["name one `room`"]));
        }
        let handle = Handle::parse(&request.handle).map_err(Refusal::from)?;
        let rooms = self.rooms_of(caller, &handle, &request).await?;
        let begun = Instant::now();
        let over = begun + self.shared.longest_wait(caller, request.timeout);
        let each_room = rooms.iter().map(|(live, who, until)| Box::pin(self.watch(live, who, *until)));
        let (watched, first) = tokio::select! {
            (watched, at, _) = select_all(each_room) => (watched?, at),
            () = tokio::time::sleep_until(over) => (Watched::News, 0),
            () = caller.cancelled.cancelled() => {
                if request.timeout.is_none() {
                    self.shared.given_up(caller.client.as_ref(), begun.elapsed());
                }
                return Err(HubError::Cancelled);
            }
            () = self.shared.stop.cancelled() => (Watched::News, 0),
        };
        let (live, who, until) = &rooms[first];
        if watched == Watched::Replaced {
            // A newer call waits. It must not be replaced in its turn, so this one opens no other wait.
            let said = Said { status: Some(TurnStatus::Replaced), ..Said::default() };
            return live.lock(&self.shared).await?.answer(live, who, said).await;
        }
        let mut others = Vec::new();
        for (live, who, _) in rooms.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, room)| room) {
            if live.lock(&self.shared).await?.has_news(&who.handle) {
                others.push(live.id.clone());
            }
        }
        let is_by_itself = request.timeout.is_none() && Instant::now() >= over;
        let client = caller.client.clone().filter(|_| is_by_itself);
        let by_itself = client.map(|client| (client, begun.elapsed()));
        let said = Said { other_rooms: others, by_itself, ..Said::default() };
        let left = over.saturating_duration_since(Instant::now());
        let answer = self.shared.wait_in(live, caller, who, *until, Some(left), said).await?;
        if !answer.turn.is_empty() {
            // What the caller says to this, without naming a room, belongs here.
            live.lock(&self.shared).await?.name_for(caller, &request.handle, &who.handle);
        }
        Ok(answer)
    }

    /// The rooms in which the handle takes part. One that refuses the caller keeps it from no other.
    async fn rooms_of(
        &self,
        caller: &Caller,
        handle: &Handle,
        request: &Wait,
    ) -> Result<Vec<(Arc<LiveRoom>, Who, Until)>, HubError> {
        let (mut found, mut refused) = (Vec::new(), None);
        for (live, brief) in self.shared.open_rooms().await {
            if brief.has_joined(handle) {
                let begun = async {
                    let live = self.shared.wake(&live).await?;
                    let (who, until) = self.begin_wait(caller, &live, request, Call::WaitEverywhere).await?;
                    Ok((live, who, until))
                };
                match begun.await {
                    Ok(begun) => found.push(begun),
                    Err(error) => refused = Some(error),
                }
            }
        }
        if found.is_empty() { Err(refused.unwrap_or(HubError::NoRoom)) } else { Ok(found) }
    }

    /// Ends when there is news for `who` in a room. It counts as waiting there until then.
    async fn watch(&self, live: &Arc<LiveRoom>, who: &Who, until: Until) -> Result<Watched, HubError> {
        let mut wait = self.shared.open_wait(live, who)?;
        let begun = Instant::now();
        loop {
            wait.rings.borrow_and_update();
            let look = live.lock(&self.shared).await?.look(who, until, begun);
            let again = match look {
                Look::Over(_) => return Ok(Watched::News),
                Look::On(_) if wait.is_replaced() => return Ok(Watched::Replaced),
                Look::On(again) => again,
            };
            let later = async {
                match again {
                    Some(again) => tokio::time::sleep_until(again).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = wait.rings.changed() => {}
                () = later => {}
            }
        }
    }
}
