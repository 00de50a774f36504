//! Tasks that wait for a decision, with what to read before it.

use std::sync::Arc;

use super::{AT_ONCE, TaskState, items};
use crate::hub::error::HubError;
use crate::hub::item::Item;
use crate::hub::shared::Shared;
use crate::task::{Content, Record, Standing};

/// Records that are shown before a decision; the transcript has them all.
const MOST: u64 = 10;

/// A task that waits for a decision.
pub(in crate::hub) struct AtGate {
    pub state: TaskState,
    /// What waits for a person.
    pub item: Item,
    /// What came since the last decision, the oldest first.
    pub records: Vec<Record>,
    /// Whether there is more before them.
    pub has_more: bool,
}

impl Shared {
    /// Those of some tasks that wait for a decision. Must not be called with a room locked.
    pub(in crate::hub) async fn gates(self: &Arc<Self>, tasks: &[String]) -> Result<Vec<AtGate>, HubError> {
        let open: Vec<&String> = {
            let list = self.tasks_list().await?;
            tasks.iter().filter(|task| list.get(task).is_some_and(|listed| listed.is_open)).collect()
        };
        let mut gates = Vec::new();
        for some in open.chunks(AT_ONCE) {
            for gate in futures::future::join_all(some.iter().map(|task| self.gate(task))).await {
                match gate {
                    Ok(gate) => gates.extend(gate),
                    // `doctor` tells of it.
                    Err(HubError::LogDamaged { .. } | HubError::NoSuchTask(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        gates.sort_by_key(|gate: &AtGate| gate.state.since);
        Ok(gates)
    }

    async fn gate(&self, task: &str) -> Result<Option<AtGate>, HubError> {
        let live = self.task(task).await?;
        let state = TaskState::of(live.log.lock(&*self.journal).await?.state());
        let Some(item) = items::decision(&state) else { return Ok(None) };
        let since = state.version.saturating_sub(MOST - 1).max(1);
        let limit = usize::try_from(state.version.saturating_sub(since) + 1).unwrap_or(usize::MAX);
        let mut records = live.read(&*self.journal, since, limit).await?;
        let decided = records.iter().rposition(is_decided).map_or(0, |at| at + 1);
        records.drain(..decided);
        Ok(Some(AtGate { has_more: decided == 0 && since > 1, item, state, records }))
    }
}

fn is_decided(record: &Record) -> bool {
    Content::of(&record.content_type) == Some(Content::Decision) && record.standing != Standing::Proposed
}
