//! `turnroom task mode`: who sees to it that agents come when it is their turn.

use clap::Args;

use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::options::Output;
use super::settings;
use crate::config::{Change, Mode as Wanted};

/// Show or set who brings the agents: you, or the hub
#[derive(Debug, Args)]
#[command(after_help = "\
In manual mode you are told whose turn it is. In auto mode the hub starts the agents of the roles that may be started;
see `turnroom task assign`. It is written into your own settings, and a running hub goes by it within seconds.

  turnroom task mode auto")]
pub(super) struct Mode {
    /// Who brings them; without this, it is shown how it is
    #[arg(value_name = "MODE", value_parser = ["manual", "auto"])]
    wanted: Option<String>,
    /// Write it, though this is no terminal
    #[arg(long, requires = "wanted")]
    yes: bool,
    #[command(flatten)]
    output: Output,
}

impl Mode {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let Some(mode) = &self.wanted else { return settings::show(self.output, None) };
        let mode = if mode == "auto" { Wanted::Auto } else { Wanted::Manual };
        settings::change(&[Change::Mode(mode)], self.yes)?;
        settings::show(self.output, None)
    }
}
