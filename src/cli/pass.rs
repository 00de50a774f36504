//! `turnroom pass`: give the turn on without speaking.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Person, Place};
use super::screen::Look;
use super::show;

/// Give the turn on without speaking; a person may pass anybody's turn
#[derive(Debug, Args)]
pub(super) struct Pass {
    #[command(flatten)]
    person: Person,
    #[command(flatten)]
    place: Place,
    /// Who comes next [default: the head of the queue]
    #[arg(long, value_name = "@HANDLE")]
    to: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Pass {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("pass_turn")
            .by_person()
            .set("handle", self.person.handle.as_str())
            .set_some("key", self.person.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_some("to", self.to.as_deref())
            .set_some("reason", self.reason.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::turn(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
