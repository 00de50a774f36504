//! Search: the index is a projection. It catches up with the log when somebody searches, so that a post does
//! not pay for it.

use std::sync::Arc;

use super::error::HubError;
use super::ledger::Ledger;
use super::live::LiveRoom;
use super::shared::Shared;
use crate::journal::JournalError;
use crate::journal::search::{Document, SearchError};
use crate::room::Message;

/// Characters around a hit.
const AROUND: usize = 60;
/// Hits that are asked of the index at once; some of them are not wanted.
const HITS: usize = 500;
/// Messages that are added at once.
const BATCH: u64 = 256;
/// How often an index that lost everything is filled again.
const TRIES: usize = 2;

/// The newest messages of a room that hold all words of the query and are wanted, the newest first. Whether one is
/// wanted is decided by what the room knows of it, before any is read.
pub(super) async fn messages(
    shared: &Arc<Shared>,
    live: &Arc<LiveRoom>,
    query: &str,
    limit: usize,
    is_wanted: impl Fn(&Ledger, u64) -> bool,
) -> Result<Vec<Arc<Message>>, HubError> {
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let hits = find(shared, live, query, before).await?;
        let is_last = hits.len() < HITS;
        before = hits.last().copied();
        if before.is_none() {
            return Ok(found);
        }
        let live = &shared.wake(live).await?;
        let room = live.lock(shared).await?;
        let wanted = hits.into_iter().filter(|seq| is_wanted(&room.inside.ledger, *seq));
        let mut wanted: Vec<u64> = wanted.take(limit - found.len()).collect();
        wanted.reverse();
        let wanted = room.inside.ledger.want(&wanted);
        drop(room);
        found.extend(shared.said(live, wanted).await?.into_iter().rev());
        if is_last || found.len() >= limit {
            return Ok(found);
        }
    }
}

/// The numbers of messages before one that hold all words of the query, the newest first: some of them.
async fn find(
    shared: &Arc<Shared>,
    live: &Arc<LiveRoom>,
    query: &str,
    before: Option<u64>,
) -> Result<Vec<u64>, HubError> {
    // Only one search at a time fills the index, so that it never has a gap.
    let _turn = shared.searching.lock().await;
    let mut tries = 0;
    loop {
        tries += 1;
        let found = match add_missing(shared, live).await? {
            Ok(()) => shared.search.find(&live.stream, query, before, HITS).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(seqs) => return Ok(seqs),
            Err(SearchError::Emptied) if tries < TRIES => {}
            Err(error) => {
                return Err(HubError::NotReadable(JournalError::Unavailable { source: Arc::new(error) }));
            }
        }
    }
}

/// Adds to the index what it does not have yet.
async fn add_missing(
    shared: &Arc<Shared>,
    live: &Arc<LiveRoom>,
) -> Result<Result<(), SearchError>, HubError> {
    loop {
        let indexed = match shared.search.indexed(&live.stream).await {
            Ok(indexed) => indexed,
            Err(error) => return Ok(Err(error)),
        };
        // A room at rest is loaded only if it has something that the index has not.
        if live.known_brief(shared).await.is_some_and(|brief| brief.last_seq <= indexed) {
            return Ok(Ok(()));
        }
        let live = &shared.wake(live).await?;
        let room = live.lock(shared).await?;
        let seqs: Vec<u64> = (indexed + 1..=room.room().last_seq().min(indexed + BATCH)).collect();
        if seqs.is_empty() {
            return Ok(Ok(()));
        }
        let wanted = room.inside.ledger.want(&seqs);
        drop(room);
        let messages = shared.said(live, wanted).await?;
        let documents = messages.iter().map(|message| Document {
            stream: live.stream.clone(),
            seq: message.seq_id,
            text: if message.is_notice() { String::new() } else { message.content.clone() },
        });
        if let Err(error) = shared.search.add(documents.collect()).await {
            return Ok(Err(error));
        }
    }
}

/// The words around the first hit, in one line.
pub(super) fn snippet(message: &Message, query: &str) -> String {
    let text: Vec<char> = message.content.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let folded: String = text.iter().filter_map(|c| c.to_lowercase().next()).collect();
    let word = query.split_whitespace().next().unwrap_or_default().to_lowercase();
    let at = folded.find(&word).map_or(0, |byte| folded[..byte].chars().count());
    let (start, end) = (at.saturating_sub(AROUND), (at + AROUND).min(text.len()));
    let mut snippet: String = text[start..end].iter().collect();
    if start > 0 {
        snippet.insert(0, '…');
    }
    if end < text.len() {
        snippet.push('…');
    }
    snippet
}
