//! `turnroom status`: whether the hub runs, and how to reach it.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;
use super::show;

/// Tell whether the hub runs, and how to reach it
#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    output: Output,
}

impl Ask for Status {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("status"))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::status(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
