//! The newest public messages, as far as waits need to know.

use super::Handle;

/// The newest public messages. Two numbers tell for everyone what the newest one of somebody else is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spoken {
    newest: u64,
    speaker: Option<Handle>,
    newest_of_others: u64,
}

impl Spoken {
    pub(super) fn said(&mut self, speaker: &Handle, seq: u64) {
        if self.speaker.as_ref() != Some(speaker) {
            self.newest_of_others = self.newest;
            self.speaker = Some(speaker.clone());
        }
        self.newest = seq;
    }

    /// The newest public message that somebody other than `handle` said.
    pub(super) fn by_others(&self, handle: &Handle) -> u64 {
        if self.speaker.as_ref() == Some(handle) { self.newest_of_others } else { self.newest }
    }
}
