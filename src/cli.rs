//! The command line: one file per command.
//!
//! `serve` is the hub and `stdio` a bridge to it. All other commands are thin: they ask the running hub one
//! thing and show its answer. Nothing here decides anything. `doctor` alone looks at the files of the hub itself.

mod allow;
mod answer;
mod ask;
mod backup;
mod call;
mod clean;
mod close;
mod command;
mod config;
mod delete;
mod demo;
mod doctor;
mod door;
mod ending;
mod event;
mod export;
mod failure;
mod follow;
mod give;
mod hook;
mod hooks;
mod hub;
mod inbox;
mod intake;
mod join;
mod key;
mod leave;
mod list;
mod log;
mod logging;
mod new;
mod notify;
mod open;
mod options;
mod pass;
mod pause;
mod puzzle;
mod read;
mod remove;
mod resume;
mod rooms;
mod say;
mod screen;
mod send;
mod serve;
mod show;
mod signed;
mod start;
mod status;
mod stdio;
mod stop;
mod task;
#[cfg(test)]
mod tests;
mod typed;
mod wait;
mod watch;
mod why;
mod wrap;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use command::Cli;
use ending::Ending;
use failure::Failure;

/// Runs the command that `arguments` (the program's name first) ask for; gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match words(&arguments) {
        Ok((cli, is_json)) => conclude(command::run(&cli), is_json),
        Err(error) => misunderstood(&error, &arguments),
    }
}

/// The command, and whether its answer is for a program.
fn words(arguments: &[OsString]) -> Result<(Cli, bool), clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    let mut innermost = &matches;
    while let Some((_, below)) = innermost.subcommand() {
        innermost = below;
    }
    // Not every command can say it.
    let is_json = innermost.try_get_one("json").ok().flatten().copied().unwrap_or_default();
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))?;
    Ok((cli, is_json))
}

/// Words that make no command, or ask for help.
fn misunderstood(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let has = |wanted: &[&str]| arguments.iter().skip(1).any(|word| wanted.iter().any(|one| word == one));
    // Nobody is left to tell when the terminal itself is gone.
    let _ = error.print();
    let code = u8::try_from(error.exit_code()).unwrap_or(Ending::USAGE);
    // Options may stand before it. The 2 of a hook would keep its agent going for ever, and its client reads what it prints.
    if has(&["hook", "event"]) {
        return ExitCode::from(code.min(Ending::Refused.code()));
    }
    if error.use_stderr() && has(&["--json"]) {
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        tell_program(&Failure::Usage(first.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    ExitCode::from(code)
}

fn conclude(result: Result<Ending, Failure>, is_json: bool) -> ExitCode {
    match result {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(failure) => {
            if is_json {
                tell_program(&failure);
            }
            if let Some(text) = failure.explain() {
                screen::complain(&text);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// With `--json` a failure is an answer too, whoever found it.
fn tell_program(failure: &Failure) {
    if let Some(error) = failure.as_json() {
        // Whoever has closed the pipe wants no answer.
        let _ = screen::print(&ask::json_line(&error));
    }
}
