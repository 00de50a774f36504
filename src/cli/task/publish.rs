//! `turnroom task publish`: add a record to a task.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::hub::Hub;
use super::super::options::{Output, number};
use super::super::screen::Look;
use super::super::signed::signed;
use super::super::{intake, show};
use super::decide::{ask_about_decision, ending_of_decision};
use super::{Which, looks_first};
use crate::paths::DataFolder;

/// Add a record to a task
#[derive(Debug, Args)]
#[command(after_help = "\
A record is never refused because of where the task stands; one that does not fit is kept with a warning. A `decision`
is treated as by `turnroom task decide`: bound to what you are shown, and from a script a proposal, with exit code 1.

  turnroom task publish new-parser --role executor --content-type code_changes \\
      --summary 'Parses old files' --body 'What changed, and how it was tested' --commits 1a2b3c4
  turnroom task publish project --role human --content-type note --summary 'Style' --body - <STYLE.md")]
pub(super) struct Publish {
    #[command(flatten)]
    which: Which,
    /// Your part: architect, executor, reviewer, human
    #[arg(long)]
    role: String,
    /// What it is: `design`, `code_changes`, `review`, `revision` or `note`
    #[arg(long, value_name = "TYPE")]
    content_type: String,
    /// What it says, in one line
    #[arg(long, value_name = "TEXT", required_unless_present = "payload_file")]
    summary: Option<String>,
    /// All of it; `-`: the text that is piped in
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "payload_file")]
    body: Option<String>,
    /// A file of JSON with summary, body and more, `-`: what is piped in; options come before it
    #[arg(long, value_name = "FILE")]
    payload_file: Option<PathBuf>,
    /// What a review comes to: `pass`, `fail_code`, `fail_design` or `blocked_external`
    #[arg(long)]
    verdict: Option<String>,
    /// A commit that belongs to it; may be repeated
    #[arg(long, value_name = "COMMIT", value_delimiter = ',')]
    commits: Vec<String>,
    /// The record that this one is about
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    ref_version: Option<u64>,
    /// The version that you have read: with another one, nothing is published
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    expected_version: Option<u64>,
    /// Who you are [default: whom `TURNROOM_HANDLE` names]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The model that you are
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Your own id of this record: sent twice with it, it is published once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Publish {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::tool("context_publish")
            .set("task_id", self.which.task.as_str())
            .set("role", self.role.as_str())
            .set("content_type", self.content_type.as_str())
            .set("payload", self.payload()?)
            .set_some("model", self.model.as_deref())
            .set_some("expected_version", self.expected_version)
            .set_some("request_id", self.request_id.as_deref());
        Ok(signed(call, "agent", self.agent.as_deref(), None))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn ending(&self, answer: &Value) -> Ending {
        if self.decides() { ending_of_decision(answer) } else { Ending::Done }
    }

    fn output(&self) -> Output {
        self.output
    }
}

impl Publish {
    /// Whether a person is shown what is decided about.
    pub(super) fn looks_first(&self) -> bool {
        self.decides() && looks_first(self.expected_version)
    }

    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let wish = "Decide so about";
        ask_about_decision(&Hub::find(folder)?, self, &self.which.task, wish).await
    }

    fn decides(&self) -> bool {
        self.content_type == "decision"
    }

    fn payload(&self) -> Result<Map<String, Value>, Failure> {
        let mut payload = self.payload_file.as_deref().map(from_file).transpose()?.unwrap_or_default();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                payload.insert(name.to_owned(), value);
            }
        };
        let body = self.body.as_deref().map(intake::typed_or_piped).transpose()?;
        put("summary", self.summary.as_deref().map(Into::into));
        put("body", body.map(Into::into));
        put("verdict", self.verdict.as_deref().map(Into::into));
        put("commits", (!self.commits.is_empty()).then(|| self.commits.clone().into()));
        put("ref_version", self.ref_version.map(Into::into));
        Ok(payload)
    }
}

fn from_file(path: &Path) -> Result<Map<String, Value>, Failure> {
    match intake::json(path)? {
        Value::Object(payload) => Ok(payload),
        _ => Err(Failure::Usage(format!("`{}` is no object of JSON", path.display()))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        publish: Publish,
    }

    #[test]
    fn a_payload_comes_from_a_file_and_options_come_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("payload.json");
        let payload = |text: &str| {
            fs::write(&file, text).unwrap();
            let words = ["x", "t", "--role", "reviewer", "--content-type", "review", "--verdict", "pass"];
            let file = ["--payload-file", file.to_str().unwrap()];
            Words::try_parse_from(words.iter().chain(&file)).unwrap().publish.payload()
        };
        let given =
            payload(r#"{"summary": "s", "body": "b", "verdict": "fail_code", "files": ["a"]}"#).unwrap();
        assert_eq!(
            Value::Object(given),
            json!({ "summary": "s", "body": "b", "verdict": "pass", "files": ["a"] })
        );
        for text in ["", "[1]", "\"text\""] {
            assert!(matches!(payload(text), Err(Failure::Usage(_))), "{text}");
        }
        fs::remove_file(&file).unwrap();
        assert!(matches!(from_file(&file), Err(Failure::Unreadable { .. })));
    }
}
