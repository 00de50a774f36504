//! Waiting: until it is one's turn, a message came, the time is over, or the caller is gone.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::answer::{Answer, TurnStatus};
use super::bells::OpenWait;
use super::caller::Caller;
use super::compose::Said;
use super::error::HubError;
use super::live::{LiveRoom, Locked};
use super::shared::Shared;
use super::who::Who;
use crate::room::{Handle, News, Phase, Refusal, Status};

/// Nobody may wait longer in one call.
pub const MAX_WAIT: Duration = Duration::from_hours(24);

/// What a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The room has opened.
    Opened,
    /// There is news.
    News,
}

/// What a look at the room says to a waiter.
pub(super) enum Look {
    /// The wait is over.
    Over(TurnStatus),
    /// It goes on; look again at this time, if one is given.
    On(Option<Instant>),
}

impl Shared {
    /// Waits in one room, and answers.
    pub(super) async fn wait_in(
        &self,
        live: &Arc<LiveRoom>,
        caller: &Caller,
        who: &Who,
        until: Until,
        timeout: Option<Duration>,
        mut said: Said,
    ) -> Result<Answer, HubError> {
        let mut wait = self.open_wait(live, who)?;
        let begun = Instant::now();
        let over = begun + self.longest_wait(caller, timeout);
        let mut has_glanced = false;
        loop {
            wait.rings.borrow_and_update();
            let mut room = live.lock(self).await?;
            let look = match room.look(who, until, begun) {
                _ if caller.cancelled.is_cancelled() => return Err(HubError::Cancelled),
                Look::On(_) if wait.is_replaced() => Look::Over(TurnStatus::Replaced),
                Look::On(_) if self.stop.is_cancelled() => Look::Over(TurnStatus::Stopping),
                Look::On(_) if room.has_left(who) => {
                    return Err(Refusal::NotJoined(who.handle.clone()).into());
                }
                Look::On(_) if Instant::now() >= over => Look::Over(room.status_at_the_end(who, &said)),
                look => look,
            };
            match look {
                Look::Over(status) if !has_glanced && room.is_ahead_of_note(who, status) => {
                    drop(room);
                    has_glanced = true;
                    live.note.glance().await;
                }
                Look::Over(status) => {
                    said.status = Some(status_of_post(status, &said, room.has_unread(who, room.seen(who))));
                    said.waited = begun.elapsed();
                    let client =
                        caller.client.clone().filter(|_| timeout.is_none() && Instant::now() >= over);
                    said.by_itself = client.map(|client| (client, said.waited));
                    return room.answer(live, who, said).await;
                }
                Look::On(again) => {
                    drop(room);
                    self.sleep(caller, &mut wait, again.map_or(over, |again| again.min(over))).await;
                }
            }
            if caller.cancelled.is_cancelled() && timeout.is_none() {
                self.given_up(caller.client.as_ref(), begun.elapsed());
            }
        }
    }

    /// How long a call waits at most, if this is what it asks for.
    pub(super) fn longest_wait(&self, caller: &Caller, timeout: Option<Duration>) -> Duration {
        timeout.unwrap_or_else(|| self.patience.of(caller.client.as_ref())).min(MAX_WAIT)
    }

    /// Counts the call among those that wait in a room.
    pub(super) fn open_wait(&self, live: &LiveRoom, who: &Who) -> Result<OpenWait, HubError> {
        let limit = self.settings.limits.waits;
        let opened = live.bells.open(&who.handle, who.is_human, limit);
        opened.ok_or(HubError::Limit { what: "waits under one handle in a room", limit, setting: "waits" })
    }

    async fn sleep(&self, caller: &Caller, wait: &mut OpenWait, until: Instant) {
        tokio::select! {
            _ = wait.rings.changed() => {}
            () = tokio::time::sleep_until(until) => {}
            () = caller.cancelled.cancelled() => {}
            () = self.stop.cancelled() => {}
        }
    }
}

/// A post whose wait ends without a message for its sender was still posted.
fn status_of_post(status: TurnStatus, said: &Said, has_unread: bool) -> TurnStatus {
    match status {
        TurnStatus::Timeout if said.posted.is_some() => TurnStatus::Posted,
        TurnStatus::MessageReceived if said.posted.is_some() && !has_unread => TurnStatus::Posted,
        status => status,
    }
}

