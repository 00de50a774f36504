//! All commands, and how each is run.

use anyhow::Context;
use clap::{Parser, Subcommand};
use tokio::runtime;

use super::ask::{self, Ask};
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::Global;
use super::{
    allow, answer, backup, close, config, delete, demo, doctor, event, export, give, hook, hooks, inbox,
    join, key, leave, list, log, logging, new, notify, open, pass, pause, puzzle, read, remove, resume,
    rooms, say, screen, send, serve, start, status, stdio, stop, task, wait, watch, why,
};
use crate::paths::DataFolder;

/// One local hub on which coding agents and people take turns
#[derive(Debug, Parser)]
#[command(
    name = "turnroom",
    version,
    infer_long_args = false,
    after_help = "Exit codes: 0 done, 1 refused, 2 usage, 3 hub not reachable, 4 time-out, 130 interrupted."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Stdio(stdio::Stdio),
    Status(status::Status),
    Stop(stop::Stop),
    New(new::New),
    Join(join::Join),
    Send(send::Send),
    Wait(wait::Wait),
    Read(read::Read),
    List(list::List),
    Rooms(rooms::Rooms),
    Leave(leave::Leave),
    Pass(pass::Pass),
    Close(close::Close),
    Resume(resume::Resume),
    Start(start::Start),
    Remove(remove::Remove),
    Why(why::Why),
    Log(log::Log),
    Inbox(inbox::Inbox),
    Answer(answer::Answer),
    Say(say::Say),
    Give(give::Give),
    Pause(pause::Pause),
    Watch(watch::Watch),
    Task(task::Task),
    Puzzle(puzzle::Puzzle),
    Event(event::Event),
    Open(open::Open),
    Allow(allow::Allow),
    Key(key::Key),
    Demo(demo::Demo),
    Export(export::Export),
    Backup(backup::Backup),
    Delete(delete::Delete),
    Doctor(doctor::Doctor),
    Config(config::Settings),
    Notify(notify::Notify),
    Hooks(hooks::Hooks),
    Hook(hook::Hook),
}

/// Runs a command to its end.
pub(super) fn run(cli: &Cli) -> Result<Ending, Failure> {
    logging::start(cli.global.verbose, cli.command.log_level());
    match &cli.command {
        Command::Config(settings) => return settings.run(),
        Command::Task(task) => {
            if let Some(done) = task.run_without_hub() {
                return done;
            }
        }
        // Before the data folder is opened, since that would make one.
        Command::Doctor(doctor) => return until_interrupted(doctor.run(&cli.global)),
        Command::Hook(hook) => {
            // Without a data folder there is no hub, and so nothing to tell.
            let Ok(folder) = cli.global.data_folder() else { return Ok(Ending::Done) };
            return until_interrupted(hook.run(&folder));
        }
        Command::Event(event) => return until_interrupted(event.run(&cli.global)),
        _ => {}
    }
    let folder = cli.global.data_folder()?;
    match &cli.command {
        Command::Serve(serve) => serve.run(&folder),
        Command::Stdio(stdio) => stdio.run(&folder),
        Command::Notify(notify) => until_interrupted(notify.run(&folder)),
        Command::Wait(wait) => until_interrupted(wait.run(&folder)),
        Command::Demo(demo) => small_runtime()?.block_on(demo.run(&folder)),
        Command::Inbox(inbox) => until_interrupted(inbox.run(&folder)),
        Command::Answer(answer) => until_interrupted(answer.run(&folder)),
        Command::Watch(watch) => until_interrupted(watch.run(&folder)),
        Command::Task(task) if task.asks_more() => until_interrupted(task.run(&folder)),
        Command::Puzzle(puzzle) if puzzle.question().is_none() => until_interrupted(puzzle.run(&folder)),
        Command::Open(open) => until_interrupted(open.run(&folder)),
        Command::Export(export) => until_interrupted(export.run(&folder)),
        Command::Backup(backup) => until_interrupted(backup.run(&folder)),
        Command::Hooks(hooks) => hooks.run(cli.global.names_data_folder().then(|| folder.path())),
        Command::Delete(delete) => {
            let hub = Hub::find(&folder)?;
            until_interrupted(async { delete.run(&hub).await })
        }
        thin => run_thin(thin.question(), &folder),
    }
}

fn run_thin(question: Option<&dyn Ask>, folder: &DataFolder) -> Result<Ending, Failure> {
    let question = question.expect("every other command asks the hub one thing");
    // Before anything else, so that words that make no sense need no hub.
    let call = question.call()?;
    until_interrupted(async { ask::ask(&Hub::find(folder)?, question, call).await })
}

/// Runs a command; Ctrl-C ends it, and with it takes back what was asked.
fn until_interrupted(work: impl Future<Output = Result<Ending, Failure>>) -> Result<Ending, Failure> {
    small_runtime()?.block_on(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => {
                screen::end_line();
                Ok(Ending::Interrupted)
            }
        }
    })
}

/// A runtime on this thread alone: enough for a client.
pub(super) fn small_runtime() -> Result<runtime::Runtime, Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.context("the runtime does not start")?)
}

impl Cli {
    /// The question of a thin command.
    #[cfg(test)]
    pub(super) fn question(&self) -> Option<&dyn Ask> {
        self.command.question()
    }
}

impl Command {
    /// What is logged without `-v`. The hub tells what it does; the others only what goes wrong.
    fn log_level(&self) -> &'static str {
        if matches!(self, Self::Serve(_)) { "turnroom=info,warn" } else { "warn" }
    }

    /// The question of a thin command.
    fn question(&self) -> Option<&dyn Ask> {
        Some(match self {
            Self::Serve(_)
            | Self::Stdio(_)
            | Self::Wait(_)
            | Self::Doctor(_)
            | Self::Config(_)
            | Self::Notify(_)
            | Self::Hooks(_)
            | Self::Hook(_)
            | Self::Event(_)
            | Self::Demo(_)
            | Self::Inbox(_)
            | Self::Answer(_)
            | Self::Watch(_)
            | Self::Open(_)
            | Self::Export(_)
            | Self::Backup(_) => return None,
            Self::Task(task) => return task.question(),
            Self::Puzzle(puzzle) => return puzzle.question(),
            Self::Delete(delete) => delete,
            Self::Say(say) => say,
            Self::Give(give) => give,
            Self::Pause(pause) => pause,
            Self::Status(status) => status,
            Self::Stop(stop) => stop,
            Self::New(new) => new,
            Self::Join(join) => join,
            Self::Send(send) => send,
            Self::Read(read) => read,
            Self::List(list) => list,
            Self::Rooms(rooms) => rooms,
            Self::Leave(leave) => leave,
            Self::Pass(pass) => pass,
            Self::Close(close) => close,
            Self::Resume(resume) => resume,
            Self::Start(start) => start,
            Self::Remove(remove) => remove,
            Self::Why(why) => why,
            Self::Log(log) => log,
            Self::Allow(allow) => allow,
            Self::Key(key) => key,
        })
    }
}
