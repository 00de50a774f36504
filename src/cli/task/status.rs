//! `turnroom task status`: how a task stands, without its records.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::Output;
use super::super::screen::Look;
use super::super::show;
use super::Which;

/// Show how a task stands, and whom it waits for
#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    output: Output,
}

/// Reads a task without any record.
pub(super) fn state_of(task: &str) -> Call {
    // No task has so many records.
    Call::tool("context_read").set("task_id", task).set("since_version", i64::MAX).set("limit", 1)
}

impl Ask for Status {
    fn call(&self) -> Result<Call, Failure> {
        Ok(state_of(&self.which.task))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
