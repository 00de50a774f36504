//! The tasks that are not over.

use std::sync::Arc;

use super::{ListTasks, TaskState};
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::task::PROJECT;

impl Hub {
    /// How many tasks are not over. The project is none of them.
    pub async fn open_task_count(&self) -> Result<usize, HubError> {
        let list = self.shared.tasks_list().await?;
        Ok(list.open().filter(|listed| listed.id != PROJECT).count())
    }
}

impl Shared {
    /// All tasks that are not over. The project is none of them.
    pub(super) async fn open_tasks(self: &Arc<Self>) -> Result<Vec<TaskState>, HubError> {
        let open = ListTasks { status: None, include_closed: false, limit: usize::MAX, after: None };
        Ok(Hub { shared: Arc::clone(self) }.list_tasks(&open).await?.tasks)
    }
}
