//! `turnroom task assign`: who plays which part in tasks, and how that agent is started.

use clap::Args;

use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::options::{Output, handle};
use super::settings;
use crate::config::Change;

/// Say who plays a part in tasks, and how that agent is started
#[derive(Debug, Args)]
#[command(after_help = "\
It holds for tasks that name nobody for the part, and is written into your own settings; a running hub goes by it
within seconds. All words after --start are the program and its arguments, so that other options stand before it. The
program gets the task as JSON on its standard input.

  turnroom task assign executor @Bob
  turnroom task assign executor --auto --start my-agent --go
  turnroom task assign executor --no-start")]
pub(super) struct Assign {
    /// Which part
    #[arg(value_parser = ["architect", "executor", "reviewer"])]
    role: String,
    /// Who plays it in tasks that name nobody
    #[arg(value_name = "@HANDLE", value_parser = handle, required_unless_present_any = ["start", "no_start", "no_cast", "auto", "no_auto"])]
    handle: Option<String>,
    /// The program that is its agent, and its arguments: all words that follow
    #[arg(long, num_args = 1.., value_name = "COMMAND", allow_hyphen_values = true)]
    start: Option<Vec<String>>,
    #[command(flatten)]
    forget: Forget,
    /// In auto mode the hub starts it
    #[arg(long, conflicts_with = "no_auto")]
    auto: bool,
    /// The hub does not start it by itself
    #[arg(long)]
    no_auto: bool,
    /// Write it, though this is no terminal
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    output: Output,
}

/// What is taken back.
#[derive(Clone, Copy, Debug, Args)]
struct Forget {
    /// Forget who plays it: in tasks that name nobody, @Architect, @Executor or @Reviewer does
    #[arg(long, conflicts_with = "handle")]
    no_cast: bool,
    /// Forget the program: its agent comes by itself, or somebody starts it
    #[arg(long, conflicts_with = "start")]
    no_start: bool,
}

impl Assign {
    pub(super) fn run(&self) -> Result<Ending, Failure> {
        settings::change(&self.changes(), self.yes)?;
        settings::show(self.output, Some(&self.role))
    }

    fn changes(&self) -> Vec<Change> {
        let role = || self.role.clone();
        let cast = self.handle.clone().map(|handle| Change::Cast { role: role(), handle });
        let start = self.start.clone().map(|command| Change::Start { role: role(), command });
        let no_cast = self.forget.no_cast.then(|| Change::NoCast { role: role() });
        let no_start = self.forget.no_start.then(|| Change::NoStart { role: role() });
        let auto = (self.auto || self.no_auto).then(|| Change::Auto { role: role(), is_auto: self.auto });
        [cast, no_cast, start, no_start, auto].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        assign: Assign,
    }

    fn changes(words: &[&str]) -> Option<Vec<Change>> {
        let words = ["x"].iter().chain(words);
        Some(Words::try_parse_from(words).ok()?.assign.changes())
    }

    #[test]
    fn all_words_after_start_are_of_the_program() {
        let role = || "executor".to_owned();
        let command = ["my-agent", "--yes", "-p", "Go on"].map(str::to_owned).to_vec();
        assert_eq!(
            changes(&["executor", "@Bob", "--auto", "--start", "my-agent", "--yes", "-p", "Go on"]),
            Some(vec![
                Change::Cast { role: role(), handle: "@Bob".to_owned() },
                Change::Start { role: role(), command },
                Change::Auto { role: role(), is_auto: true },
            ])
        );
    }

    #[test]
    fn something_must_be_said_of_a_part_that_there_is() {
        assert_eq!(changes(&["executor"]), None);
        assert_eq!(changes(&["boss", "@Bob"]), None);
        assert_eq!(changes(&["executor", "--auto", "--no-auto"]), None);
        assert_eq!(changes(&["executor", "--no-auto"]).map(|changes| changes.len()), Some(1));
    }

    #[test]
    fn what_is_said_of_a_part_is_taken_back() {
        let role = || "executor".to_owned();
        let (no_cast, no_start) = (Change::NoCast { role: role() }, Change::NoStart { role: role() });
        assert_eq!(changes(&["executor", "--no-start"]), Some(vec![no_start.clone()]));
        assert_eq!(changes(&["executor", "--no-cast", "--no-start"]), Some(vec![no_cast, no_start]));
        assert_eq!(changes(&["executor", "@Bob", "--no-cast"]), None);
        assert_eq!(changes(&["executor", "--no-start", "--start", "my-agent"]), None);
    }
}
