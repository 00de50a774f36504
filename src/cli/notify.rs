//! `turnroom notify --test`: whether notices arrive.

use clap::Args;
use serde_json::json;

use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::options::{self, Output};
use super::screen::{self, Look};
use crate::clock::Clock;
use crate::config::Config;
use crate::notify::{Outcome, Trial, try_all};
use crate::paths::DataFolder;

/// Try how you are told that something waits for you
#[derive(Debug, Args)]
pub(super) struct Notify {
    /// Send one test notice on each way that `config.toml` names, and tell what came of it
    #[arg(long, required = true)]
    test: bool,
    #[command(flatten)]
    output: Output,
}

impl Notify {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let config = Config::read(&options::config_places()).map_err(anyhow::Error::from)?;
        let trials = try_all(&config.notices, folder.path(), Clock::start()).await;
        let text = if self.output.json { as_json(&trials) } else { as_lines(&trials, Look::of_stdout()) };
        screen::print(&text)?;
        let has_failed = trials.iter().any(|trial| matches!(trial.outcome, Outcome::Failed(_)));
        Ok(if has_failed { Ending::Refused } else { Ending::Done })
    }
}

fn as_json(trials: &[Trial]) -> String {
    let one = |trial: &Trial| {
        let (outcome, reason) = words(trial);
        (trial.channel.to_owned(), json!({ "outcome": outcome, "reason": reason }))
    };
    format!("{}\n", serde_json::Value::Object(trials.iter().map(one).collect()))
}

fn as_lines(trials: &[Trial], look: Look) -> String {
    let line = |trial: &Trial| {
        let (outcome, reason) = words(trial);
        let reason = reason.map_or_else(String::new, |reason| format!(": {}", clean::line(reason)));
        format!("{}  {outcome}{reason}\n", look.strong(trial.channel))
    };
    trials.iter().map(line).collect()
}

fn words(trial: &Trial) -> (&'static str, Option<&str>) {
    match &trial.outcome {
        Outcome::Told => ("told", None),
        Outcome::Off => ("off", None),
        Outcome::Absent(reason) => ("absent", Some(reason)),
        Outcome::Failed(reason) => ("failed", Some(reason)),
    }
}
