//! `turnroom task decide`: a person approves, rejects or closes.

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::{Output, USER, number};
use super::super::screen::Look;
use super::super::show;
use super::super::signed::signed;
use super::status::state_of;
use super::{Which, ask_about, looks_first};
use crate::paths::DataFolder;

/// Records among which the last decision is looked for.
const SHOWN: u64 = 50;

/// Approve, reject or close a task, as a person
#[derive(Debug, Args)]
#[command(after_help = "\
A decision is bound to a version: if more was published, nothing is decided. At a terminal without --expected-version
you are shown what came since the last decision, and asked; your decision is bound to that. Only typed at a terminal,
or on the page, does it pass the gate; from a script it is a proposal that a person must confirm, and the exit code is
1, unless the task was made with --gate open.

  turnroom task decide new-parser approve --expected-version 7
  turnroom task decide new-parser reject --reason 'Old files are still refused'")]
pub(super) struct Decide {
    #[command(flatten)]
    which: Which,
    /// What you decide
    #[arg(value_parser = ["approve", "reject", "close"])]
    decision: String,
    /// Who decides [default: @user; or the agent that `TURNROOM_HANDLE` names, as a proposal]
    #[arg(long, value_name = "@HANDLE")]
    by: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// The version that you have looked at: with another one, nothing is decided
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    expected_version: Option<u64>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Decide {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::tool("context_decide")
            .set("task_id", self.which.task.as_str())
            .set("decision", self.decision.as_str())
            .set_some("reason", self.reason.as_deref())
            .set_some("expected_version", self.expected_version);
        Ok(signed(call, "by", self.by.as_deref(), Some(USER)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn ending(&self, answer: &Value) -> Ending {
        ending_of_decision(answer)
    }

    fn output(&self) -> Output {
        self.output
    }
}

impl Decide {
    /// Whether a person is shown what is decided about.
    pub(super) fn looks_first(&self) -> bool {
        looks_first(self.expected_version)
    }

    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let hub = Hub::find(folder)?;
        let wish = match self.decision.as_str() {
            "approve" => "Approve",
            "reject" => "Reject",
            _ => "Close the task, with",
        };
        ask_about_decision(&hub, self, &self.which.task, wish).await
    }
}

/// Shows a task with what came since its last decision, and asks whether the wish is to be decided, bound to that.
pub(super) async fn ask_about_decision(
    hub: &Hub,
    question: &dyn Ask,
    task: &str,
    wish: &str,
) -> Result<Ending, Failure> {
    let seen = look(hub, task).await?;
    let text = show::task_look(&seen, Look::of_stdout());
    ask_about(hub, question, (&seen, &text), wish).await
}

/// A decision that is only a proposal, or that did not fit, has decided nothing.
pub(super) fn ending_of_decision(answer: &Value) -> Ending {
    let (version, warnings) = (&answer["version"], answer["warnings"].as_array());
    let is_proposed = answer["proposed"]["version"] == *version;
    let does_not_fit = warnings.into_iter().flatten().any(|warning| warning["version"] == *version);
    if is_proposed || does_not_fit { Ending::Refused } else { Ending::Done }
}

/// A task with its newest records.
async fn look(hub: &Hub, task: &str) -> Result<Value, Failure> {
    let mut seen = hub.call(&state_of(task)).await?;
    let newest = seen["version"].as_u64().unwrap_or_default();
    let mut records: Vec<Value> = Vec::new();
    let mut since = Some(newest.saturating_sub(SHOWN - 1).max(1));
    while let Some(first) = since.filter(|first| *first <= newest) {
        let call =
            Call::tool("context_read").set("task_id", task).set("since_version", first).set("limit", SHOWN);
        let page = hub.call(&call).await?;
        records.extend(page["versions"].as_array().cloned().unwrap_or_default());
        since = page["next_since_version"].as_u64();
    }
    // What came meanwhile is not decided about.
    records.retain(|record| record["version"].as_u64().is_some_and(|version| version <= newest));
    seen["versions"] = records.into();
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        decide: Decide,
    }

    #[test]
    fn a_decision_that_decided_nothing_ends_with_1() {
        let decide = Words::try_parse_from(["x", "parser", "approve"]).unwrap().decide;
        let warning = json!({ "version": 3, "code": "OUT_OF_TABLE" });
        for (answer, ending) in [
            (json!({ "version": 3, "status": "approved", "warnings": [] }), Ending::Done),
            (json!({ "version": 3, "proposed": { "version": 3, "decision": "approve" } }), Ending::Refused),
            (json!({ "version": 3, "warnings": [warning] }), Ending::Refused),
            (json!({ "version": 4, "warnings": [warning] }), Ending::Done),
            (json!({ "version": 3, "scope": "project" }), Ending::Done),
        ] {
            assert_eq!(decide.ending(&answer), ending, "{answer}");
        }
    }
}
