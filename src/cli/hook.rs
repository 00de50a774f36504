//! `turnroom hook`: what a client runs at the end of its agent's turn. It never does harm: whatever goes wrong, it ends
//! at once, without a word, with 0.
//!
//! It takes no message and moves no cursor. Exit code 2 with a reason on standard error keeps the agent going (`stop`)
//! or wakes it (`wake`); so it is with Claude Code and Codex.

pub(super) mod input;
pub(super) mod note;
mod text;

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::Value;
use tokio::time;

use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::{given, seconds, seconds_value};
use super::screen;
use super::wait::Rounds;
use crate::clock::Clock;
use crate::paths::DataFolder;
use input::Input;

/// A hub that takes longer is not waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
/// Between two tries to reach a hub that restarts.
const PAUSE: Duration = Duration::from_millis(500);

/// Run by a client at the end of a turn; `turnroom hooks install` sets it up
#[derive(Debug, Args)]
#[command(after_help = "\
The client's JSON is read from standard input. Without --as it is the agent that this session has called turnroom as,
which `note` has seen. Exit codes: 0 nothing to tell, or no hub; 2 something waits, and standard error says what.")]
pub(super) struct Hook {
    #[command(subcommand)]
    event: Event,
    /// Whose news [default: the handle that this session used last]
    #[arg(
        long = "as",
        global = true,
        value_name = "@HANDLE",
        env = "TURNROOM_HANDLE",
        hide_env_values = true
    )]
    handle: Option<String>,
    /// Which room [default: all of this handle]
    #[arg(long, global = true, env = "TURNROOM_ROOM", hide_env_values = true)]
    room: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Event {
    /// Keep the agent going if its turn or a message waits
    Stop,
    /// Wait in the background, and wake the agent when something comes
    Wake {
        /// Wait at most so long
        #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "28000")]
        timeout: f64,
    },
    /// Remember as whom this session calls turnroom
    Note,
}

impl Hook {
    /// Runs the hook. No failure of it may stop an agent.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let told = self.told(folder, &Input::read()).await;
        let Some(reason) = told.as_ref().and_then(text::reason) else { return Ok(Ending::Done) };
        screen::complain(&reason);
        Ok(Ending::Reminded)
    }

    /// What the hub tells, if it is asked.
    async fn told(&self, folder: &DataFolder, input: &Input) -> Option<Value> {
        if let Event::Note = self.event {
            note::remember(folder, input);
            return None;
        }
        let handle = given(self.handle.as_ref()).map(str::to_owned);
        let handle = handle.or_else(|| note::recall(folder, input))?;
        let call = Call::command("remind").set("handle", handle).set_some("room", given(self.room.as_ref()));
        match self.event {
            Event::Wake { timeout } => wake(folder, &call, timeout).await,
            Event::Stop | Event::Note if input.is_stopped_by_a_hook() => None,
            Event::Stop | Event::Note => ask(folder, &call, PATIENCE).await.ok(),
        }
    }
}

/// Asks once. A hub that is slow has nothing to tell.
pub(super) async fn ask(folder: &DataFolder, call: &Call, patience: Duration) -> Result<Value, Failure> {
    let answer = time::timeout(patience, Hub::find(folder)?.call(call)).await;
    answer.unwrap_or_else(|_| Err(Failure::NoHub(folder.path().to_owned())))
}

/// Waits in rounds, over a restart of the hub too, until something comes or the time is over.
async fn wake(folder: &DataFolder, call: &Call, timeout: f64) -> Option<Value> {
    let clock = Clock::start();
    let mut rounds = Rounds::new(Some(Duration::from_secs_f64(timeout)));
    loop {
        let length = rounds.length(clock.now().mono);
        let call = call.clone().set("timeout_seconds", seconds_value(length.as_secs_f64()));
        let answer = ask(folder, &call, length + PATIENCE).await;
        let now = clock.now().mono;
        match answer {
            Ok(answer) if matches!(answer["status"].as_str(), Some("timeout" | "stopping")) => rounds.met(),
            Ok(answer) => return Some(answer),
            Err(failure) if rounds.goes_on_after(&failure, now) => {}
            Err(_) => return None,
        }
        if rounds.is_over(now) {
            return None;
        }
        time::sleep(PAUSE).await;
    }
}
