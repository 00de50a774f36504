//! `turnroom send`: say something, and wait for what comes next.

use std::io::{self, IsTerminal};

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::options::{Actor, Output, Place, number, seconds, seconds_value, words};
use super::screen::Look;
use super::{intake, show};

/// Say something, and wait for what comes next
#[derive(Debug, Args)]
#[command(after_help = "\
Mention with @ those who must answer, and nobody else. Text from a pipe keeps every byte but one last line end.

  turnroom send --as @Alice 'The tests pass now. @Bob, please review.'
  git diff | turnroom send --as @Alice --to @Bob --private")]
pub(super) struct Send {
    /// What to say; `-` or nothing: the text that is piped in
    #[arg(allow_hyphen_values = true, value_parser = words)]
    text: Option<String>,
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    place: Place,
    /// Only you and those addressed may read it
    #[arg(long)]
    private: bool,
    /// Who is addressed, instead of those mentioned in the text; may be repeated
    #[arg(long, value_name = "@HANDLE", value_delimiter = ',')]
    to: Vec<String>,
    /// Number of the message that this one answers
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    reply_to: Option<u64>,
    /// An answer to choose from, for a person; may be repeated
    #[arg(long = "choice", value_name = "TEXT")]
    choices: Vec<String>,
    /// Nobody has to answer
    #[arg(long)]
    no_reply: bool,
    /// Your own id of this message: sent twice with it, it is posted once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    /// You have seen everything up to this message
    #[arg(long, visible_alias = "after", value_name = "N", value_parser = number::<u64>)]
    after_seq_id: Option<u64>,
    /// Wait at most so long for what comes next [default: the hub's]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    /// Do not wait for what comes next
    #[arg(long, conflicts_with = "timeout")]
    no_wait: bool,
    #[command(flatten)]
    output: Output,
}

impl Ask for Send {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::tool("send_message")
            .set("sender", self.actor.handle.as_str())
            .set("content", self.content()?)
            .set_some("key", self.actor.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_switch("is_private", self.private)
            .set_list("recipients", &self.to)
            .set_some("reply_to", self.reply_to)
            .set_list("choices", &self.choices)
            .set_some("request_id", self.request_id.as_deref())
            .set_some("after_seq_id", self.after_seq_id)
            .set_some("expects_reply", self.no_reply.then_some(false))
            .set_some("timeout_seconds", self.timeout.map(seconds_value))
            .set_some("block", self.no_wait.then_some(false));
        Ok(call)
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::turn(answer, look)
    }

    /// What counts is whether it was posted; news may come or not.
    fn ending(&self, answer: &Value) -> Ending {
        if answer["posted"].is_object() { Ending::Done } else { Ending::Refused }
    }

    fn output(&self) -> Output {
        self.output
    }
}

impl Send {
    fn content(&self) -> Result<String, Failure> {
        match self.text.as_deref() {
            Some(text) => intake::typed_or_piped(text),
            None if io::stdin().is_terminal() => {
                Err(Failure::Usage("nothing to say; give the text, or pipe it in".to_owned()))
            }
            None => intake::piped(),
        }
    }
}
