//! `turnroom list`: a room and everyone in it.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// Show a room: who is here, whose turn it is, who has seen what
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for List {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("list_participants").set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::state(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
