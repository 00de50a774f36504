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

use clap::Parser;

use command::Cli;
use ending::Ending;
use failure::Failure;

/// Runs the command that `arguments` (the program's name first) ask for; gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Options may stand before it.
    let is_hook = arguments.iter().skip(1).any(|word| word == "hook" || word == "event");
    match Cli::try_parse_from(arguments) {
        Ok(cli) => conclude(command::run(&cli)),
        Err(error) => {
            // Nobody is left to tell when the terminal itself is gone.
            let _ = error.print();
            let code = u8::try_from(error.exit_code()).unwrap_or(Ending::USAGE);
            // The 2 of a hook would keep its agent going for ever.
            ExitCode::from(if is_hook { code.min(Ending::Refused.code()) } else { code })
        }
    }
}

fn conclude(result: Result<Ending, Failure>) -> ExitCode {
    match result {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(failure) => {
            if let Some(text) = failure.explain() {
                screen::complain(&text);
            }
            ExitCode::from(failure.code())
        }
    }
}
