//! `turnroom start`: a person opens a room without those who are missing.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// Open a room without those who are missing, as a person
#[derive(Debug, Args)]
pub(super) struct Start {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for Start {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("start").by_person().set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::state(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
