//! `turnroom why`: who waits for whom, and the one act that frees them.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Output, Where};
use super::screen::Look;
use super::show;

/// Tell who waits for whom, since when and why, and what to type so that the room moves on
#[derive(Debug, Args)]
pub(super) struct Why {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    output: Output,
}

impl Ask for Why {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("why").set_some("room", self.place.room()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::why(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
