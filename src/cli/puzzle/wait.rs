//! `turnroom puzzle wait`: wait until something has happened to a puzzle.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tokio::time;

use super::super::ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::{Output, number, seconds, seconds_value};
use super::super::show;
use super::super::wait::{PAUSE, Rounds};
use super::Which;
use super::show::snapshot_of;
use crate::clock::Clock;
use crate::paths::DataFolder;

/// Wait until something has happened to a puzzle, or until it is in a state
#[derive(Debug, Args)]
#[command(after_help = "\
Made to run in the background: its end wakes you. It goes on when the hub restarts.
Exit codes: 0 it came, 1 refused, or the puzzle has ended, 3 no hub, 4 the time is over.

  turnroom puzzle wait release --state published --timeout 3600")]
pub(super) struct Wait {
    #[command(flatten)]
    which: Which,
    /// The version that you have seen [default: the present one, if no state is named]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    since: Option<u64>,
    /// Until it is in this state; may be repeated
    #[arg(long = "state", value_name = "STATE")]
    states: Vec<String>,
    /// Wait at most so long [default: until it comes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    output: Output,
}

impl Wait {
    /// Waits in rounds until it comes or the time is over.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let clock = Clock::start();
        let mut rounds = Rounds::new(self.timeout.map(Duration::from_secs_f64));
        let mut since = self.since;
        loop {
            let length = rounds.length(clock.now().mono);
            let answer = self.round(folder, length, &mut since).await;
            let now = clock.now().mono;
            match answer {
                Ok(answer) => {
                    rounds.met();
                    let ending = match (&answer["ended"], &answer["timeout"]) {
                        // It never comes.
                        (Value::Bool(true), _) => Ending::Refused,
                        (_, Value::Bool(true)) => Ending::TimedOut,
                        _ => Ending::Done,
                    };
                    if ending != Ending::TimedOut || rounds.is_over(now) {
                        ask::print(&answer, self.output, show::puzzle)?;
                        return Ok(ending);
                    }
                }
                Err(failure) if rounds.goes_on_after(&failure, now) => {
                    tracing::info!("{}; trying again", show::with_causes(&failure));
                }
                Err(failure) => return Err(failure),
            }
            time::sleep(PAUSE).await;
        }
    }

    /// One round. What the first one begins with, the later ones begin with, too.
    async fn round(
        &self,
        folder: &DataFolder,
        length: Duration,
        since: &mut Option<u64>,
    ) -> Result<Value, Failure> {
        let hub = Hub::find(folder)?;
        if since.is_none() && self.states.is_empty() {
            let seen = hub.call(&snapshot_of(&self.which.puzzle)).await?;
            *since = seen["version"].as_u64();
        }
        let call = news_of(&self.which.puzzle, *since, length).set_list("states", &self.states);
        match hub.call(&call).await {
            // The next one is waited for.
            Err(Failure::Refused(error)) if error["code"] == "stopping" => Ok(json!({ "timeout": true })),
            answer => answer,
        }
    }
}

/// Waits until more has happened to a puzzle than this.
pub(super) fn news_of(puzzle: &str, since: Option<u64>, length: Duration) -> Call {
    Call::tool("wait_for_puzzle")
        .set("puzzleId", puzzle)
        .set_some("since_version", since)
        .set("timeout_seconds", seconds_value(length.as_secs_f64()))
}
