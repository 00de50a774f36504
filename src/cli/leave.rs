//! `turnroom leave`: go out of a room.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Actor, Output, Place};
use super::screen::Look;
use super::show;

/// Leave a room; your turn passes on
#[derive(Debug, Args)]
pub(super) struct Leave {
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    output: Output,
}

impl Ask for Leave {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("leave_conversation")
            .set("handle", self.actor.handle.as_str())
            .set_some("key", self.actor.key.as_deref())
            .set_some("room", self.place.room.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
