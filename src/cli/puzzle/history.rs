//! `turnroom puzzle history`: what has happened to a puzzle.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, number};
use super::super::screen::Look;
use super::super::show;
use super::Which;

/// Read what has happened to a puzzle, the oldest first
#[derive(Debug, Args)]
pub(super) struct History {
    #[command(flatten)]
    which: Which,
    /// Only what came after this version [default: all]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    since: Option<u64>,
    /// At most so many events [default: 50]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    limit: Option<u64>,
    #[command(flatten)]
    output: Output,
}

impl Ask for History {
    fn call(&self) -> Result<Call, Failure> {
        Ok(since(&self.which.puzzle, self.since).set_some("limit", self.limit))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::puzzle_history(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

/// Asks what has happened to a puzzle after a version.
pub(super) fn since(puzzle: &str, version: Option<u64>) -> Call {
    Call::tool("get_puzzle_history").set("puzzleId", puzzle).set_some("since_version", version)
}
