//! STAND-IN until `bridge` is merged: replaced whole.

use std::path::PathBuf;

use crate::paths::DataFolder;

/// STAND-IN.
#[derive(Clone, Debug)]
pub struct BridgeOptions {
    /// Data folder.
    pub folder: DataFolder,
    /// Folders for transcripts.
    pub transcripts: Vec<PathBuf>,
}

/// STAND-IN.
#[derive(Debug, thiserror::Error)]
#[error("this branch has no bridge")]
pub struct BridgeError;

/// STAND-IN.
#[expect(clippy::unused_async, reason = "stand-in")]
pub async fn run(_options: BridgeOptions) -> Result<(), BridgeError> {
    Err(BridgeError)
}
