//! `turnroom task`: pieces of work whose next worker follows from what was published. One file per command, each one
//! to one with a tool, but for those that are for people only.

mod ack;
mod assign;
mod decide;
mod list;
mod mode;
mod new;
mod publish;
mod read;
mod settings;
mod start_next;
mod status;
mod watch;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::Value;

use super::ask::{self, Ask};
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::signed::is_person_here;
use super::{clean, screen, typed};
use crate::paths::DataFolder;

/// Pieces of work: design, implementation, review, and a person who decides
#[derive(Debug, Args)]
pub(super) struct Task {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    New(new::New),
    Publish(publish::Publish),
    Read(read::Read),
    List(list::List),
    Status(status::Status),
    Decide(decide::Decide),
    Ack(ack::Ack),
    StartNext(start_next::StartNext),
    Watch(watch::Watch),
    Mode(mode::Mode),
    Assign(assign::Assign),
}

impl Task {
    /// The question of those that ask the hub one thing.
    pub(super) fn question(&self) -> Option<&dyn Ask> {
        Some(match &self.command {
            Command::New(new) => new,
            Command::Publish(publish) => publish,
            Command::Read(read) => read,
            Command::List(list) => list,
            Command::Status(status) => status,
            Command::Decide(decide) => decide,
            Command::Ack(ack) => ack,
            Command::StartNext(start_next) => start_next,
            Command::Watch(_) | Command::Mode(_) | Command::Assign(_) => return None,
        })
    }

    /// Runs a command that is about settings, and needs no hub; nothing if it is another.
    pub(super) fn run_without_hub(&self) -> Option<Result<Ending, Failure>> {
        match &self.command {
            Command::Mode(mode) => Some(mode.run()),
            Command::Assign(assign) => Some(assign.run()),
            _ => None,
        }
    }

    /// Whether it asks the hub more than one thing.
    pub(super) fn asks_more(&self) -> bool {
        match &self.command {
            Command::Decide(decide) => decide.looks_first(),
            Command::Publish(publish) => publish.looks_first(),
            Command::Ack(ack) => ack.looks_first(),
            Command::Watch(_) => true,
            _ => false,
        }
    }

    /// Runs a command that asks the hub more than one thing.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        match &self.command {
            Command::Decide(decide) => decide.run(folder).await,
            Command::Publish(publish) => publish.run(folder).await,
            Command::Ack(ack) => ack.run(folder).await,
            Command::Watch(watch) => watch.run(folder).await,
            _ => unreachable!("it asks the hub one thing"),
        }
    }
}

/// Which task.
#[derive(Clone, Debug, Args)]
struct Which {
    /// Which task, by its id; `project` is that of the whole project
    #[arg(value_name = "TASK")]
    task: String,
}

/// Whether a person at a terminal is shown the task first, and asked, since no version is named that it has seen.
fn looks_first(expected_version: Option<u64>) -> bool {
    expected_version.is_none() && is_person_here()
}

/// Shows a task, and asks whether it is to be done, of which `wish` says what it is; then it is bound to the version that
/// was shown, whatever came meanwhile.
async fn ask_about(
    hub: &Hub,
    question: &dyn Ask,
    (seen, text): (&Value, &str),
    wish: &str,
) -> Result<Ending, Failure> {
    if question.output().json {
        screen::complain(text);
    } else {
        screen::tell(text)?;
    }
    let task = clean::line(seen["task_id"].as_str().unwrap_or_default());
    let records = match seen["version"].as_u64().unwrap_or_default() {
        0 => "no record yet".to_owned(),
        1 => "record 1".to_owned(),
        version => format!("records 1 to {version}"),
    };
    let asked = format!("`turnroom task read {task}` shows all that they say.\n{wish} {records}? [y/N] ");
    if !typed::says_yes(&asked).await.context("the terminal cannot be read")? {
        screen::complain("nothing was decided\n");
        return Ok(Ending::Refused);
    }
    let call = question.call()?.set("expected_version", seen["version"].clone());
    ask::ask(hub, question, call).await
}
