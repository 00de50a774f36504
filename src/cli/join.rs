//! `turnroom join`: come into a room, and wait until it has opened.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::options::{Actor, Output, Place, number, seconds, seconds_value};
use super::screen::Look;
use super::show;

/// Join a room, and wait until it has opened
#[derive(Debug, Args)]
pub(super) struct Join {
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    place: Place,
    /// A name for people
    #[arg(long)]
    name: Option<String>,
    /// How many of the last messages to be given, if you were not declared
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    history: Option<u32>,
    /// Wait at most so long [default: the hub's]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Join {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::tool("join_conversation")
            .set("handle", self.actor.handle.as_str())
            .set_some("key", self.actor.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_some("name", self.name.as_deref())
            .set_some("history", self.history)
            .set_some("timeout_seconds", self.timeout.map(seconds_value)))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::turn(answer, look)
    }

    fn ending(&self, answer: &Value) -> Ending {
        match answer["status"].as_str() {
            Some("waiting" | "timeout") => Ending::TimedOut,
            Some("closed" | "replaced") => Ending::Refused,
            Some("stopping") => Ending::Unreachable,
            _ => Ending::Done,
        }
    }

    fn output(&self) -> Output {
        self.output
    }
}
