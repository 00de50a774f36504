//! `turnroom log`: the events of a room, for people who want to see what really happened.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// Print the events of a room, one line of JSON each
#[derive(Debug, Args)]
pub(super) struct Log {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for Log {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("log").set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, _look: Look) -> String {
        show::log(answer)
    }

    fn output(&self) -> Output {
        self.output
    }
}
