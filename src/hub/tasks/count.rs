//! How many tasks there are.

use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::task::PROJECT;

impl Hub {
    /// How many tasks are not over. The project is none of them.
    pub async fn open_task_count(&self) -> Result<usize, HubError> {
        let list = self.shared.tasks_list().await?;
        Ok(list.all().filter(|listed| listed.is_open && listed.id != PROJECT).count())
    }
}
