//! What tasks want of people: decisions, and a look at what did not fit.

use super::{ListTasks, TaskState};
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::room::Handle;
use crate::task::{Status, WaitingFor};
use std::sync::Arc;

/// Open tasks that are looked at.
const MOST: usize = 1_000;

impl Shared {
    /// A mark that changes with everything that happens in any task.
    pub(in crate::hub) fn tasks_revision(&self) -> u64 {
        *self.task_list.changes.borrow()
    }

    /// What waits for people in all tasks.
    pub(in crate::hub) async fn task_items(self: &Arc<Self>) -> Result<Vec<Item>, HubError> {
        let open = ListTasks { status: None, include_closed: false, limit: MOST, after: None };
        let page = Hub { shared: Arc::clone(self) }.list_tasks(&open).await?;
        Ok(page.tasks.iter().flat_map(items).collect())
    }
}

fn items(state: &TaskState) -> impl Iterator<Item = Item> {
    let decision = || {
        let is_due = matches!(state.status, Some(Status::PendingApproval | Status::Approved));
        let status = state.status.filter(|_| is_due || state.proposal.is_some())?;
        Some({
            let proposed = state.proposal.as_ref();
            Want::Decision {
                task: state.task.clone(),
                version: state.version,
                proposed: proposed.map(|proposal| (proposal.decision, proposal.by.clone())),
                status,
            }
        })
    };
    let attention = || {
        (!state.warnings.is_empty() && state.waiting_for == Some(WaitingFor::Human)).then(|| {
            Want::Attention {
                task: state.task.clone(),
                version: state.version,
                warnings: state.warnings.clone(),
            }
        })
    };
    let item = |want: Want| {
        // Of one state of a task, whatever notes come in between.
        let since = state.since.timestamp_micros();
        let key = format!("task/{}/{}/{since}", state.task, want.kind());
        let room = state.room.as_deref().unwrap_or_default();
        Item::new(room, &state.title, (Handle::user(), state.since), &key, want)
    };
    decision().into_iter().chain(attention()).map(item).collect::<Vec<_>>().into_iter()
}
