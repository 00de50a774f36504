//! `turnroom export`: a whole conversation as one file.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use serde_json::json;

use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::screen::{self, Look};
use super::show;
use crate::paths::DataFolder;

/// Write a whole conversation as one file of Markdown or HTML
#[derive(Debug, Args)]
#[command(after_help = "\
It is made from the log, so it is complete also where the transcript has several parts, or is gone.

  turnroom export review > review.md
  turnroom export review --html --output review.html")]
pub(super) struct Export {
    /// Which room
    room: String,
    /// As a page that stands alone, instead of Markdown
    #[arg(long)]
    html: bool,
    /// With private messages
    #[arg(long)]
    private: bool,
    /// Into this new file [default: `-`, standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let call = Call::command("export")
            .set("room", self.room.as_str())
            .set("format", if self.html { "html" } else { "markdown" })
            .set_switch("with_private", self.private);
        let answer = Hub::find(folder)?.call(&call).await?;
        let text = answer["text"].as_str().context("the hub gave no text; is it of another version?")?;
        match &self.output {
            Some(file) if file.as_os_str() != "-" => {
                write(file, text)?;
                screen::tell(&show::object(
                    &json!({ "file": file.display().to_string() }),
                    Look::of_stdout(),
                ))?;
            }
            _ if io::stdout().is_terminal() => screen::print(&clean::text(text))?,
            _ => screen::print(text)?,
        }
        let left_out = answer["private_left_out"].as_u64().unwrap_or(0);
        if left_out > 0 {
            let messages = if left_out == 1 {
                "1 private message is"
            } else {
                &format!("{left_out} private messages are")
            };
            screen::complain(&format!("{messages} left out; with --private they are in it\n"));
        }
        Ok(Ending::Done)
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let shown = file.display();
    let new = OpenOptions::new().write(true).create_new(true).open(file);
    let mut new = new.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!("`{shown}` is there already, and nothing is overwritten; name a new file")
        }
        ErrorKind::NotFound => anyhow!("the folder of `{shown}` is not there; make it, or name another file"),
        _ => anyhow::Error::new(error).context(format!("`{shown}` cannot be written")),
    })?;
    Ok(new.write_all(text.as_bytes()).with_context(|| format!("`{shown}` cannot be written"))?)
}
