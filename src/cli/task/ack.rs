//! `turnroom task ack`: a person has looked at the warnings of a task.

use clap::Args;
use serde_json::{Value, json};

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, USER};
use super::super::screen::Look;
use super::super::show;
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
    /// Who you are
    #[arg(
        long,
        value_name = "@HANDLE",
        env = "TURNROOM_HANDLE",
        hide_env_values = true,
        default_value = USER
    )]
    by: String,
    #[command(flatten)]
    output: Output,
}

impl Ask for Ack {
    fn call(&self) -> Result<Call, Failure> {
        let body = self.note.as_deref().unwrap_or("The warnings were looked at.");
        let payload = json!({ "summary": "Warnings acknowledged", "body": body, "ack": true });
        Ok(Call::tool("context_publish")
            .by_person()
            .set("task_id", self.which.task.as_str())
            .set("role", "human")
            .set("content_type", "note")
            .set("payload", payload)
            .set("agent", self.by.as_str()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
