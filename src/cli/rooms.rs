//! `turnroom rooms`: all rooms.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;
use super::show;

/// Show all rooms, the newest first
#[derive(Debug, Args)]
pub(super) struct Rooms {
    #[command(flatten)]
    output: Output,
}

impl Ask for Rooms {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("list_conversations"))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::rooms(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
