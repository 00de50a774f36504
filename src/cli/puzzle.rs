//! `turnroom puzzle`: shared state machines. One file per command, each one to one with a tool.

mod act;
mod add;
mod answer;
mod history;
mod list;
mod remove;
mod repl;
mod show;
mod wait;

use clap::{Args, Subcommand};

use super::ask::Ask;
use super::ending::Ending;
use super::failure::Failure;
use crate::paths::DataFolder;

/// Shared state machines: everybody sees where one stands, and whoever acts moves it for all
#[derive(Debug, Args)]
pub(super) struct Puzzle {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Add(add::Add),
    Show(show::Show),
    Act(act::Act),
    Answer(answer::Answer),
    Wait(wait::Wait),
    History(history::History),
    List(list::List),
    Remove(remove::Remove),
    Repl(repl::Repl),
}

impl Puzzle {
    /// The question of those that ask the hub one thing.
    pub(super) fn question(&self) -> Option<&dyn Ask> {
        Some(match &self.command {
            Command::Add(add) => add,
            Command::Act(act) => act,
            Command::Answer(answer) => answer,
            Command::History(history) => history,
            Command::List(list) => list,
            Command::Show(_) | Command::Wait(_) | Command::Remove(_) | Command::Repl(_) => return None,
        })
    }

    /// Runs a command that asks the hub more than one thing.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        match &self.command {
            Command::Show(show) => show.run(folder).await,
            Command::Wait(wait) => wait.run(folder).await,
            Command::Remove(remove) => remove.run(folder).await,
            Command::Repl(repl) => repl.run(folder).await,
            _ => unreachable!("it asks the hub one thing"),
        }
    }
}

/// Which puzzle.
#[derive(Clone, Debug, Args)]
struct Which {
    /// Which puzzle, by its id
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
}
