//! `turnroom stop`: ends the hub. Nothing said is lost; waiting agents are told to call again.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;

/// Stop the hub; nothing is lost, and bridges start it again when they need it
#[derive(Debug, Args)]
pub(super) struct Stop {
    #[command(flatten)]
    output: Output,
}

impl Ask for Stop {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("stop"))
    }

    fn show(&self, _answer: &Value, _look: Look) -> String {
        "the hub stops\n".to_owned()
    }

    fn output(&self) -> Output {
        self.output
    }
}
