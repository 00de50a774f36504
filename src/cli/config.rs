//! `turnroom config`: the settings that count here.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::ending::Ending;
use super::failure::Failure;
use super::options::{self, Output};
use super::screen::{self, Look};
use crate::config::{Config, Setting};

/// Show the settings that count here
#[derive(Debug, Args)]
pub(super) struct Settings {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show every setting, its value, and where that comes from
    Show {
        #[command(flatten)]
        output: Output,
    },
}

impl Settings {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        let Command::Show { output } = &self.command;
        let settings = Config::explain(&options::config_places()).map_err(anyhow::Error::from)?;
        let text = if output.json { as_json(&settings) } else { as_lines(&settings, Look::of_stdout()) };
        screen::print(&text)?;
        Ok(Ending::Done)
    }
}

fn as_json(settings: &[Setting]) -> String {
    let one = |setting: &Setting| {
        let value = json!({ "value": setting.value, "from": setting.origin.to_string() });
        (setting.key.clone(), value)
    };
    format!("{}\n", Value::Object(settings.iter().map(one).collect()))
}

fn as_lines(settings: &[Setting], look: Look) -> String {
    let width = settings.iter().map(|setting| setting.key.chars().count()).max().unwrap_or(0);
    let line = |setting: &Setting| {
        let padding = " ".repeat(width - setting.key.chars().count());
        format!("{}{padding}  {}  ({})\n", look.strong(&setting.key), setting.value, setting.origin)
    };
    settings.iter().map(line).collect()
}
