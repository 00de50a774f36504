//! `turnroom serve`: the hub itself.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use tokio::runtime;

use super::ending::Ending;
use super::failure::Failure;
use super::options::config_places;
use crate::config::{Config, Places};
use crate::paths::DataFolder;
use crate::serve::{self, ServeOptions, Toolsets};

/// How long the end may wait for threads that are busy with the disk.
const GRACE: Duration = Duration::from_secs(1);

/// Run the hub: MCP at /mcp, older clients at /sse
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Address to listen on; beyond this machine every caller must show a token
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Ask every caller over TCP for the token, also on this machine: other users can reach the port
    #[arg(long)]
    require_token: bool,
    /// Port to listen on
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Folder in which transcripts may lie; may be repeated
    #[arg(long, value_name = "DIR", default_value = "transcripts")]
    transcripts: Vec<PathBuf>,
    /// Longest message in bytes of UTF-8 [default: `limits.message_bytes` of the settings]
    #[arg(long, value_name = "BYTES")]
    max_message: Option<NonZeroUsize>,
    /// End so long after the last client has gone [default: never]
    #[arg(long, value_name = "SECONDS")]
    idle_exit: Option<u64>,
    /// Tools that clients are shown: `room`, `tasks`, or both; a client may ask for others by /mcp?toolsets=room
    #[arg(long, value_name = "SETS", default_value = "room,tasks")]
    toolsets: Toolsets,
    /// Started by a bridge: if the port is taken, listen on another one
    #[arg(long)]
    auto: bool,
}

impl Serve {
    pub(super) fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let options = self.options(folder)?;
        let runtime = runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context("the runtime does not start")?;
        let result = runtime.block_on(serve::serve(options));
        // What still runs has been told to end.
        runtime.shutdown_timeout(GRACE);
        result.map_err(anyhow::Error::from)?;
        Ok(Ending::Done)
    }

    fn options(&self, folder: &DataFolder) -> Result<ServeOptions, Failure> {
        Ok(ServeOptions {
            folder: folder.clone(),
            host: self.host.clone(),
            require_token: self.require_token,
            port: self.port,
            transcripts: self.transcripts.clone(),
            config: self.config()?,
            places: self.places(),
            idle_exit: self.idle_exit.map(Duration::from_secs),
            toolsets: self.toolsets.clone(),
            auto: self.auto,
        })
    }

    /// Where the settings are. A hub that a bridge started serves all projects, so none of them decides.
    fn places(&self) -> Places {
        let places = config_places();
        if self.auto { Places { project: None, ..places } } else { places }
    }

    fn config(&self) -> Result<Config, Failure> {
        let mut config = match Config::read(&self.places()) {
            // Nobody is there to whom it could be said: it starts all the same, and has it in the inbox.
            Err(error) if self.auto => {
                tracing::warn!(%error, "the hub goes by the defaults until the settings are mended");
                Config::default()
            }
            read => read.map_err(anyhow::Error::from)?,
        };
        config.limits.message_bytes = self.max_message.unwrap_or(config.limits.message_bytes);
        Ok(config)
    }
}
