//! Starts turnroom: parses the command line and runs one command.

fn main() -> std::process::ExitCode {
    turnroom::cli::run(std::env::args_os())
}
