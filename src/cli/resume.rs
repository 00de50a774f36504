//! `turnroom resume`: a person ends a pause.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// End a pause, as a person: agents may speak again
#[derive(Debug, Args)]
pub(super) struct Resume {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for Resume {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("resume").by_person().set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::state(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
