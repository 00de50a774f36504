//! One MCP server in the settings of a client.

use std::path::{Path, PathBuf};
use std::time::Duration;

const PROGRAM: &str = "turnroom";

/// One MCP server in the settings of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) command: Option<String>,
    pub(super) url: Option<String>,
    pub(super) timeout: Option<Duration>,
}

impl Server {
    /// Whether it is turnroom.
    pub(super) fn is_ours(&self) -> bool {
        let program = self.command.as_deref().and_then(|command| Path::new(command).file_stem());
        self.name.to_lowercase().contains(PROGRAM) || program.is_some_and(|program| program == PROGRAM)
    }

    /// What it leads to.
    pub(super) fn target(&self) -> &str {
        self.command.as_deref().or(self.url.as_deref()).unwrap_or("nothing")
    }

    /// Its program, if that is a path where nothing is.
    pub(super) fn missing_program(&self) -> Option<PathBuf> {
        let path = Path::new(self.command.as_deref()?);
        (path.is_absolute() && !path.exists()).then(|| path.to_owned())
    }
}
