//! `turnroom hooks`: writes the hooks into the settings of clients, after showing what changes there.

mod client;
mod difference;
mod merge;
mod ordered;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::ending::Ending;
use super::failure::Failure;
use super::screen;
use crate::platform;
use client::{Client, Scope};
use merge::Wanted;

/// Hooks: the client asks turnroom at the end of each turn, so that no agent stops while something waits for it
#[derive(Debug, Args)]
pub(super) struct Hooks {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Install(Install),
}

/// Show what changes in the settings of a client, ask, and write it
#[derive(Debug, Args)]
#[command(after_help = "\
Without --as, each session is told apart by the handle under which it called turnroom last; so three agents on one
machine need no settings of their own. TURNROOM_HANDLE in the environment of a client does the same as --as.

  turnroom hooks install --client claude-code --dry-run")]
struct Install {
    /// For which client [default: those of which settings are found]
    #[arg(long, value_enum)]
    client: Option<Client>,
    /// In whose settings [default: user, with --as local]
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Whose news, for every session with these settings
    #[arg(long = "as", value_name = "@HANDLE")]
    handle: Option<String>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Take the hooks of turnroom out again
    #[arg(long, conflicts_with = "handle")]
    uninstall: bool,
}

/// One file and what becomes of it.
struct Change {
    path: PathBuf,
    before: Option<String>,
    after: String,
}

impl Hooks {
    /// Installs, for each client in turn. `data` is the data folder, if one was named.
    pub(super) fn run(&self, data: Option<&Path>) -> Result<Ending, Failure> {
        let Command::Install(install) = &self.command;
        let mut ending = Ending::Done;
        for client in install.clients()? {
            if install.run(client, data)? == Ending::Refused {
                ending = Ending::Refused;
            }
        }
        Ok(ending)
    }
}

impl Install {
    fn clients(&self) -> Result<Vec<Client>, Failure> {
        let clients = match self.client {
            Some(client) => vec![client],
            None => Client::found(),
        };
        if clients.is_empty() {
            let words =
                "no settings of a client are found; name one with `--client claude-code` or `--client codex`";
            return Err(Failure::Usage(words.to_owned()));
        }
        Ok(clients)
    }

    fn run(&self, client: Client, data: Option<&Path>) -> Result<Ending, Failure> {
        let usual = if self.handle.is_some() { Scope::Local } else { Scope::User };
        let path = client.settings(self.scope.unwrap_or(usual))?;
        let wanted = (!self.uninstall).then(|| -> anyhow::Result<Wanted> {
            let program = std::env::current_exe().context("the program does not know where it lies")?;
            Ok(client.hooks(&program, data, self.handle.as_deref()))
        });
        let Some(change) = change(path, wanted.transpose()?.as_ref())? else {
            screen::print(&format!("{client}: nothing to change\n"))?;
            return Ok(Ending::Done);
        };
        screen::print(&change.shown())?;
        if self.dry_run {
            return Ok(Ending::Done);
        }
        if !self.yes && !is_agreed()? {
            screen::complain("nothing was changed; `--yes` writes it without asking\n");
            return Ok(Ending::Refused);
        }
        change.write()?;
        screen::print(&format!("{}\n{}", change.path.display(), client.advice(self.uninstall)))?;
        Ok(Ending::Done)
    }
}

/// What becomes of a settings file; none if it stays as it is.
fn change(path: PathBuf, wanted: Option<&Wanted>) -> anyhow::Result<Option<Change>> {
    // Settings that lie elsewhere, behind a link, are changed there.
    let path = path.canonicalize().unwrap_or(path);
    let before = match platform::files::read_settings(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    };
    let after = merge::merge(before.as_deref().unwrap_or_default(), wanted)
        .with_context(|| format!("`{}` was not changed", path.display()))?;
    Ok(after.map(|after| Change { path, before, after }))
}

impl Change {
    fn shown(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        format!("{}\n{}", self.path.display(), difference::difference(before, &self.after))
    }

    /// Writes the file whole; whoever changed it since it was shown keeps what he wrote.
    fn write(&self) -> anyhow::Result<()> {
        if platform::files::read_settings(&self.path).ok() != self.before {
            bail!("`{}` has changed meanwhile and was left as it is; try again", self.path.display());
        }
        let folder = self.path.parent().context("a file lies in a folder")?;
        let write = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            let mode = fs::metadata(&self.path).ok();
            platform::files::replace(&self.path, self.after.as_bytes())?;
            if let Some(before) = mode {
                platform::files::take_over_mode_and_owner(&fs::File::open(&self.path)?, &before);
            }
            Ok(())
        };
        write().with_context(|| format!("`{}` cannot be written", self.path.display()))
    }
}

fn is_agreed() -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    screen::print("write this? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
