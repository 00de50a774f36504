//! `turnroom close`: end a room.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Anybody, Output, Where};
use super::screen::Look;
use super::show;

/// Close a room; all who wait in it are told
#[derive(Debug, Args)]
pub(super) struct Close {
    #[command(flatten)]
    who: Anybody,
    #[command(flatten)]
    place: Where,
    /// What came of it; ends the transcript
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Close {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("close_conversation")
            .by_person()
            .set("handle", self.who.handle()?)
            .set_some("key", self.who.key.as_deref())
            .set_some("room", self.place.room())
            .set_some("summary", self.summary.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
