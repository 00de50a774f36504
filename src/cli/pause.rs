//! `turnroom pause`: a person stops a room for a while.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// Pause a room, as a person: agents may not speak until `turnroom resume`
#[derive(Debug, Args)]
pub(super) struct Pause {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for Pause {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("pause").by_person().set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::state(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
