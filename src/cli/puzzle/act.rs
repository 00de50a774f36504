//! `turnroom puzzle act`: do an action.

use std::io::{self, IsTerminal};

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::options::{Output, USER, number, seconds, seconds_value};
use super::super::screen::Look;
use super::super::show;
use super::super::signed::signed;
use super::Which;

/// Do an action of the state in which a puzzle is
#[derive(Debug, Args)]
#[command(after_help = "\
If a guard asks somebody first, nothing is done until it lets the action pass: the exit code is 1, and `turnroom puzzle
show` tells who is asked. With --wait the command waits for that.

  turnroom puzzle act release submit --as @Alice
  turnroom puzzle act release approve --as @Alice --wait=600")]
pub(super) struct Act {
    #[command(flatten)]
    which: Which,
    /// What is to be done
    action: String,
    /// Who acts [default, at a terminal: @user]
    #[arg(long = "as", value_name = "@HANDLE")]
    actor: Option<String>,
    /// The version that you have seen: with another one, nothing is done
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    expected_version: Option<u64>,
    /// Wait until those have answered who are asked first, at most so long
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "86400",
        value_parser = seconds
    )]
    wait: Option<f64>,
    /// Your own id of this act: sent twice with it, it is done once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Act {
    fn call(&self) -> Result<Call, Failure> {
        let call = act_on(&self.which.puzzle, &self.action, self.actor.as_deref());
        Ok(call
            .set_some("expected_version", self.expected_version)
            .set_some("request_id", self.request_id.as_deref())
            .set_some("wait_seconds", self.wait.map(seconds_value)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::puzzle(answer, look)
    }

    fn ending(&self, answer: &Value) -> Ending {
        if answer["success"] == true { Ending::Done } else { Ending::Refused }
    }

    fn output(&self) -> Output {
        self.output
    }
}

/// Acts on a puzzle; at a terminal as the person there, if nobody is named.
pub(super) fn act_on(puzzle: &str, action: &str, actor: Option<&str>) -> Call {
    let call = Call::tool("perform_action_on_puzzle").set("puzzleId", puzzle).set("actionName", action);
    signed(call, "actor", actor, io::stdin().is_terminal().then_some(USER))
}
