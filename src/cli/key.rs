//! `turnroom key`: a person makes a new key for a participant.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Place};
use super::screen::Look;
use super::show;

/// Make and show a new key for a participant, as a person; the old key ends
#[derive(Debug, Args)]
pub(super) struct Key {
    /// Whose key
    #[arg(value_name = "@HANDLE")]
    handle: String,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    output: Output,
}

impl Ask for Key {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("key")
            .by_person()
            .set("handle", self.handle.as_str())
            .set_some("room", self.place.room.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
