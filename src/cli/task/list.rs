//! `turnroom task list`: which tasks there are.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, number};
use super::super::screen::Look;
use super::super::show;

/// Where a task may stand.
const STATUSES: [&str; 7] =
    ["designing", "implementing", "reviewing", "revising", "pending_approval", "approved", "closed"];

/// Show the tasks that are not over, the newest first
#[derive(Debug, Args)]
pub(super) struct List {
    /// Only those that stand here
    #[arg(long, value_parser = STATUSES)]
    status: Option<String>,
    /// Also those that are over
    #[arg(long)]
    include_closed: bool,
    /// At most so many [default: 50]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    limit: Option<u64>,
    /// Only those that were made before this one
    #[arg(long, value_name = "TASK")]
    after: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for List {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("context_list")
            .set_some("status", self.status.as_deref())
            .set_switch("include_closed", self.include_closed)
            .set_some("limit", self.limit)
            .set_some("after", self.after.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::tasks(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
