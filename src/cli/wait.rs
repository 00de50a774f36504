//! `turnroom wait`: wait for one's turn or a message. Made to run as a background command: its exit wakes the
//! agent, so that waiting costs no tokens.

mod rounds;
mod verdict;

use std::time::Duration;

use clap::Args;
use serde_json::Value;
use tokio::time;

use super::ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::{Actor, Output, Place, number, seconds, seconds_value};
use super::show;
use crate::clock::Clock;
use crate::paths::DataFolder;
pub(super) use rounds::Rounds;
use verdict::{Verdict, has_news, verdict};

/// Between two tries to reach a hub that restarts, and between rounds that ended early without news.
pub(super) const PAUSE: Duration = Duration::from_millis(500);

/// Wait for your turn or a message
#[derive(Debug, Args)]
#[command(after_help = "\
Made to run in the background: it ends when there is something for you, and its end wakes you. It prints the
messages and what to do next. `--room '*'` waits in all rooms of this handle.
Exit codes: 0 a turn or messages came, 1 closed or refused, 3 no hub, 4 time-out.

  turnroom wait --as @Alice --timeout 3600")]
pub(super) struct Wait {
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    place: Place,
    /// Wait at most so long [default: until something comes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// You have seen everything up to this message
    #[arg(long, visible_alias = "after", value_name = "N", value_parser = number::<u64>)]
    after_seq_id: Option<u64>,
    /// Ask for the turn, if nobody needs it
    #[arg(long)]
    request_turn: bool,
    #[command(flatten)]
    output: Output,
}

impl Wait {
    /// Waits in rounds until there is news or the time is over.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let clock = Clock::start();
        let mut rounds = Rounds::new(self.timeout.map(Duration::from_secs_f64));
        // Only the first round tells what was seen: later ones have seen more.
        let mut after = self.after_seq_id;
        loop {
            let begun = clock.now().mono;
            let length = rounds.length(begun);
            let answer = self.round(folder, length, after).await;
            let now = clock.now().mono;
            match answer {
                Ok(answer) => {
                    rounds.met();
                    after = None;
                    let verdict = verdict(&answer, length.saturating_sub(now.saturating_sub(begun)));
                    let is_last = rounds.is_over(now);
                    if is_last || verdict != Verdict::Again || has_news(&answer) {
                        ask::print(&answer, self.output, show::turn)?;
                    }
                    match verdict {
                        Verdict::Over(ending) => return Ok(ending),
                        Verdict::Again if is_last => return Ok(Ending::TimedOut),
                        Verdict::Again => {}
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

    async fn round(
        &self,
        folder: &DataFolder,
        length: Duration,
        after: Option<u64>,
    ) -> Result<Value, Failure> {
        // Found anew in each round: after a restart it may be elsewhere.
        let hub = Hub::find(folder)?;
        hub.call(&self.question(length, after)).await
    }

    fn question(&self, length: Duration, after: Option<u64>) -> Call {
        Call::tool("wait_for_turn")
            .set("handle", self.actor.handle.as_str())
            .set_some("key", self.actor.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_some("after_seq_id", after)
            .set_switch("request_turn", self.request_turn)
            .set("timeout_seconds", seconds_value(length.as_secs_f64()))
    }
}
