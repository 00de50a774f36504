//! An answer to one caller: what is new for it, and how the room stands.

use std::sync::Arc;
use std::time::Duration;

use super::answer::{Answer, Given, Posted, Receipt, TurnResult, TurnStatus, WaitingFor};
use super::caller::Client;
use super::desk;
use super::error::HubError;
use super::live::{LiveRoom, Locked};
use super::next::{Told, next};
use super::who::Who;
use crate::room::{Handle, Phase, Status};

/// Bytes of messages that one answer may carry. The first one is always given, whole.
const MAX_BYTES: usize = 64 << 10;
/// Messages that are fetched at once.
const BATCH: usize = 64;
/// The number of turns until a pause is told when no more are left.
const FEW_TURNS: u32 = 10;

/// What an answer says beside the state of the room.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub status: Option<TurnStatus>,
    pub posted: Option<Posted>,
    pub notice: Option<String>,
    pub key: Option<String>,
    pub waited: Duration,
    pub other_rooms: Vec<String>,
    /// Whether the call brought a message that was not posted.
    pub is_refused: bool,
    /// The client whose call ended by itself at the end of its usual time, and that time.
    pub by_itself: Option<(Client, Duration)>,
}

struct Slice {
    given: Vec<Given>,
    upto: u64,
    remaining: u64,
}

impl Locked<'_> {
    /// Puts an answer together and hands it over.
    pub(super) async fn answer(
        &mut self,
        live: &Arc<LiveRoom>,
        who: &Who,
        said: Said,
    ) -> Result<Answer, HubError> {
        let before = self.seen(who);
        let status = said.status.unwrap_or(TurnStatus::Timeout);
        let is_reader =
            self.room().participant(&who.handle).is_some_and(|member| member.status != Status::Left);
        let slice = if status == TurnStatus::Replaced || !is_reader {
            Slice { given: Vec::new(), upto: before, remaining: 0 }
        } else {
            self.slice(who, before).await?
        };
        self.hand(who, before, slice.upto);
        let has_news = !slice.given.is_empty() || status == TurnStatus::YourTurn;
        let settles = settles(who, status, said.posted.as_ref(), has_news);
        let turn = self.room().turn().filter(|turn| turn.handle == who.handle).map(|turn| turn.number);
        let freed = self.room().freed();
        let receipt = self.hub.receipts.give(live, &who.handle, who.desk_key().1);
        let desk = self.desk(who);
        desk.give(desk::Given {
            receipt,
            session: who.session.clone(),
            before,
            upto: slice.upto,
            settles,
            is_last: status == TurnStatus::Closed && slice.remaining == 0,
            by_itself: said.by_itself.clone(),
        });
        desk.tell_free(freed, &who.session);
        if let Some(turn) = turn {
            desk.tell(turn, &who.session);
        }
        desk.empty_in_a_row = if has_news { 0 } else { desk.empty_in_a_row.saturating_add(1) };
        let is_stuck = desk.empty_in_a_row > 2;
        let turn = self.turn_result(who, said, status, slice, is_stuck);
        Ok(Answer { turn, receipt: Receipt(receipt) })
    }

    fn turn_result(
        &self,
        who: &Who,
        said: Said,
        status: TurnStatus,
        slice: Slice,
        is_stuck: bool,
    ) -> TurnResult {
        let room = self.room();
        let told = Told {
            status,
            remaining: slice.remaining,
            has_words: !slice.given.is_empty(),
            is_refused: said.is_refused,
            is_stuck,
        };
        let members = room.participants().into_iter();
        let turns_left = room.turns_until_pause().filter(|left| *left <= FEW_TURNS && !who.is_human);
        TurnResult {
            status,
            room: self.live.id.clone(),
            active_turn: room.active_turn(),
            new_messages: slice.given,
            current_queue: room.queue(),
            active_participants: members.filter(|m| m.is_here()).map(|m| m.handle.clone()).collect(),
            system_notice: said.notice,
            last_seq_id: room.last_seq(),
            remaining_unread: slice.remaining,
            posted: said.posted,
            agent_turns_until_pause: turns_left,
            waited: said.waited,
            waiting_for: if is_stuck { self.waiting_for(&who.handle) } else { None },
            other_rooms: said.other_rooms,
            key: said.key,
            next: next(room, &who.handle, told),
            warning: self.live.note.warning(),
        }
    }

    /// Whom the room waits for, if it is somebody else.
    fn waiting_for(&self, who: &Handle) -> Option<WaitingFor> {
        let room = self.room();
        let waiting = match room.phase() {
            Phase::Open => {
                room.turn().map(|turn| WaitingFor { handle: turn.handle.clone(), since: turn.since })
            }
            Phase::Paused => {
                room.active_turn().map(|handle| WaitingFor { handle, since: room.last_activity() })
            }
            Phase::Gathering => {
                let missing = room.missing().into_iter().next();
                missing.map(|handle| WaitingFor { handle, since: room.last_activity() })
            }
            Phase::Closed => None,
        };
        waiting.filter(|waiting| waiting.handle != *who)
    }

    /// What is new for the caller, oldest first, as much as fits. Notices do not count for the cut.
    async fn slice(&self, who: &Who, seen: u64) -> Result<Slice, HubError> {
        let handed = self.handed(who);
        let unread: Vec<u64> = self.inside.ledger.unread(who.reader(), seen).collect();
        let (mut given, mut bytes) = (Vec::new(), 0);
        for batch in unread.chunks(BATCH) {
            let fetched = self.inside.ledger.fetch(batch, &*self.hub.journal, &self.live.stream).await;
            for message in fetched.map_err(|error| HubError::unread(&self.live.id, error))? {
                let size = if message.is_notice() { 0 } else { message.weight() };
                if bytes > 0 && bytes + size > MAX_BYTES {
                    let upto = message.seq_id - 1;
                    let remaining = self.inside.ledger.count_unread(who.reader(), upto);
                    return Ok(Slice { given, upto, remaining });
                }
                bytes += size;
                let redelivered = message.seq_id <= handed;
                given.push(Given { message, redelivered });
            }
        }
        Ok(Slice { given, upto: self.room().last_seq(), remaining: 0 })
    }
}

/// The newest post of the caller that an answer settles: one that was made before its call began, and the post of
/// the call itself if there is news. A caller that gave up its post may have had this answer on another way.
fn settles(who: &Who, status: TurnStatus, posted: Option<&Posted>, has_news: bool) -> u64 {
    match posted {
        _ if status == TurnStatus::Replaced => 0,
        Some(posted) if has_news => posted.seq_id,
        Some(_) => 0,
        None => who.last_own,
    }
}
