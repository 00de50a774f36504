//! `turnroom puzzle remove`: a puzzle goes for good.

use std::io::{self, IsTerminal};

use anyhow::Context;
use clap::Args;

use super::super::ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::Output;
use super::super::screen::Look;
use super::super::signed::signed;
use super::super::{clean, screen, show, typed};
use super::Which;
use super::show::snapshot_of;
use crate::paths::DataFolder;

/// Remove a puzzle for good
#[derive(Debug, Args)]
pub(super) struct Remove {
    #[command(flatten)]
    which: Which,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Who removes it [default, at a terminal: @user]
    #[arg(long, value_name = "@HANDLE")]
    by: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Remove {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        if !self.yes && !io::stdin().is_terminal() {
            let text = "nobody is here to be asked; say --yes to remove the puzzle without a question";
            return Err(Failure::Usage(text.to_owned()));
        }
        let hub = Hub::find(folder)?;
        if !self.yes && !self.is_wanted(&hub).await? {
            screen::complain("nothing was removed\n");
            return Ok(Ending::Refused);
        }
        let call = Call::tool("remove_puzzle").set("puzzleId", self.which.puzzle.as_str());
        let call = signed(call, "by", self.by.as_deref(), None);
        let answer = hub.call(&call).await?;
        ask::print(&answer, self.output, show::puzzle)?;
        Ok(Ending::Done)
    }

    /// Whether the person at the terminal wants it, who is shown what would go.
    async fn is_wanted(&self, hub: &Hub) -> Result<bool, Failure> {
        let puzzle = self.which.puzzle.as_str();
        let stands = match hub.call(&snapshot_of(puzzle)).await {
            Err(Failure::Refused(error)) if error["code"] == "puzzle_damaged" => {
                "damaged, and cannot be read. ".to_owned()
            }
            found => {
                format!("in {}", with_stop(&show::puzzle_line(&found?, Look::Plain)))
            }
        };
        let question = format!("The puzzle `{}` is {stands}Remove it for good? [y/N] ", clean::line(puzzle));
        Ok(typed::says_yes(&question).await.context("the terminal cannot be read")?)
    }
}

/// The line as a sentence.
fn with_stop(line: &str) -> String {
    format!("{}. ", line.trim_end())
}
