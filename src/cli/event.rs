//! `turnroom event`: an agent tells how it goes on with its turn in a task; mostly a hook of its client does, and then it
//! does no harm: whatever goes wrong, it ends at once, without a word, with 0.

use clap::Args;
use serde_json::Value;

use super::ask::{self, Ask};
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::hook::input::Input;
use super::hook::{self, note};
use super::hub::Hub;
use super::options::{Global, Output, given};
use super::screen::Look;
use super::show;

/// Tell how an agent goes on with its turn in a task; for the hooks of clients
#[derive(Debug, Args)]
#[command(after_help = "\
`blocked` is in the inbox at once, `done` if nothing was published in the turn; `working` takes both back, and so does
a record. A report counts only for the turn that a task waits for. The same one again changes nothing.

Run by a client, with its JSON on standard input, it prints nothing and ends with 0, whatever happens: also if no hub
runs, or it is somebody else's turn; --verbose says why. Without --as it is then the agent that this session has called
turnroom as. Otherwise: 0 it is noted, or was before; 1 it does not count, or the words make no sense; 3 no hub runs.

  turnroom event blocked --as @Bob --reason 'Which port?'
  turnroom event done --task new-parser --role executor")]
pub(super) struct Event {
    /// What the agent does
    #[arg(value_name = "EVENT", value_parser = ["working", "blocked", "done"])]
    activity: String,
    /// In which task [default: the one that waits for the agent; of several, the one whose turn began last]
    #[arg(long, value_name = "TASK", env = "TURNROOM_TASK", hide_env_values = true)]
    task: Option<String>,
    /// The part that it plays
    #[arg(long, value_name = "ROLE", env = "TURNROOM_ROLE", hide_env_values = true)]
    role: Option<String>,
    /// Who it is
    #[arg(long = "as", value_name = "@HANDLE", env = "TURNROOM_HANDLE", hide_env_values = true)]
    handle: Option<String>,
    /// Why, in a line [default: the `message` of the client]
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Event {
    /// Tells it. No failure may stop the agent of a client.
    pub(super) async fn run(&self, global: &Global) -> Result<Ending, Failure> {
        let input = Input::read();
        if !input.is_of_a_client() {
            return ask::ask(&Hub::find(&global.data_folder()?)?, self, self.call()?).await;
        }
        if let Err(failure) = self.tell(global, &input).await {
            tracing::info!("{}", failure.explain().unwrap_or_default().trim_end());
        }
        Ok(Ending::Done)
    }

    /// Tells it for a client.
    async fn tell(&self, global: &Global, input: &Input) -> Result<(), Failure> {
        let folder = global.data_folder()?;
        let mut call = self.call()?;
        if self.reason.is_none() {
            call = call.set_some("reason", input.message());
        }
        if given(self.handle.as_ref()).is_none() {
            call = call.set_some("handle", note::recall(&folder, input));
        }
        hook::ask(&folder, &call, hook::PATIENCE).await.map(drop)
    }
}

impl Ask for Event {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("event")
            .set("event", self.activity.as_str())
            .set_some("task_id", given(self.task.as_ref()))
            .set_some("role", given(self.role.as_ref()))
            .set_some("handle", given(self.handle.as_ref()))
            .set_some("reason", self.reason.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
