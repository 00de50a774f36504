//! What is still to be told on one way, and what was. Pure: `now` comes in.
//!
//! What is to be told is what waits, less what was told. So nothing is told twice, what waits no longer is not told,
//! and it needs no limit: it is never more than what waits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::news::News;
use super::notice::Notice;

/// More things than this are told together.
const FEW: usize = 3;
/// What was told and has been gone for so long would be news again.
const GONE: Duration = Duration::from_mins(1);

/// What is still to be told on one way, and what was.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Ids.
    told: BTreeSet<String>,
    /// Since when what was told does not wait any more.
    gone: BTreeMap<String, Duration>,
    /// Oldest first.
    pending: Vec<Arc<News>>,
    /// Since when something is pending.
    since: Duration,
    /// Whether it was held back, and is to be told together.
    is_held: bool,
}

impl Outbox {
    /// What was told before the start, which is `now`.
    pub(super) fn after(told: BTreeSet<String>, now: Duration) -> Self {
        let gone = told.iter().map(|id| (id.clone(), now)).collect();
        Self { told, gone, ..Self::default() }
    }

    /// These things wait now, and no others. Whether there is something to tell.
    pub(super) fn waiting(&mut self, items: &[Arc<News>], now: Duration) -> bool {
        let Self { told, gone, .. } = self;
        gone.retain(|id, since| {
            let is_recent = now.saturating_sub(*since) < GONE;
            if !is_recent {
                told.remove(id);
            }
            is_recent
        });
        let waiting: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
        gone.retain(|id, _| !waiting.contains(id.as_str()));
        for id in told.iter().filter(|id| !waiting.contains(id.as_str())) {
            gone.entry(id.clone()).or_insert(now);
        }
        let was_empty = self.pending.is_empty();
        self.pending = items.iter().filter(|item| !self.told.contains(&item.id)).cloned().collect();
        if was_empty {
            self.since = now;
        }
        self.rest();
        !self.pending.is_empty()
    }

    /// Since when something is to be told, if anything is.
    pub(super) fn since(&self) -> Option<Duration> {
        (!self.pending.is_empty()).then_some(self.since)
    }

    /// Nothing may be told now: what is pending will be told together.
    pub(super) fn hold(&mut self) {
        self.is_held = true;
    }

    /// What to tell next. It stays pending until it was told.
    pub(super) fn next(&self) -> Option<Notice> {
        let few = if self.is_held { 1 } else { FEW };
        match &self.pending[..] {
            [] => None,
            [first, ..] if self.pending.len() <= few => Some(Notice::one(first.clone())),
            all => Some(Notice::of(all)),
        }
    }

    /// This was told.
    pub(super) fn told(&mut self, notice: &Notice, now: Duration) {
        for id in notice.ids() {
            let waits = self.pending.iter().any(|item| item.id == id);
            self.told.insert(id.to_owned());
            if !waits {
                self.gone.insert(id.to_owned(), now);
            }
        }
        self.pending.retain(|item| !self.told.contains(&item.id));
        self.rest();
    }

    /// The ids of what was told.
    pub(super) fn to_keep(&self) -> &BTreeSet<String> {
        &self.told
    }

    fn rest(&mut self) {
        self.is_held &= !self.pending.is_empty();
    }
}
