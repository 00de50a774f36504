//! What is in no entry of its list: found by its own log, and listed again.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::{Event, List};
use crate::hub::aggregate::Aggregate;
use crate::hub::codec;
use crate::journal::{Journal, JournalError, StreamId, Version};

impl<A: Aggregate> List<A> {
    /// Lists those that are in no entry, by their own logs: their entries are damaged, or whoever made them died, or
    /// could not write, in between. What cannot be stored is so for this run of the hub.
    pub(super) async fn find_lost(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let mut lost = self.lost(journal).await?;
        lost.sort_by_key(|(at, _)| *at);
        for (at, event) in lost {
            let Event::Listed { id, .. } = &event else { continue };
            if self.all.contains_key(id) {
                continue;
            }
            tracing::warn!(what = A::WHAT, %id, "what the list did not name is listed again");
            if let Err(error) = self.store(journal, event.clone(), at).await {
                tracing::warn!(what = A::WHAT, %error, "the list cannot be written");
                self.apply(event, self.version);
            }
        }
        Ok(())
    }

    /// The entries that those need that have none, and when those were made.
    async fn lost(&self, journal: &dyn Journal) -> Result<Vec<(DateTime<Utc>, Event)>, JournalError> {
        let known: BTreeSet<&StreamId> = self.all.values().map(|listed| &listed.stream).collect();
        let streams = journal.streams().await?;
        let mut lost = Vec::new();
        for stream in streams.iter().filter(|stream| A::owns(stream) && !known.contains(stream)) {
            let page = match journal.read(stream, Version::EMPTY, 1).await {
                Err(JournalError::Damaged { .. }) => continue,
                page => page?,
            };
            let Ok(events) = codec::decode::<A::Event>(stream, &page) else { continue };
            if let (Some(recorded), Some((event, _))) = (page.first(), events.first())
                && let Some(id) = A::made(event)
            {
                let (id, request_id) = (id.to_owned(), A::request(event));
                lost.push((recorded.at, Event::Listed { id, stream: stream.to_string(), request_id }));
            }
        }
        Ok(lost)
    }
}
