//! `turnroom puzzle list`: which puzzles there are.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, number};
use super::super::screen::Look;
use super::super::show;

/// Show the puzzles there are, in the order in which they were added
#[derive(Debug, Args)]
pub(super) struct List {
    /// At most so many [default: 50]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    limit: Option<u64>,
    /// Only those that were added after this one
    #[arg(long, value_name = "PUZZLE")]
    after: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for List {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("list_puzzles").set_some("limit", self.limit).set_some("after", self.after.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::puzzles(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
