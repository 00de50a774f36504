//! What was said in one room: one short line per message, and the newest messages whole. Older ones are read
//! from the journal when somebody needs them.

mod newest;
mod wanted;

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::notice;
use crate::journal::{Journal, JournalError, StreamId, Version};
use crate::room::{Event, Handle, Message, Sender};
use newest::Newest;
pub(super) use wanted::Wanted;

/// What was said in one room.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    lines: Vec<Line>,
    newest: Newest,
    /// Lines share them: a long past is the words of a few.
    senders: BTreeSet<Handle>,
    origins: BTreeSet<Arc<str>>,
}

/// One message or notice; its number is its place.
#[derive(Debug)]
pub(super) struct Line {
    /// Where the journal has it.
    version: Version,
    pub at: DateTime<Utc>,
    sender: Option<Handle>,
    /// Who else may read it; everyone if it is public.
    readers: Option<Arc<[Handle]>>,
    origin: Arc<str>,
}

/// Who looks: a participant, at a place from which it may have spoken itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    pub handle: &'a Handle,
    pub origin: &'a str,
}

impl Ledger {
    /// Takes an event in; gives the message, if it is one.
    pub(super) fn push(&mut self, event: &Event, version: Version) -> Option<Arc<Message>> {
        let message = Arc::new(notice::message(event)?);
        // A number that only a kind of event unknown here could explain stays empty, for everyone.
        while (self.lines.len() as u64) + 1 < message.seq_id {
            self.lines.push(Line::unknown(version, message.at));
        }
        let sender = match &message.sender {
            Sender::Participant(handle) => Some(shared(&mut self.senders, handle.clone())),
            Sender::System => None,
        };
        let readers = message.is_private.then(|| message.recipients.as_slice().into());
        let origin = shared(&mut self.origins, message.origin.as_str().into());
        self.lines.push(Line { version, at: message.at, sender, readers, origin });
        self.newest.push(Arc::clone(&message));
        Some(message)
    }

    /// The numbers after `after` that are for `reader`, oldest first. What it said itself is not for it, but
    /// what was said under its handle at another place is.
    pub(super) fn unread(&self, reader: Reader, after: u64) -> impl Iterator<Item = u64> {
        self.after(after).filter(move |(_, line)| line.is_for(reader)).map(|(seq, _)| seq)
    }

    /// Whether one of them is a message, not a notice.
    pub(super) fn has_unread(&self, reader: Reader, after: u64) -> bool {
        self.after(after).any(|(_, line)| line.sender.is_some() && line.is_for(reader))
    }

    /// How many of them are messages, not notices.
    pub(super) fn count_unread(&self, reader: Reader, after: u64) -> u64 {
        self.after(after).filter(|(_, line)| line.sender.is_some() && line.is_for(reader)).count() as u64
    }

    /// Whether something was said after `after` under the reader's own handle at another place.
    pub(super) fn has_own_word(&self, reader: Reader, after: u64) -> bool {
        self.after(after).any(|(_, line)| line.sender.as_ref() == Some(reader.handle) && line.is_for(reader))
    }

    /// The numbers between `after` and `before`, both not among them, that `handle` may read.
    pub(super) fn readable(
        &self,
        handle: &Handle,
        after: u64,
        before: u64,
    ) -> impl DoubleEndedIterator<Item = u64> {
        let range = self.between(after, before.saturating_sub(1));
        range.filter(move |(_, line)| line.may_be_read_by(handle)).map(|(seq, _)| seq)
    }

    /// How many of the newest numbers hold the last `count` messages that `handle` may read.
    pub(super) fn span_of_last(&self, handle: &Handle, count: u64) -> u64 {
        let mut left = count;
        let newest_first = self.lines.iter().rev();
        let span = newest_first.take_while(|line| {
            let is_wanted = left > 0;
            left -= u64::from(is_wanted && line.sender.is_some() && line.may_be_read_by(handle));
            is_wanted
        });
        span.count() as u64
    }

    pub(super) fn may_read(&self, handle: &Handle, seq: u64) -> bool {
        self.line(seq).is_some_and(|line| line.may_be_read_by(handle))
    }

    pub(super) fn line(&self, seq: u64) -> Option<&Line> {
        self.lines.get(usize::try_from(seq.checked_sub(1)?).ok()?)
    }

    /// The version of the log just before message `seq`.
    pub(super) fn version_before(&self, seq: u64) -> Option<Version> {
        self.line(seq).map(|line| Version(line.version.0 - 1))
    }

    /// Who said it; `None` for a notice.
    pub(super) fn sender(&self, seq: u64) -> Option<&Handle> {
        self.line(seq)?.sender.as_ref()
    }

    /// The messages of [`Ledger::want`], for who goes on with the room in hand.
    pub(super) async fn fetch(
        &self,
        seqs: &[u64],
        journal: &dyn Journal,
        stream: &StreamId,
    ) -> Result<Vec<Arc<Message>>, JournalError> {
        self.want(seqs).read(journal, stream).await
    }

    fn after(&self, after: u64) -> impl Iterator<Item = (u64, &Line)> {
        self.between(after, u64::MAX)
    }

    /// The lines after `after` up to and with `last`.
    fn between(&self, after: u64, last: u64) -> impl DoubleEndedIterator<Item = (u64, &Line)> {
        let place = |seq: u64| usize::try_from(seq).unwrap_or(usize::MAX).min(self.lines.len());
        let (start, end) = (place(after), place(last).max(place(after)));
        self.lines[start..end].iter().enumerate().map(move |(at, line)| ((start + at) as u64 + 1, line))
    }
}

/// The same value, in the copy that is known already.
fn shared<T: Ord + Clone>(known: &mut BTreeSet<T>, value: T) -> T {
    if let Some(same) = known.get(&value) {
        return same.clone();
    }
    known.insert(value.clone());
    value
}

impl Line {
    fn unknown(version: Version, at: DateTime<Utc>) -> Self {
        Self { version, at, sender: None, readers: Some(Arc::new([])), origin: Arc::default() }
    }

    /// Whether only sender and recipients may read it.
    pub(super) fn is_private(&self) -> bool {
        self.readers.is_some()
    }

    fn may_be_read_by(&self, handle: &Handle) -> bool {
        let is_reader = |readers: &Arc<[Handle]>| readers.contains(handle);
        self.readers.as_ref().is_none_or(is_reader) || self.sender.as_ref() == Some(handle)
    }

    fn is_for(&self, reader: Reader) -> bool {
        let is_own_word = self.sender.as_ref() == Some(reader.handle) && *self.origin == *reader.origin;
        !is_own_word && self.may_be_read_by(reader.handle)
    }
}
