//! Messages that are asked for: what only the room knows of them is taken along, so that nobody waits for the journal
//! with a room in hand.

use std::sync::Arc;

use super::Ledger;
use crate::hub::{codec, notice};
use crate::journal::{Journal, JournalError, StreamId, Version};
use crate::room::Message;

/// Events that are read at once.
const PAGE: usize = 256;

/// Messages that are asked for, in the order of their numbers.
#[derive(Debug)]
pub(in crate::hub) struct Wanted {
    /// Numbers, and where the journal has them.
    old: Vec<(u64, Version)>,
    /// Those that are in memory come after all others.
    newest: Vec<Arc<Message>>,
}

impl Ledger {
    /// The messages with these numbers, which must be in order; as many as there are.
    pub(in crate::hub) fn want(&self, seqs: &[u64]) -> Wanted {
        let (old, newest) = seqs.split_at(seqs.partition_point(|seq| *seq < self.newest.first()));
        Wanted {
            old: old.iter().map_while(|seq| Some((*seq, self.line(*seq)?.version))).collect(),
            newest: newest.iter().filter_map(|seq| self.newest.get(*seq)).cloned().collect(),
        }
    }
}

impl Wanted {
    /// Reads them, or what is left of them when the room has been deleted meanwhile.
    pub(in crate::hub) async fn read(
        self,
        journal: &dyn Journal,
        stream: &StreamId,
    ) -> Result<Vec<Arc<Message>>, JournalError> {
        let mut found: Vec<Arc<Message>> = Vec::with_capacity(self.old.len() + self.newest.len());
        let mut wanted = self.old.into_iter().peekable();
        while let Some((_, first)) = wanted.peek() {
            let page = journal.read(stream, Version(first.0 - 1), PAGE).await?;
            let Some(last) = page.last().map(|recorded| recorded.version) else { break };
            let events = codec::decode(stream, &page)?;
            for message in events.iter().filter_map(|(event, _)| notice::message(event)) {
                if wanted.next_if(|(seq, _)| *seq == message.seq_id).is_some() {
                    found.push(Arc::new(message));
                }
            }
            // What an unknown kind hides is skipped, not asked for again.
            while wanted.next_if(|(_, version)| *version <= last).is_some() {}
        }
        found.extend(self.newest);
        Ok(found)
    }
}
