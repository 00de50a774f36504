//! `turnroom delete`: a room goes for good.

use std::io::{self, BufRead, IsTerminal};

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::clean;
use super::failure::Failure;
use super::options::Output;
use super::screen::{self, Look};
use super::show;

/// Delete a room for good: what was said in it is erased, and its name is free
#[derive(Debug, Args)]
#[command(after_help = "\
The transcript stays, unless you say --transcript; copies that were kept beside it stay always. A backup that you
made before has the room still.

  turnroom delete review
  turnroom delete review --yes --transcript")]
pub(super) struct Delete {
    /// Which room
    room: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Also if it is open: it is closed first
    #[arg(long)]
    force: bool,
    /// Delete its transcript too
    #[arg(long)]
    transcript: bool,
    #[command(flatten)]
    output: Output,
}

impl Delete {
    /// Whether the person at the terminal wants it. Call it before anything is asked of the hub.
    pub(super) fn confirm(&self) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            let text = "nobody is here to be asked; say --yes to delete the room without a question";
            return Err(Failure::Usage(text.to_owned()));
        }
        let transcript = if self.transcript { ", and its transcript" } else { "; its transcript stays" };
        screen::complain(&format!(
            "Delete the room `{}` for good{transcript}? [y/N] ",
            clean::line(&self.room)
        ));
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err(anyhow::anyhow!("nothing was deleted").into()),
        }
    }
}

impl Ask for Delete {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("delete")
            .by_person()
            .set("room", self.room.as_str())
            .set_switch("force", self.force)
            .set_switch("with_transcript", self.transcript))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::deleted(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
