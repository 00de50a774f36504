//! `turnroom give`: a person gives the turn to somebody.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Person, Place};
use super::screen::Look;
use super::show;

/// Give the turn to somebody, whoever has it
#[derive(Debug, Args)]
#[command(after_help = "\
`turnroom pass` gives it to whoever comes next.

  turnroom give @Bob --room review --reason 'He knows the parser'")]
pub(super) struct Give {
    /// To whom
    #[arg(value_name = "@HANDLE")]
    to: String,
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
        Ok(Call::tool("pass_turn")
            .by_person()
            .set("handle", self.person.handle.as_str())
            .set("to", self.to.as_str())
            .set_some("key", self.person.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_some("reason", self.reason.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::moved(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
