//! `turnroom task read`: the records of a task.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, number};
use super::super::screen::Look;
use super::super::show;
use super::Which;

/// Read the records of a task, and how it stands
#[derive(Debug, Args)]
pub(super) struct Read {
    #[command(flatten)]
    which: Which,
    /// Begin with this record [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    since_version: Option<u64>,
    /// At most so many records [default: 50]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    limit: Option<u64>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Read {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("context_read")
            .set("task_id", self.which.task.as_str())
            .set_some("since_version", self.since_version)
            .set_some("limit", self.limit))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task_log(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
