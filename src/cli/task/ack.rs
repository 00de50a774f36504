//! `turnroom task ack`: a person has looked at the warnings of a task.

use clap::Args;
use serde_json::{Value, json};

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, USER};
use super::super::screen::Look;
use super::super::show;
use super::super::signed::signed;
use super::Which;

/// Take note of the warnings of a task, as a person, so that it goes on
#[derive(Debug, Args)]
#[command(after_help = "\
What did not fit stays in the log, and the task stays where it stands; it only waits for you no more.

  turnroom task ack new-parser --note 'Published twice by mistake'")]
pub(super) struct Ack {
    #[command(flatten)]
    which: Which,
    /// What you found
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Who you are [default: @user; or the agent that `TURNROOM_HANDLE` names]
    #[arg(long, value_name = "@HANDLE")]
    by: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Ack {
    fn call(&self) -> Result<Call, Failure> {
        let body = self.note.as_deref().unwrap_or("The warnings were looked at.");
        let payload = json!({ "summary": "Warnings acknowledged", "body": body, "ack": true });
        let call = Call::tool("context_publish")
            .set("task_id", self.which.task.as_str())
            .set("role", "human")
            .set("content_type", "note")
            .set("payload", payload);
        Ok(signed(call, "agent", self.by.as_deref(), Some(USER)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
