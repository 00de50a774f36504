//! `turnroom puzzle show`: how a puzzle stands.

use clap::Args;

use super::super::ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::Output;
use super::super::show;
use super::Which;
use crate::paths::DataFolder;

/// Show how a puzzle stands: its state, what can be done, what is asked, and its machine
#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    output: Output,
}

impl Show {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let hub = Hub::find(folder)?;
        let puzzle = self.which.puzzle.as_str();
        let mut seen = hub.call(&snapshot_of(puzzle)).await?;
        let machine = Call::command("machine").set("puzzle_id", puzzle);
        let mut machine = hub.call(&machine).await?;
        for part in ["states", "document"] {
            seen[part] = machine[part].take();
        }
        ask::print(&seen, self.output, show::puzzle_and_machine)?;
        Ok(Ending::Done)
    }
}

/// Asks how a puzzle stands.
pub(super) fn snapshot_of(puzzle: &str) -> Call {
    Call::tool("get_puzzle_snapshot").set("puzzleId", puzzle)
}
