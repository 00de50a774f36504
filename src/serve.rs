//! STAND-IN until `serve` is merged: replaced whole.

use std::path::PathBuf;
use std::time::Duration;

use crate::paths::DataFolder;

/// STAND-IN.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Data folder.
    pub folder: DataFolder,
    /// Address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Folders for transcripts.
    pub transcripts: Vec<PathBuf>,
    /// Bytes.
    pub max_message: usize,
    /// End after the last client.
    pub idle_exit: Option<Duration>,
    /// Started by a bridge.
    pub auto: bool,
}

/// STAND-IN.
#[derive(Debug, thiserror::Error)]
#[error("this branch has no hub")]
pub struct ServeError;

/// STAND-IN.
#[expect(clippy::unused_async, reason = "stand-in")]
pub async fn serve(_options: ServeOptions) -> Result<(), ServeError> {
    Err(ServeError)
}
