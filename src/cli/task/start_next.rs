//! `turnroom task start-next`: a person starts the agent that a task waits for.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::Output;
use super::super::screen::Look;
use super::super::show;
use super::Which;

/// Start the agent that a task waits for
#[derive(Debug, Args)]
#[command(after_help = "\
It is started by the command that `turnroom task assign ROLE --start COMMAND` has set, once in a turn. If it runs still,
--force ends it and starts it anew; if it has ended and its turn has not, --force starts it again.

  turnroom task start-next new-parser")]
pub(super) struct StartNext {
    #[command(flatten)]
    which: Which,
    /// Also if it was started for this turn before
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

impl Ask for StartNext {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::command("start_next").by_person().set("task_id", self.which.task.as_str());
        Ok(call.set_switch("force", self.force))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
