//! Looking without taking part: reading, searching, listing.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::answer::{Hit, Hits, Member, Page, RoomState};
use super::caller::Caller;
use super::error::HubError;
use super::ledger::{Ledger, Reader};
use super::live::Locked;
use super::request::{Read, Search};
use super::who::Call;
use super::{Hub, codec, pages, searching};
use crate::journal::Version;
use crate::room::{Participant, Refusal};

const USUAL_READ: i64 = 50;
const MAX_READ: i64 = 500;
const USUAL_HITS: i64 = 20;
const MAX_HITS: i64 = 200;
/// Unread messages of one participant that are counted. A list costs no more in a room with a long past.
const MOST_COUNTED: usize = 1_000;
/// Bytes of messages that one page may carry. The first one is always given, whole.
const MAX_PAGE_BYTES: usize = 256 << 10;

impl Hub {
    /// Reads messages; moves no cursor.
    pub async fn read(&self, caller: &Caller, request: Read) -> Result<Page, HubError> {
        let limit = count("limit", request.limit, USUAL_READ, MAX_READ)?;
        let (after, before) =
            (seq("after_seq_id", request.after_seq_id)?, seq("before_seq_id", request.before_seq_id)?);
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Read).await?;
        room.check_reader(&who.handle)?;
        room.own(&who).await?;
        let readable =
            room.inside.ledger.readable(&who.handle, after.unwrap_or(0), before.unwrap_or(u64::MAX));
        // One more than wanted tells whether there are more.
        let mut seqs: Vec<u64> = match after {
            Some(_) => readable.take(limit + 1).collect(),
            None => readable.rev().take(limit + 1).collect(),
        };
        let mut more = seqs.len() > limit;
        seqs.truncate(limit);
        seqs.sort_unstable();
        let (wanted, last_seq_id) = (room.inside.ledger.want(&seqs), room.room().last_seq());
        drop(room);
        let mut messages = self.shared.said(&live, wanted).await?;
        more |= cut(&mut messages, after.is_some());
        Ok(Page { room: live.id.clone(), messages, last_seq_id, more })
    }

    /// Searches messages.
    pub async fn search(&self, caller: &Caller, request: Search) -> Result<Hits, HubError> {
        let limit = count("limit", request.limit, USUAL_HITS, MAX_HITS)?;
        if request.query.trim().is_empty() {
            return Err(HubError::argument("query", "it holds no word", &["one or more words"]));
        }
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let who = {
            let mut room = live.lock(&self.shared).await?;
            let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Read).await?;
            room.check_reader(&who.handle)?;
            room.own(&who).await?;
            who
        };
        let may_read = |ledger: &Ledger, seq: u64| ledger.may_read(&who.handle, seq);
        let found = searching::messages(&self.shared, &live, &request.query, limit, may_read).await?;
        let hit = |message: Arc<_>| Hit { snippet: searching::snippet(&message, &request.query), message };
        Ok(Hits { room: live.id.clone(), hits: found.into_iter().map(hit).collect() })
    }

    /// A room and everyone in it.
    pub async fn room_state(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        let live = self.shared.find(caller, room, None).await?;
        let room = live.lock(&self.shared).await?;
        Ok(room.state())
    }

    /// How many rooms there are.
    pub async fn room_count(&self) -> usize {
        self.shared.registry.lock().await.count()
    }

    /// The events of a room as JSON, the first one first: for people who want to see the log.
    pub async fn log(&self, caller: &Caller, room: Option<&str>) -> Result<Vec<Value>, HubError> {
        let live = self.shared.find(caller, room, None).await?;
        let mut events = Vec::new();
        let read = pages::read_on(&*self.shared.journal, &live.stream, Version::EMPTY, |page| {
            events.extend(page.iter().map(codec::show));
            Ok(ControlFlow::Continue(()))
        });
        read.await.map_err(|error| HubError::unread(&live.id, error))?;
        Ok(events)
    }

    /// A watch that changes whenever something in the room changes.
    pub async fn changes(&self, room: &str) -> Result<watch::Receiver<u64>, HubError> {
        Ok(self.shared.named_room(room).await?.changes.subscribe())
    }

    /// A watch that changes whenever a room is started or closed.
    #[must_use]
    pub fn room_list_changes(&self) -> watch::Receiver<u64> {
        self.shared.list_changes.subscribe()
    }
}

