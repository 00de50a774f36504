//! What people do and see beside the tools: answers, and a look at everything that was said in a room.

use super::Hub;
use super::answer::{Answer, Page};
use super::caller::Caller;
use super::error::HubError;
use super::look::cut;
use super::request::{self, Send};

/// Messages in one look at most.
const MOST: usize = 500;

impl Hub {
    /// Answers a question: the first answer counts, and whoever comes later is told so. The answer to a private
    /// question is private.
    pub async fn answer(&self, caller: &Caller, request: request::Answer) -> Result<Answer, HubError> {
        let live = self.shared.named_room(&request.room).await?;
        let is_private = {
            let room = live.lock(&self.shared).await?;
            room.inside.ledger.line(request.seq).is_some_and(super::ledger::Line::is_private)
        };
        let send = Send {
            sender: request.handle,
            content: request.content,
            is_private,
            reply_to: i64::try_from(request.seq).ok(),
            is_answer: true,
            room: Some(request.room),
            request_id: request.request_id,
            block: Some(false),
            ..Send::default()
        };
        self.send(caller, send).await
    }

    /// What was said in a room after `after`, or else just before `before`, the oldest first: private words too, as
    /// in the transcript. It is for people; agents read with [`Hub::read`].
    pub async fn everything_said(
        &self,
        room: &str,
        after: Option<u64>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page, HubError> {
        let live = self.shared.named_room(room).await?;
        let room = live.lock(&self.shared).await?;
        let limit = limit.clamp(1, MOST) as u64;
        let last = room.room().last_seq();
        let end = before.map_or(last, |before| last.min(before.saturating_sub(1)));
        let (from, to) = match after {
            Some(after) => (after.saturating_add(1), end.min(after.saturating_add(limit))),
            None => (end.saturating_sub(limit - 1).max(1), end),
        };
        let seqs: Vec<u64> = (from..=to).collect();
        let fetched = room.inside.ledger.fetch(&seqs, &*self.shared.journal, &live.stream).await;
        let mut messages = fetched.map_err(|error| HubError::unread(&live.id, error))?;
        let is_cut = cut(&mut messages, after.is_some());
        let more = is_cut || if after.is_some() { to < end } else { from > 1 };
        Ok(Page { room: live.id.clone(), messages, last_seq_id: last, more })
    }
}
