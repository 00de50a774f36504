//! `turnroom doctor`: what is well, what is not, and what to do about it. Works with a running hub and without one.
//!
//! One file per check; each reads with the module that owns the thing and gives [`Finding`]s. A new check is one more
//! file, and one more line in [`examine`]. Nothing is changed, but by `--repair`.

mod clients;
mod finding;
mod folder;
mod journal;
mod lock;
mod reach;
mod repair;
mod rooms;
mod settings;
mod waits;

use std::path::Path;

use clap::Args;

use super::ending::Ending;
use super::failure::Failure;
use super::options::Global;
use super::screen::{self, Look};
use crate::journal::SqliteArchive;
use crate::paths::{DataFolder, LockState};
use finding::{Finding, Grade};

/// Examine data folder, journal, transcripts and client settings, and say what to do
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Save what can be read of a damaged journal into a new one; the old file is kept beside it
    #[arg(long)]
    repair: bool,
    /// Print the findings as one line of JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) async fn run(&self, global: &Global) -> Result<Ending, Failure> {
        let path = global.data_folder_path()?;
        let mut findings = Vec::new();
        if self.repair {
            findings.extend(repair::repair(&global.data_folder()?).await?);
        }
        findings.extend(examine(&path, global).await);
        let text = if self.json {
            super::ask::json_line(&finding::as_json(&findings))
        } else {
            finding::as_text(&findings, Look::of_stdout())
        };
        screen::print(&text)?;
        let is_ill = findings.iter().any(|finding| finding.grade == Grade::Fault);
        Ok(if is_ill { Ending::Refused } else { Ending::Done })
    }
}

/// All checks, in the order in which one fault explains the next.
async fn examine(path: &Path, global: &Global) -> Vec<Finding> {
    let mut findings = Vec::new();
    match folder::open(path, global) {
        Ok(folder) => examine_folder(&folder, &mut findings).await,
        Err(finding) => findings.push(finding),
    }
    findings.push(settings::check());
    findings.extend(clients::check());
    findings
}

async fn examine_folder(folder: &DataFolder, findings: &mut Vec<Finding>) {
    findings.extend(folder::check(folder));
    let state = folder.lock_state();
    let is_running = matches!(state, Ok(LockState::Held { .. }));
    // Who cannot look at the lock does not know whether a hub runs.
    let is_known = state.is_ok();
    findings.extend(lock::check(folder, state));
    findings.extend(settings::check_tokens(folder));
    if is_known {
        findings.extend(reach::check(folder, is_running).await);
    }
    let archive = SqliteArchive::new(&folder.journal());
    let journal = journal::check(folder, &archive, is_running).await;
    let is_there = !journal.is_empty();
    findings.extend(journal);
    if is_there {
        findings.extend(rooms::check(&archive, is_running).await);
    }
    findings.extend(waits::check(folder));
}
