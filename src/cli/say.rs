//! `turnroom say`: a person says something, and goes on with its day.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::options::{Output, Person, Place, number, words};
use super::screen::Look;
use super::{intake, show};

/// Say something, as a person, without waiting for what comes next
#[derive(Debug, Args)]
#[command(
    override_usage = "turnroom say [OPTIONS] [ROOM] TEXT",
    after_help = "\
Typed at a terminal, your words are marked as yours; from a script or a pipe they are not.

  turnroom say review '@Alice, please keep the old syntax.'
  turnroom say review 'Well done.' --no-reply
  git diff | turnroom say review - --to @Bob"
)]
pub(super) struct Say {
    /// Which room [default: the newest open one], and what to say; `-`: the text that is piped in
    #[arg(value_name = "[ROOM] TEXT", allow_hyphen_values = true, value_parser = words)]
    first: String,
    // One argument of two words would take options for words too.
    #[arg(value_name = "TEXT", hide = true, allow_hyphen_values = true, value_parser = words)]
    second: Option<String>,
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    place: Place,
    /// Who is addressed, instead of those mentioned in the text; may be repeated
    #[arg(long, value_name = "@HANDLE", value_delimiter = ',')]
    to: Vec<String>,
    /// Only you and those addressed may read it
    #[arg(long)]
    private: bool,
    /// Number of the message that this one answers
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    reply_to: Option<u64>,
    /// Nobody has to answer
    #[arg(long)]
    no_reply: bool,
    #[command(flatten)]
    output: Output,
}

impl Ask for Say {
    fn call(&self) -> Result<Call, Failure> {
        let (room, text) = match &self.second {
            Some(text) => (Some(self.first.as_str()), text),
            None => (self.place.room.as_deref(), &self.first),
        };
        Ok(Call::tool("send_message")
            .by_person()
            .set("sender", self.person.handle.as_str())
            .set("content", intake::typed_or_piped(text)?)
            .set_some("key", self.person.key.as_deref())
            .set_some("room", room)
            .set_list("recipients", &self.to)
            .set_switch("is_private", self.private)
            .set_some("reply_to", self.reply_to)
            .set_some("expects_reply", self.no_reply.then_some(false))
            .set("block", false))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::said(answer, look)
    }

    fn ending(&self, answer: &Value) -> Ending {
        if answer["posted"].is_object() { Ending::Done } else { Ending::Refused }
    }

    fn output(&self) -> Output {
        self.output
    }
}
