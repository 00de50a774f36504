//! `turnroom remove`: a person frees a handle whose agent is gone or has gone wrong.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Place};
use super::screen::Look;
use super::show;

/// Free a handle, as a person: its turn passes on, and anybody may join under it
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Whose handle
    #[arg(value_name = "@HANDLE")]
    handle: String,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    output: Output,
}

impl Ask for Remove {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("remove")
            .by_person()
            .set("handle", self.handle.as_str())
            .set_some("room", self.place.room.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::state(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
