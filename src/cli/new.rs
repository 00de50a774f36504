//! `turnroom new`: start a room.

mod policy;

use std::path::{self, Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;
use super::show;
use policy::PolicyOptions;

/// The folder for transcripts that goes without saying.
const TRANSCRIPTS: &str = "transcripts";

/// Start a room
#[derive(Debug, Args)]
#[command(after_help = "\
A bare file name lies in the hub's first folder for transcripts; a path is meant from where you are. Below
`transcripts` you may write at once; `turnroom allow DIR` allows another folder for good.

  turnroom new transcripts/review.md @Alice @Bob --topic 'The new parser'")]
pub(super) struct New {
    /// Where the transcript lies
    #[arg(value_name = "FILE.md")]
    file: PathBuf,
    /// Who takes part
    #[arg(value_name = "@HANDLE", required = true)]
    participants: Vec<String>,
    /// What the room is about, in one line
    #[arg(long, value_name = "TEXT")]
    topic: Option<String>,
    /// Id of the room [default: made from the file's name]
    #[arg(long)]
    room: Option<String>,
    /// A handle that is a person, beside @user; may be repeated
    #[arg(long = "human", value_name = "@HANDLE", value_delimiter = ',')]
    humans: Vec<String>,
    /// Close the room that has this file, or keep a foreign file aside, and start anew
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
    // Last: its heading would cover what follows.
    #[command(flatten)]
    policy: PolicyOptions,
}

impl Ask for New {
    fn call(&self) -> Result<Call, Failure> {
        let here = path::absolute(".").context("the current folder is gone")?;
        let call = placed(Call::tool("init_conversation"), &self.file, &here)?
            .set("participants", self.participants.clone())
            .set_some("topic", self.topic.as_deref())
            .set_some("room", self.room.as_deref())
            .set_list("humans", &self.humans)
            .set_switch("force", self.force);
        Ok(self.policy.add_to(call))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::initialized(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

/// A bare name is the hub's matter; a path is made absolute from `here`, and if it lies below `transcripts`
/// there, that folder is brought along, as a bridge started here would.
fn placed(call: Call, file: &Path, here: &Path) -> Result<Call, Failure> {
    let text = file.to_str().context("the file's name is not Unicode")?;
    if file.parent().is_none_or(|parent| parent.as_os_str().is_empty()) {
        return Ok(call.set("filepath", text));
    }
    let whole = here.join(file);
    let whole: PathBuf = whole.components().filter(|part| *part != path::Component::CurDir).collect();
    let text = whole.to_str().context("the folder's name is not Unicode")?.to_owned();
    let own = here.join(TRANSCRIPTS);
    let call = call.set("filepath", text);
    Ok(if whole.starts_with(&own) { call.with_folder(own) } else { call })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str) -> (String, Vec<PathBuf>) {
        let call = placed(Call::tool("init_conversation"), Path::new(file), Path::new("/home/me")).unwrap();
        (call.arguments["filepath"].as_str().unwrap().to_owned(), call.folders)
    }

    #[test]
    fn a_bare_name_is_left_to_the_hub() {
        assert_eq!(place("x.md"), ("x.md".to_owned(), vec![]));
    }

    #[test]
    fn a_path_is_meant_from_where_the_caller_is() {
        assert_eq!(place("notes/x.md"), ("/home/me/notes/x.md".to_owned(), vec![]));
        assert_eq!(place("/tmp/x.md"), ("/tmp/x.md".to_owned(), vec![]));
    }

    #[test]
    fn the_transcripts_folder_here_is_brought_along() {
        let folder = vec![PathBuf::from("/home/me/transcripts")];
        assert_eq!(place("./transcripts/x.md"), ("/home/me/transcripts/x.md".to_owned(), folder));
    }

    #[test]
    fn the_hub_sees_every_step_out_of_a_folder() {
        assert_eq!(place("transcripts/../../x.md").0, "/home/me/transcripts/../../x.md");
    }
}
