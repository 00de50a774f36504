//! Looking at tasks without their records.

use super::TaskState;
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::task::PROJECT;

impl Hub {
    /// How a task stands.
    pub async fn task_state(&self, task: &str) -> Result<TaskState, HubError> {
        let live = self.shared.task(task).await?;
        let locked = live.lock(&*self.shared.journal).await?;
        Ok(TaskState::of(locked.task()))
    }

    /// How many tasks are not over. The project is none of them.
    pub async fn open_task_count(&self) -> Result<usize, HubError> {
        let list = self.shared.tasks_list().await?;
        Ok(list.all().filter(|listed| listed.is_open && listed.task != PROJECT).count())
    }
}
