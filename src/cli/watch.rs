//! `turnroom watch`: what is said, as it is said, into the terminal's own scrollback.

use clap::Args;
use serde_json::Value;

use super::ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::follow::{Follower, ROUND_SECONDS};
use super::options::{Looks, Output, number, seconds_value};
use super::{screen, show};
use crate::paths::DataFolder;

/// Messages that are asked for at once.
const PAGE: usize = 200;

/// Print what is said in a room, or in all, and go on with what comes
#[derive(Debug, Args)]
#[command(after_help = "\
As in the transcript, private messages are shown, and marked. It goes on when the hub restarts; Ctrl-C ends it.

  turnroom watch review
  turnroom watch --all --json | grep deploy")]
pub(super) struct Watch {
    /// Which room [default: all that are not over]
    #[arg(value_name = "ROOM", conflicts_with = "all")]
    word: Option<String>,
    /// The same, as an option
    #[arg(long, env = "TURNROOM_ROOM", hide_env_values = true)]
    room: Option<String>,
    /// All rooms, also if one is named elsewhere
    #[arg(long)]
    all: bool,
    /// Begin with so many of the last messages
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>)]
    last: usize,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    output: Output,
}

impl Watch {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let mut follower = Follower::new(folder);
        let room = self.word.as_deref().or(self.room.as_deref().filter(|_| !self.all));
        let mut story = show::Story::new(room.is_none(), self.looks.look());
        let mut seen: Option<Value> = None;
        loop {
            let limit = if seen.is_some() { PAGE } else { self.last.max(1) };
            let call = Call::command("watch")
                .set_some("room", room)
                .set_some("seen", seen.clone())
                .set("limit", limit)
                .set("timeout_seconds", seconds_value(ROUND_SECONDS));
            let answer = follower.ask(&call).await?;
            let last = if seen.is_some() { usize::MAX } else { self.last };
            let messages = show::said_in_rooms(&answer, last);
            if self.output.json {
                screen::print(&messages.iter().map(ask::json_line).collect::<String>())?;
            } else {
                screen::tell(&story.tell(&messages, &answer))?;
            }
            match (messages.is_empty(), &seen) {
                (true, Some(_)) => Follower::pause().await,
                (true, None) if !self.output.json && show::said_in_rooms(&answer, 1).is_empty() => {
                    screen::complain("nothing was said yet; waiting for it\n");
                }
                _ => {}
            }
            seen = Some(answer["seen"].clone());
        }
    }
}
