//! Joining, speaking, waiting and passing: the calls of a conversation.

use std::sync::Arc;
use std::time::Duration;

use super::Hub;
use super::answer::{Answer, Delivery, DeliveryState, Posted, TurnStatus};
use super::caller::{Caller, Mouth};
use super::compose::Said;
use super::error::HubError;
use super::live::{LiveRoom, Locked};
use super::manage::short;
use super::request::{Join, Pass, Send, Wait};
use super::waiting::Until;
use super::who::{Call, Who};
use crate::room::command::{self, Post, ReplyTo};
use crate::room::{Command, Event, Handle, Phase, Refusal, Status, Via, is_unseen};

/// Bytes of a request id: it is kept with the post.
const MAX_REQUEST_ID: usize = 200;

/// Answers that a question may offer.
const MAX_CHOICES: usize = 30;
/// Bytes of one of them: it has to fit on a button.
const MAX_CHOICE_BYTES: usize = 1_000;
/// Bytes of the reason of a pass; more is a message.
const MAX_REASON: usize = 4 << 10;

impl Hub {
    /// Joins a room, and waits until it has opened.
    pub async fn join(&self, caller: &Caller, request: Join) -> Result<Answer, HubError> {
        self.refuse_if_stopping()?;
        let live = self.shared.find(caller, request.room.as_deref(), Some(&request.handle)).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Join).await?;
        if request.name.is_some() && who.is_human {
            room.check_verified(caller, &who.handle)?;
        }
        let count = room.room().participants().len();
        let limit = self.shared.settings.limits.participants;
        if room.room().participant(&who.handle).is_none() && count >= limit {
            return Err(HubError::Limit { what: "participants of a room", limit, setting: "participants" });
        }
        let history = request.history.map(history).transpose()?.unwrap_or(0);
        let history = room.inside.ledger.span_of_last(&who.handle, history);
        let join = command::Join { handle: who.handle.clone(), name: request.name, history };
        room.execute(Command::Join(join)).await?;
        room.own(&who).await?;
        room.acknowledge(&who, None)?;
        let key = room.exchange_invite(&who, request.key.as_deref()).await?;
        let notice = Some(super::briefing::briefing(room.room(), &who.handle));
        let said = Said { notice, key, ..Said::default() };
        if who.is_human || room.room().phase() != Phase::Gathering {
            return self.answer_joined(room, &live, &who, said).await;
        }
        drop(room);
        self.shared.wait_in(&live, caller, &who, Until::Opened, request.timeout, said).await
    }

    /// Who joins a room that has opened is answered at once, and so is a person.
    async fn answer_joined(
        &self,
        mut room: Locked<'_>,
        live: &Arc<LiveRoom>,
        who: &Who,
        mut said: Said,
    ) -> Result<Answer, HubError> {
        said.status = Some(match room.room().active_turn() {
            Some(holder) if holder == who.handle => TurnStatus::YourTurn,
            _ if room.room().phase() == Phase::Paused => TurnStatus::Paused,
            _ => TurnStatus::Joined,
        });
        room.answer(live, who, said).await
    }

    /// Posts, and waits for what comes next.
    pub async fn send(&self, caller: &Caller, request: Send) -> Result<Answer, HubError> {
        self.refuse_if_stopping()?;
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.sender).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.sender, request.key.as_deref(), Call::Act).await?;
        room.acknowledge(&who, request.after_seq_id)?;
        let timeout = if request.block == Some(false) { Some(Duration::ZERO) } else { request.timeout };
        let post = self.post(&room, caller, &who, request)?;
        let posted = room.post(post).await?;
        room.own(&who).await?;
        let Some(posted) = posted else {
            let status = Some(room.status_out_of_turn());
            return room.answer(&live, &who, Said { status, is_refused: true, ..Said::default() }).await;
        };
        drop(room);
        live.note.written(posted.seq_id).await;
        let said = Said { posted: Some(posted), ..Said::default() };
        self.shared.wait_in(&live, caller, &who, Until::News, timeout, said).await
    }

    fn post(&self, room: &Locked<'_>, caller: &Caller, who: &Who, request: Send) -> Result<Post, HubError> {
        let reply_to = match request.reply_to {
            None => None,
            Some(seq) => Some(ReplyTo { is_question: request.is_answer, ..room.reply_to(&who.handle, seq)? }),
        };
        Ok(Post {
            sender: who.handle.clone(),
            content: request.content,
            max_bytes: self.shared.settings.max_message,
            is_private: request.is_private,
            recipients: request.recipients,
            reply_to,
            choices: choices(request.choices)?,
            expects_reply: request.expects_reply.unwrap_or(true),
            request_id: short("request_id", request.request_id, MAX_REQUEST_ID)?,
            via: match caller.mouth {
                Mouth::Mcp => Via::Mcp,
                Mouth::Terminal => Via::Terminal,
                Mouth::Page => Via::Page,
                Mouth::Note => Via::Note,
            },
            is_verified: caller.is_verified && who.is_human,
            origin: who.origin.clone(),
        })
    }

    /// Waits for a turn or a message.
    pub async fn wait(&self, caller: &Caller, request: Wait) -> Result<Answer, HubError> {
        self.refuse_if_stopping()?;
        if request.room.as_deref() == Some("*") {
            return self.wait_everywhere(caller, request).await;
        }
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let (who, until) = self.begin_wait(caller, &live, &request, Call::Wait).await?;
        self.shared.wait_in(&live, caller, &who, until, request.timeout, Said::default()).await
    }

    /// What a wait does before it waits; gives for what it waits.
    pub(super) async fn begin_wait(
        &self,
        caller: &Caller,
        live: &LiveRoom,
        request: &Wait,
        call: Call,
    ) -> Result<(Who, Until), HubError> {
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), call).await?;
        if request.request_turn && who.is_human {
            room.check_verified(caller, &who.handle)?;
        }
        if room.room().phase() != Phase::Closed {
            let handle = who.handle.clone();
            let command =
                if request.request_turn { Command::RequestTurn(handle) } else { Command::Contact(handle) };
            room.execute(command).await?;
        }
        room.own(&who).await?;
        room.acknowledge(&who, request.after_seq_id)?;
        let until = if room.room().phase() == Phase::Gathering { Until::Opened } else { Until::News };
        Ok((who, until))
    }

    /// Passes the turn on.
    pub async fn pass(&self, caller: &Caller, request: Pass) -> Result<Answer, HubError> {
        self.refuse_if_stopping()?;
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Act).await?;
        room.acknowledge(&who, None)?;
        let reason = short("reason", request.reason, MAX_REASON)?;
        let pass = command::Pass { by: who.handle.clone(), to: request.to, reason };
        let events = room.execute(Command::Pass(pass)).await?;
        room.own(&who).await?;
        let has_passed = events.iter().any(|event| matches!(event, Event::Passed { .. }));
        let status = if has_passed {
            match room.room().active_turn() {
                Some(holder) if holder == who.handle => TurnStatus::YourTurn,
                _ => TurnStatus::MessageReceived,
            }
        } else {
            room.status_out_of_turn()
        };
        room.answer(&live, &who, Said { status: Some(status), ..Said::default() }).await
    }
}

