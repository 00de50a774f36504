//! `turnroom puzzle repl`: act on puzzles at a prompt, and see what others do.

mod prompt;
mod session;
mod words;

use clap::Args;

use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::options::Output;
use crate::paths::DataFolder;
use session::Session;

/// Act on puzzles at a prompt, and see what others do
#[derive(Debug, Args)]
#[command(after_help = "\
Type an action, and it is done; Tab completes actions and puzzles. `help` shows what else there is; Ctrl-D ends it.
With --json each answer and each event is a line of JSON.

  turnroom puzzle repl release")]
pub(super) struct Repl {
    /// Which puzzle, by its id [default: `use PUZZLE` says it]
    #[arg(value_name = "PUZZLE")]
    puzzle: Option<String>,
    /// Who acts [default, at a terminal: @user]
    #[arg(long = "as", value_name = "@HANDLE")]
    actor: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Repl {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let mut session = Session::begin(folder, self.actor.as_deref(), self.output)?;
        session.look_at_list().await?;
        if let Some(puzzle) = &self.puzzle {
            session.go_to(puzzle).await?;
        }
        session.run().await
    }
}
