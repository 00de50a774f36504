//! `turnroom pass`: give the turn on without speaking.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::options::{Anybody, Output, Where, handle};
use super::screen::Look;
use super::show;

/// Give the turn on without speaking; a person may pass anybody's turn
#[derive(Debug, Args)]
pub(super) struct Pass {
    #[command(flatten)]
    who: Anybody,
    #[command(flatten)]
    place: Where,
    /// Who comes next [default: the head of the queue]
    #[arg(long, value_name = "@HANDLE", value_parser = handle)]
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
            .set("handle", self.who.handle()?)
            .set_some("key", self.who.key.as_deref())
            .set_some("room", self.place.room())
            .set_some("to", self.to.as_deref())
            .set_some("reason", self.reason.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        // A person does not go on in a call that waits, and is told no more than whose turn it is.
        if self.who.is_user() {
            show::moved(answer, self.to.as_deref(), look)
        } else {
            show::turn(answer, look)
        }
    }

    /// Nobody gives on what somebody else has, but a person.
    fn ending(&self, answer: &Value) -> Ending {
        if answer["status"] == "not_your_turn" { Ending::Refused } else { Ending::Done }
    }

    fn output(&self) -> Output {
        self.output
    }
}
