//! A backup: one file with the log of every room, made while the hub goes on.

use std::path::Path;

use super::Hub;
use super::error::HubError;

/// A backup that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackedUp {
    /// How many rooms there were, open and closed.
    pub rooms: usize,
    /// How long the file is.
    pub bytes: u64,
}

impl Hub {
    /// Writes everything into a new file at an absolute path. What was acknowledged before the call is in it.
    pub async fn back_up(&self, file: &Path) -> Result<BackedUp, HubError> {
        if !file.is_absolute() {
            let problem = format!("`{}` is no absolute path", file.display());
            return Err(HubError::argument("file", problem, &["the absolute path of a new file"]));
        }
        let rooms = self.room_count().await;
        let bytes = self.shared.journal.copy_to(file).await.map_err(HubError::NotCopied)?;
        Ok(BackedUp { rooms, bytes })
    }
}
