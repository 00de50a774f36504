//! `turnroom puzzle answer`: answer a guard.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, USER};
use super::super::screen::Look;
use super::super::show;
use super::super::signed::signed;
use super::Which;

/// Answer what is asked before an action goes on
#[derive(Debug, Args)]
#[command(after_help = "\
What a guard asks of @user himself counts only from the page, or typed at a terminal.

  turnroom puzzle answer release g4 pass
  turnroom puzzle answer release g4 refuse --reason 'A test is missing.'")]
pub(super) struct Answer {
    #[command(flatten)]
    which: Which,
    /// Which guard, as `turnroom puzzle show` names it
    guard: String,
    /// Whether it may go on
    #[arg(value_parser = ["pass", "refuse"])]
    verdict: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Who answers [default: @user]
    #[arg(long = "as", visible_alias = "by", value_name = "@HANDLE")]
    by: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Answer {
    fn call(&self) -> Result<Call, Failure> {
        let call = answer(&self.which.puzzle, &self.guard, &self.verdict, self.reason.as_deref());
        Ok(signed(call, "by", self.by.as_deref(), Some(USER)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::puzzle(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

/// Answers a guard. Who answers is not said yet.
pub(super) fn answer(puzzle: &str, guard: &str, verdict: &str, reason: Option<&str>) -> Call {
    Call::tool("answer_guard")
        .set("puzzleId", puzzle)
        .set("guardId", guard)
        .set("verdict", verdict)
        .set_some("reason", reason)
}
