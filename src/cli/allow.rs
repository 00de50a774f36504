//! `turnroom allow`: a person allows a folder for transcripts.

use std::path::{self, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::Output;
use super::screen::Look;
use super::show;

/// Allow a folder for transcripts, for good
#[derive(Debug, Args)]
pub(super) struct Allow {
    /// Which folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    output: Output,
}

impl Ask for Allow {
    fn call(&self) -> Result<Call, Failure> {
        let folder = path::absolute(&self.folder).context("the folder's name makes no path")?;
        let folder = folder.to_str().context("the folder's name is not Unicode")?;
        Ok(Call::command("allow").set("folder", folder))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::object(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
