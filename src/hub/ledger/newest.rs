//! The newest messages of a room, whole: most readers want no others.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::room::Message;

/// So many are kept,
const MESSAGES: usize = 512;
/// and so many bytes of what they say; the newest one is kept in any case.
const BYTES: usize = 2 << 20;

/// The newest messages, without a gap in their numbers.
#[derive(Debug, Default)]
pub(super) struct Newest {
    messages: VecDeque<Arc<Message>>,
    bytes: usize,
}

impl Newest {
    /// Takes the next message in.
    pub(super) fn push(&mut self, message: Arc<Message>) {
        if self.messages.back().is_some_and(|last| last.seq_id + 1 != message.seq_id) {
            *self = Self::default();
        }
        self.bytes += message.weight();
        self.messages.push_back(message);
        while self.messages.len() > MESSAGES || (self.bytes > BYTES && self.messages.len() > 1) {
            let oldest = self.messages.pop_front();
            self.bytes -= oldest.map_or(0, |oldest| oldest.weight());
        }
    }

    /// The number of the oldest one.
    pub(super) fn first(&self) -> u64 {
        self.messages.front().map_or(u64::MAX, |message| message.seq_id)
    }

    /// The message of a number.
    pub(super) fn get(&self, seq: u64) -> Option<&Arc<Message>> {
        self.messages.get(usize::try_from(seq.checked_sub(self.first())?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::room::{Sender, Via};

    fn message(seq_id: u64, bytes: usize) -> Arc<Message> {
        Arc::new(Message {
            seq_id,
            sender: Sender::System,
            recipients: Vec::new(),
            content: "x".repeat(bytes),
            is_private: false,
            at: DateTime::UNIX_EPOCH,
            reply_to: None,
            choices: Vec::new(),
            via: Via::System,
            is_verified: false,
            origin: String::new(),
            about: None,
        })
    }

    #[test]
    fn long_messages_take_the_place_of_more_old_ones() {
        let mut newest = Newest::default();
        for seq in 1..=4 {
            newest.push(message(seq, BYTES / 3));
        }
        assert_eq!(newest.first(), 3);
        newest.push(message(5, BYTES * 2));
        assert_eq!((newest.first(), newest.get(5).map(|message| message.seq_id)), (5, Some(5)));
    }

    #[test]
    fn a_number_that_is_missing_moves_no_other() {
        let mut newest = Newest::default();
        for seq in [1, 2, 4, 5] {
            newest.push(message(seq, 1));
        }
        assert!(newest.get(2).is_none() && newest.get(3).is_none());
        assert_eq!(newest.get(5).map(|message| message.seq_id), Some(5));
    }
}
