//! `turnroom open`: the page in a browser, or the transcript in Obsidian.

use anyhow::Context;
use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::screen;
use crate::paths::DataFolder;

/// Open the page of the hub, or of a room, in your browser
#[derive(Debug, Args)]
#[command(after_help = "\
The link works once, for ten minutes, and lets the browser in that opens it. Only a person at a terminal gets one.

  turnroom open review
  turnroom open --print
  turnroom open review --obsidian")]
pub(super) struct Open {
    /// Which room [default: all; with --obsidian the newest open one]
    #[arg(value_name = "ROOM")]
    word: Option<String>,
    /// The same, as an option
    #[arg(long, env = "TURNROOM_ROOM", hide_env_values = true)]
    room: Option<String>,
    /// Only print the link
    #[arg(long)]
    print: bool,
    /// Open the room's transcript in Obsidian instead
    #[arg(long)]
    obsidian: bool,
}

impl Open {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let hub = Hub::find(folder)?;
        let link = if self.obsidian { self.note(&hub).await? } else { self.page(&hub).await? };
        let shown = clean::line(&link);
        if self.print {
            screen::print(&format!("{shown}\n"))?;
        } else if let Err(error) = open::that_detached(&link) {
            tracing::info!(%error, "nothing on this system opens links");
            screen::print(&format!("nothing here opens links; open this one yourself:\n{shown}\n"))?;
        }
        Ok(Ending::Done)
    }

    fn room(&self) -> Option<&str> {
        self.word.as_deref().or(self.room.as_deref())
    }

    async fn page(&self, hub: &Hub) -> Result<String, Failure> {
        let call = Call::command("link").by_person().set_some("room", self.room());
        let answer = hub.call(&call).await?;
        let link = answer["url"].as_str().context("the hub gave no link; is it of another version?")?;
        Ok(link.to_owned())
    }

    async fn note(&self, hub: &Hub) -> Result<String, Failure> {
        let call = Call::tool("list_participants").set_some("room", self.room());
        let answer = hub.call(&call).await?;
        let path = answer["filepath"].as_str().context("the hub named no transcript")?;
        Ok(format!("obsidian://open?path={}", utf8_percent_encode(path, NON_ALPHANUMERIC)))
    }
}
