//! `turnroom backup`: everything that was ever said, in one file; with a running hub, or without one.

use std::path::{self, Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};

use super::ask;
use super::call::Call;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::Output;
use super::screen::Look;
use super::show;
use crate::journal;
use crate::paths::DataFolder;

/// Write everything that was said into one new file, while the hub goes on
#[derive(Debug, Args)]
#[command(after_help = "\
The file is for you only, and nothing is overwritten. To put it back, stop the hub, give the file the name
`journal.db` in a data folder that has no journal, and start the hub: transcripts come back by themselves.
Folders that you allowed stand in the file `allowed-folders` of the data folder.

  turnroom backup ~/backups/turnroom.db")]
pub(super) struct Backup {
    /// Where the copy is to lie
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    output: Output,
}

impl Backup {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let file = path::absolute(&self.file).context("the file's name makes no path")?;
        let answer = match by_hub(folder, &file).await {
            Err(failure @ (Failure::NoHub(_) | Failure::Unreachable { .. })) => {
                alone(folder, &file, failure)?
            }
            answer => answer?,
        };
        ask::print(&answer, self.output, shown)?;
        Ok(Ending::Done)
    }
}

async fn by_hub(folder: &DataFolder, file: &Path) -> Result<Value, Failure> {
    let name = file.to_str().context("the file's name is not Unicode")?;
    Hub::find(folder)?.call(&Call::command("backup").set("file", name)).await
}

/// Copies the journal of a data folder that no hub has. One that has it and cannot be reached is left alone.
fn alone(folder: &DataFolder, file: &Path, failure: Failure) -> Result<Value, Failure> {
    // Held to the end, so that no hub starts in between.
    let Ok(_lock) = folder.lock() else { return Err(failure) };
    if !folder.journal().exists() {
        return Err(anyhow::anyhow!("there is no journal in `{}` yet", folder.path().display()).into());
    }
    let bytes = journal::copy(&folder.journal(), file).map_err(anyhow::Error::from)?;
    Ok(json!({ "file": file, "bytes": bytes }))
}

fn shown(answer: &Value, look: Look) -> String {
    show::object(answer, look)
}