impl Locked<'_> {
    /// Posts, or finds that it had been posted. `None`: it is not the sender's turn.
    async fn post(&mut self, post: Post) -> Result<Option<Posted>, HubError> {
        if let Some(repeat) = self.room().repeat_of(&post)? {
            let delivery = self.delivery(&repeat.recipients, &repeat.unknown, &[]);
            let (seq_id, recipients, unknown) = (repeat.seq, repeat.recipients.to_vec(), repeat.unknown);
            return Ok(Some(Posted { seq_id, recipients, unknown, delivery, repeated: true }));
        }
        let waiting = self.live.bells.waiting();
        let events = self.execute(Command::Post(Box::new(post))).await?;
        let posted = events.into_iter().find_map(|event| match event {
            Event::Posted(posted) => Some(posted),
            _ => None,
        });
        Ok(posted.map(|posted| Posted {
            seq_id: posted.seq,
            delivery: self.delivery(&posted.recipients, &posted.unknown, &waiting),
            recipients: posted.recipients,
            unknown: posted.unknown,
            repeated: false,
        }))
    }

    /// Where a message is for each recipient, if those in `waiting` were woken by it; and who is named in vain,
    /// because it has left.
    fn delivery(&self, recipients: &[Handle], unknown: &[String], waiting: &[Handle]) -> Vec<Delivery> {
        let state = |handle: &Handle| {
            let member = self.room().participant(handle)?;
            let state = match member.status {
                _ if waiting.contains(handle) => DeliveryState::Woken,
                _ if member.is_human() => DeliveryState::Question,
                Status::Expected => DeliveryState::Expected,
                Status::Active => DeliveryState::Queued,
                Status::Away => DeliveryState::Away,
                Status::Left => DeliveryState::Left,
            };
            Some(Delivery { handle: handle.clone(), state, since: member.away_since })
        };
        let named = unknown.iter().filter_map(|name| self.room().resolve(name));
        let left = named.filter(|member| member.status == Status::Left).map(|member| &member.handle);
        recipients.iter().chain(left).filter_map(state).collect()
    }

    fn status_out_of_turn(&self) -> TurnStatus {
        match self.room().phase() {
            Phase::Gathering => TurnStatus::Waiting,
            Phase::Paused => TurnStatus::Paused,
            Phase::Open => TurnStatus::NotYourTurn,
            Phase::Closed => TurnStatus::Closed,
        }
    }

    /// The message that a post answers; it must be one that the sender may read.
    fn reply_to(&self, sender: &Handle, seq: i64) -> Result<ReplyTo, HubError> {
        let unknown = || HubError::Refused(Refusal::NoSuchMessage(seq.unsigned_abs()));
        let seq = u64::try_from(seq).map_err(|_| unknown())?;
        if !self.inside.ledger.may_read(sender, seq) {
            return Err(unknown());
        }
        Ok(ReplyTo { seq, sender: self.inside.ledger.sender(seq).cloned(), is_question: false })
    }
}

fn history(count: i64) -> Result<u64, HubError> {
    let problem =
        || HubError::argument("history", format!("{count} is no number of messages"), &["0 to 10000"]);
    u64::try_from(count).ok().filter(|count| *count <= 10_000).ok_or_else(problem)
}

/// Answers to choose from: few enough to be looked at, and each with something to see.
fn choices(given: Vec<String>) -> Result<Vec<String>, HubError> {
    let is_blank = |choice: &String| choice.chars().all(|c| c.is_whitespace() || is_unseen(c));
    if given.len() > MAX_CHOICES {
        let problem = format!("{} choices are more than a person looks at", given.len());
        return Err(HubError::argument("choices", problem, &["at most 30, or a question without choices"]));
    }
    if given.iter().any(is_blank) {
        return Err(HubError::argument(
            "choices",
            "one of them shows nothing",
            &["choices of visible words"],
        ));
    }
    if given.iter().any(|choice| choice.len() > MAX_CHOICE_BYTES) {
        let problem = "one of them is too long for a button; say it in the message";
        return Err(HubError::argument("choices", problem, &["at most 1,000 bytes each"]));
    }
    Ok(given)
}