impl Locked<'_> {
    /// Who reads must be part of the room, or a person.
    fn check_reader(&self, handle: &crate::room::Handle) -> Result<(), HubError> {
        match self.room().participant(handle) {
            Some(member) if member.is_human() || member.is_present_or_awaited() => Ok(()),
            _ => Err(Refusal::NotJoined(handle.clone()).into()),
        }
    }

    /// The room and everyone in it.
    pub(super) fn state(&self) -> RoomState {
        let (room, now) = (self.room(), self.hub.clock.now());
        let participants: Vec<Member> = room.participants().into_iter().map(|m| self.member(m)).collect();
        RoomState {
            room: self.live.id.clone(),
            topic: room.topic().to_owned(),
            filepath: self.live.path.clone(),
            active_participants: room
                .participants()
                .iter()
                .filter(|member| member.is_here())
                .map(|member| member.handle.clone())
                .collect(),
            participants,
            active_turn: room.active_turn(),
            turn_since: room.turn().map(|turn| turn.since),
            turn_until: self.turn_until(now),
            turn_queue: room.queue(),
            message_count: room.message_count(),
            last_seq_id: room.last_seq(),
            phase: room.phase().word(),
            pause: room.pause().cloned(),
            tasks: room.tasks().map(str::to_owned).collect(),
            lodgers: room.lodgers().collect(),
            puzzles: room.puzzles().map(|(puzzle, ..)| puzzle.to_owned()).collect(),
            policy: room.policy().clone(),
            last_activity: room.last_activity(),
            why: room.why(&|handle| self.live.bells.is_waiting(handle)),
            at: now.wall,
        }
    }

    fn member(&self, member: &Participant) -> Member {
        let reader = Reader { handle: &member.handle, origin: "" };
        let others_words =
            |seq: &u64| self.inside.ledger.sender(*seq).is_some_and(|sender| *sender != member.handle);
        let unread = self.inside.ledger.unread(reader, member.seen).filter(others_words);
        let mut unread = unread.take(MOST_COUNTED);
        let oldest = unread.next();
        Member {
            handle: member.handle.clone(),
            name: member.name.clone(),
            is_human: member.is_human(),
            is_declared: member.is_declared,
            status: member.status,
            joined_at: member.joined_at,
            last_read_seq_id: member.seen,
            last_given_seq_id: member.handed,
            is_waiting: self.live.bells.is_waiting(&member.handle),
            unread: unread.count() as u64 + u64::from(oldest.is_some()),
            unread_since: oldest.and_then(|seq| self.inside.ledger.line(seq)).map(|line| line.at),
        }
    }
}

fn count(field: &'static str, wish: Option<i64>, usual: i64, most: i64) -> Result<usize, HubError> {
    let wish = wish.unwrap_or(usual);
    let fits = (1..=most).contains(&wish).then(|| usize::try_from(wish).ok()).flatten();
    fits.ok_or_else(|| {
        HubError::argument(field, format!("{wish} is out of range"), &[&format!("1 to {most}")])
    })
}

fn seq(field: &'static str, wish: Option<i64>) -> Result<Option<u64>, HubError> {
    wish.map(|wish| {
        u64::try_from(wish)
            .map_err(|_| HubError::argument(field, format!("{wish} is no seq_id"), &["0 or more"]))
    })
    .transpose()
}

/// Cuts a page that is too large: at its end, or where the newest matter, at its beginning.
pub(super) fn cut(messages: &mut Vec<Arc<crate::room::Message>>, keep_first: bool) -> bool {
    let (mut bytes, mut kept) = (0, 0);
    let mut fits = |message: &Arc<crate::room::Message>| {
        bytes += message.weight();
        kept += usize::from(kept == 0 || bytes <= MAX_PAGE_BYTES);
        bytes <= MAX_PAGE_BYTES
    };
    if keep_first {
        messages.iter().all(&mut fits);
    } else {
        messages.iter().rev().all(&mut fits);
    }
    let dropped = messages.len() - kept;
    if keep_first {
        messages.truncate(kept);
    } else {
        messages.drain(..dropped);
    }
    dropped > 0
}
