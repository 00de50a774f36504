//! `turnroom stdio`: an MCP client's way to the one hub.

use std::path::PathBuf;

use clap::Args;

use super::command::small_runtime;
use super::ending::Ending;
use super::failure::Failure;
use crate::bridge::{self, BridgeOptions, Toolsets};
use crate::paths::DataFolder;

/// Connect an MCP client over stdio to the hub; starts the hub if none runs
#[derive(Debug, Args)]
pub(super) struct Stdio {
    /// Folder in which this client's transcripts may lie; may be repeated
    #[arg(long, value_name = "DIR", default_value = "transcripts")]
    transcripts: Vec<PathBuf>,
    /// Tools that this client is shown: `room`, `tasks`, or both [default: the hub's]
    #[arg(long, value_name = "SETS")]
    toolsets: Option<Toolsets>,
}

impl Stdio {
    pub(super) fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let options = BridgeOptions {
            folder: folder.clone(),
            transcripts: self.transcripts.clone(),
            toolsets: self.toolsets.clone(),
        };
        let runtime = small_runtime()?;
        let result = runtime.block_on(bridge::run(options));
        // A thread may still read standard input; nobody waits for it.
        runtime.shutdown_background();
        result.map_err(anyhow::Error::from)?;
        Ok(Ending::Done)
    }
}
