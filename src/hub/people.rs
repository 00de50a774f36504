//! What people do and see beside the tools: answers, and a look at everything that was said in a room.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::NaiveDate;

use super::answer::{Answer, Page};
use super::caller::Caller;
use super::error::HubError;
use super::ledger::{Ledger, Line};
use super::look::cut;
use super::request::{self, Send};
use super::{Hub, searching};
use crate::room::{Handle, Message};

/// What a person looks for.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// Words that the message holds.
    pub query: String,
    /// Only in this room.
    pub room: Option<String>,
    /// Only what this participant said.
    pub sender: Option<Handle>,
    /// Only what was said on this day, in UTC.
    pub day: Option<NaiveDate>,
    /// How many are wanted: one more may tell that there are more.
    pub limit: usize,
}

/// A message that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its room.
    pub room: String,
    /// The message.
    pub message: Arc<Message>,
}

impl Find {
    fn wants(&self, ledger: &Ledger, seq: u64) -> bool {
        self.sender.as_ref().is_none_or(|sender| ledger.sender(seq) == Some(sender))
            && self.day.is_none_or(|day| ledger.line(seq).is_some_and(|line| line.at.date_naive() == day))
    }
}

/// Messages in one look at most.
const MOST: usize = 500;

impl Hub {
    /// Answers a question: the first answer counts, and whoever comes later is told so. The answer to a private
    /// question is private.
    pub async fn answer(&self, caller: &Caller, request: request::Answer) -> Result<Answer, HubError> {
        let live = self.shared.named_room(&request.room).await?;
        let is_private = {
            let room = live.lock(&self.shared).await?;
            room.inside.ledger.line(request.seq).is_some_and(Line::is_private)
        };
        let send = Send {
            sender: request.handle,
            content: request.content,
            is_private,
            reply_to: Some(i64::try_from(request.seq).unwrap_or(i64::MAX)),
            is_answer: true,
            room: Some(request.room),
            request_id: request.request_id,
            block: Some(false),
            ..Send::default()
        };
        self.send(caller, send).await
    }

    /// Messages that hold all words, in one room or in all, the newest rooms first: private ones too.
    pub async fn find_words(&self, request: &Find) -> Result<Vec<Found>, HubError> {
        if request.query.trim().is_empty() {
            return Err(HubError::argument("query", "it holds no word", &["one or more words"]));
        }
        let mut rooms = self.shared.registry.lock().await.newest_first();
        if let Some(room) = &request.room {
            self.shared.named_room(room).await?;
            rooms.retain(|entry| entry.room == *room);
        }
        let mut found = Vec::new();
        let wants = |ledger: &Ledger, seq: u64| request.wants(ledger, seq);
        for entry in rooms {
            let live = self.shared.room(&entry);
            let left = (request.limit + 1).saturating_sub(found.len());
            let in_room = searching::messages(&self.shared, &live, &request.query, left, wants).await;
            match in_room {
                Ok(messages) => found
                    .extend(messages.into_iter().map(|message| Found { room: entry.room.clone(), message })),
                // Of a room that cannot be read nothing is found; the rest is.
                Err(error) => tracing::debug!(room = %entry.room, %error, "nothing is found in it"),
            }
            if found.len() > request.limit {
                break;
            }
        }
        Ok(found)
    }

    /// The folder in which a transcript lies whose path names none.
    #[must_use]
    pub fn first_folder(&self) -> Option<PathBuf> {
        self.shared.settings.folders.first().cloned()
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
        let wanted = room.inside.ledger.want(&seqs);
        drop(room);
        let mut messages = self.shared.said(&live, wanted).await?;
        let is_cut = cut(&mut messages, after.is_some());
        let more = is_cut || if after.is_some() { to < end } else { from > 1 };
        Ok(Page { room: live.id.clone(), messages, last_seq_id: last, more })
    }
}