impl Locked<'_> {
    /// Whether the wait of `who`, which began at `begun`, is over.
    pub(super) fn look(&self, who: &Who, until: Until, begun: Instant) -> Look {
        let cursor = self.seen(who);
        let desk = self.inside.desks.get(&who.desk_key());
        let told_free = desk.map_or(0, |desk| desk.told_free(&who.session));
        let news = self.room().news(&who.handle, cursor, told_free);
        if until == Until::Opened && self.room().phase() == Phase::Open {
            return Look::Over(match news {
                Some(News::YourTurn(_)) => TurnStatus::YourTurn,
                _ => TurnStatus::Joined,
            });
        }
        match news {
            Some(News::Closed) => Look::Over(TurnStatus::Closed),
            Some(News::Paused) => Look::Over(TurnStatus::Paused),
            Some(News::Message | News::FloorFree(_)) => Look::Over(TurnStatus::MessageReceived),
            Some(News::YourTurn(turn)) => {
                let is_news = self.has_unread(who, cursor) || self.room().is_called_anew(&who.handle, cursor);
                let patience = match desk.map(|desk| desk.patience(turn, &who.session)) {
                    // It knows that others have to answer first. Only what they do is news.
                    Some(Some(_)) if self.room().only_waits_for(&who.handle).is_some() => None,
                    Some(Some(patience)) => Some(patience),
                    None | Some(None) => Some(Duration::ZERO),
                };
                match patience {
                    Some(patience) if begun.elapsed() < patience && !is_news => {
                        Look::On(Some(begun + patience))
                    }
                    None if !is_news => Look::On(None),
                    _ => Look::Over(TurnStatus::YourTurn),
                }
            }
            None if self.room().phase() == Phase::Open && self.has_own_word(who, cursor) => {
                Look::Over(TurnStatus::MessageReceived)
            }
            None => Look::On(None),
        }
    }

    /// Whether there is anything that would wake a waiter under this handle; it decides for itself then.
    pub(super) fn has_news(&self, handle: &Handle) -> bool {
        let desks = self.inside.desks.range((handle.clone(), None)..);
        let mut desks = desks.take_while(|((of, _), _)| of == handle).map(|(_, desk)| desk);
        let seen = self.room().participant(handle).map_or(0, |member| member.seen);
        desks.any(|desk| {
            let cursor = desk.cursor.unwrap_or(seen);
            self.room().news(handle, cursor, desk.last_told_free()).is_some()
                || self.room().last_own(handle) > cursor
        })
    }

    /// Whether an answer of this status gives messages, and the transcript lacks some of the room.
    fn is_ahead_of_note(&self, who: &Who, status: TurnStatus) -> bool {
        status != TurnStatus::Replaced && self.live.note.is_behind() && self.has_unread(who, self.seen(who))
    }

    fn has_unread(&self, who: &Who, cursor: u64) -> bool {
        self.inside.ledger.has_unread(who.reader(), cursor)
    }

    /// Whether something was said under the caller's own handle at another place.
    fn has_own_word(&self, who: &Who, cursor: u64) -> bool {
        self.room().last_own(&who.handle) > cursor && self.inside.ledger.has_own_word(who.reader(), cursor)
    }

    /// Who leaves, or is removed, while a call of it waits has nothing to wait for any more. A person comes back by
    /// calling.
    fn has_left(&self, who: &Who) -> bool {
        let member = self.room().participant(&who.handle);
        member.is_some_and(|member| member.status == Status::Left && !member.is_human())
    }

    /// The time is over. There may be messages all the same: not all end a wait.
    fn status_at_the_end(&self, who: &Who, said: &Said) -> TurnStatus {
        match self.room().phase() {
            Phase::Open if self.has_unread(who, self.seen(who)) => TurnStatus::MessageReceived,
            Phase::Gathering => TurnStatus::Waiting,
            Phase::Paused if said.posted.is_none() => TurnStatus::Paused,
            _ => TurnStatus::Timeout,
        }
    }
}
