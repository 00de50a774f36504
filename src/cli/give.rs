//! `turnroom give`: a person gives the turn to somebody.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Person, Place, handle};
use super::screen::Look;
use super::show;

/// Give the turn to somebody, whoever has it
#[derive(Debug, Args)]
#[command(
    override_usage = "turnroom give [OPTIONS] [ROOM] @HANDLE",
    after_help = "\
`turnroom pass` gives it to whoever comes next.

  turnroom give review @Bob --reason 'Knows the parser'"
)]
pub(super) struct Give {
    /// Which room [default: the newest open one], and to whom
    #[arg(value_name = "[ROOM] @HANDLE", value_parser = handle)]
    first: String,
    #[arg(value_name = "@HANDLE", hide = true, value_parser = handle)]
    second: Option<String>,
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    place: Place,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Give {
    fn call(&self) -> Result<Call, Failure> {
        let room = match self.second {
            Some(_) => Some(self.first.as_str()),
            None => self.place.room.as_deref(),
        };
        Ok(Call::tool("pass_turn")
            .by_person()
            .set("handle", self.person.handle.as_str())
            .set("to", self.to())
            .set_some("key", self.person.key.as_deref())
            .set_some("room", room)
            .set_some("reason", self.reason.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::moved(answer, Some(self.to()), look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

impl Give {
    fn to(&self) -> &str {
        self.second.as_deref().unwrap_or(&self.first)
    }
}
