//! A whole conversation as one text: made from the log, not from the note, so that it is complete and as it was said.

use std::ops::ControlFlow;

use super::caller::Caller;
use super::error::HubError;
use super::ledger::Ledger;
use super::request::{Export, Form};
use super::{Hub, codec, pages, story};
use crate::journal::Version;
use crate::room::Room;
use crate::transcript::{self, Entry};

/// A conversation as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Which room.
    pub room: String,
    /// The whole file.
    pub text: String,
    /// How many messages are in it.
    pub messages: usize,
    /// How many private messages were left out.
    pub left_out: usize,
}

impl Hub {
    /// Makes one file of a conversation.
    pub async fn export(&self, caller: &Caller, request: Export) -> Result<Exported, HubError> {
        let live = self.shared.find(caller, request.room.as_deref(), None).await?;
        let now = self.shared.clock.now().mono;
        // A room of its own, folded from the log: the living one goes on meanwhile.
        let (mut room, mut ledger, mut entries) = (Room::default(), Ledger::default(), Vec::new());
        let read = pages::read_on(&*self.shared.journal, &live.stream, Version::EMPTY, |page| {
            for (event, version) in codec::decode(&live.stream, page)? {
                room.apply(&event, now);
                ledger.push(&event, version);
                entries.extend(story::entry(&event, &room));
            }
            Ok(ControlFlow::Continue(()))
        });
        read.await.map_err(|error| HubError::unread(&live.id, error))?;
        let all = entries.len();
        entries.retain(|entry| request.with_private || !is_private(entry));
        let left_out = all - entries.len();
        let messages = entries.iter().filter(|entry| matches!(entry, Entry::Message { .. })).count();
        let head = story::head(&room, &ledger);
        let text = match request.form {
            Form::Markdown => transcript::markdown(&head, &entries),
            Form::Html => transcript::html_page(&head, &entries),
        };
        Ok(Exported { room: live.id.clone(), text, messages, left_out })
    }
}

fn is_private(entry: &Entry) -> bool {
    matches!(entry, Entry::Message { is_private: true, .. })
}
