//! `turnroom why`: who waits for whom, and the one act that frees them.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;
use super::show;

/// Tell who waits for whom, since when and why, and what to type so that the room moves on
#[derive(Debug, Args)]
pub(super) struct Why {
    /// Which room [default: the newest open one]
    #[arg(env = "TURNROOM_ROOM", hide_env_values = true)]
    room: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Why {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("why").set_some("room", self.room.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::why(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
