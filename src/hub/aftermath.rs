//! After a hub that died: rooms that are over have no next post that would write what their notes lack. Each of which no
//! hub has left a brief is loaded once, and its note is compared with its log. It never loads a room that is known.

use std::sync::{Arc, Weak};

use super::error::HubError;
use super::registry::Entry;
use super::shared::Shared;
use crate::room::Phase;

/// So many are looked at, the newest first: what a hub did before it died is among them.
const MOST: usize = 1_000;

/// Begins to look, where a missing brief says something.
pub(super) fn start(shared: &Arc<Shared>) {
    if shared.misses_briefs() {
        shared.tasks.spawn(run(Arc::downgrade(shared)));
    }
}

/// One after the other, so that calls come first.
async fn run(shared: Weak<Shared>) {
    let Some(hub) = shared.upgrade() else { return };
    let mut entries = hub.registry.lock().await.newest_first();
    drop(hub);
    entries.truncate(MOST);
    for entry in entries {
        let Some(hub) = shared.upgrade().filter(|hub| !hub.stop.is_cancelled()) else { return };
        if let Err(error) = bring_up_to_date(&hub, &entry).await {
            tracing::debug!(room = %entry.room, %error, "its note is not looked at");
        }
    }
}

async fn bring_up_to_date(hub: &Arc<Shared>, entry: &Entry) -> Result<(), HubError> {
    let live = hub.room(entry);
    if live.known_brief(hub).await.is_some() {
        return Ok(());
    }
    let brief = live.brief(hub).await?;
    if brief.phase == Phase::Closed {
        hub.wake(&live).await?.note.written(brief.last_seq).await;
    }
    Ok(())
}
