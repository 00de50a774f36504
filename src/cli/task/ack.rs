//! `turnroom task ack`: a person has looked at the warnings of a task.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::{Output, USER, number};
use super::super::screen::Look;
use super::super::show;
use super::super::signed::signed;
use super::status::state_of;
use super::{Which, ask_about, looks_first};
use crate::paths::DataFolder;

/// Take note of the warnings of a task, as a person, so that it goes on
#[derive(Debug, Args)]
#[command(after_help = "\
What did not fit stays in the log, and the task stays where it stands; it only waits for you no more. At a terminal
without --expected-version you are shown the warnings and asked; nothing that comes after them is acknowledged.

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
    /// The version that you have looked at: with another one, nothing is acknowledged
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    expected_version: Option<u64>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Ack {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::command("ack_task")
            .set("task_id", self.which.task.as_str())
            .set_some("note", self.note.as_deref())
            .set_some("expected_version", self.expected_version);
        Ok(signed(call, "handle", self.by.as_deref(), Some(USER)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

impl Ack {
    /// Whether a person is shown what is acknowledged.
    pub(super) fn looks_first(&self) -> bool {
        looks_first(self.expected_version)
    }

    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let hub = Hub::find(folder)?;
        let seen = hub.call(&state_of(&self.which.task)).await?;
        let text = show::task_line(&seen, Look::of_stdout());
        ask_about(&hub, self, (&seen, &text), "Take note of what did not fit in").await
    }
}
