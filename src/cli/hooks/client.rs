//! What is known of the hooks of each client: where its settings lie, which events there are, and its time limits.
//!
//! Claude Code: hooks stand in `settings.json`. A `Stop` hook that ends with 2 keeps the agent going; with
//! `asyncRewake` it runs in the background, and its 2 wakes the agent. Without a limit of its own a hook may hold a turn
//! for minutes. Codex: hooks stand in `hooks.json`; `Stop` works the same, nothing wakes an idle agent, and a person
//! has to trust each new hook once.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::merge::{Hook, Wanted};

/// A hook that answers at once gets so many seconds: both clients count in seconds.
const SHORT: u64 = 5;
/// A hook in the background, in seconds: eight hours.
const LONG: u64 = 28_800;
/// How the tools of a server named `turnroom` are called in both clients.
const TOOLS: &str = "mcp__turnroom__.*";

/// A client that runs hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    ClaudeCode,
    Codex,
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// Of this user, in every folder
    User,
    /// Of the current folder, for everyone who works in it
    Project,
    /// Of the current folder, for this user alone
    Local,
}

impl Client {
    const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// The clients of which this user has settings.
    pub(super) fn found() -> Vec<Self> {
        let is_found = |client: &Self| client.folder().is_some_and(|folder| folder.is_dir());
        Self::ALL.into_iter().filter(is_found).collect()
    }

    /// The folder of this user's settings.
    fn folder(self) -> Option<PathBuf> {
        let (variable, name) = match self {
            Self::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => ("CODEX_HOME", ".codex"),
        };
        let named = std::env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        named.or_else(|| Some(etcetera::home_dir().ok()?.join(name)))
    }

    /// The file that holds its hooks.
    pub(super) fn settings(self, scope: Scope) -> anyhow::Result<PathBuf> {
        let own = || self.folder().context("this user has no home folder; use `--scope project`");
        Ok(match (self, scope) {
            (Self::ClaudeCode, Scope::User) => own()?.join("settings.json"),
            (Self::ClaudeCode, Scope::Project) => PathBuf::from(".claude/settings.json"),
            (Self::ClaudeCode, Scope::Local) => PathBuf::from(".claude/settings.local.json"),
            (Self::Codex, Scope::User) => own()?.join("hooks.json"),
            // It knows no settings of a folder for one user alone.
            (Self::Codex, Scope::Project | Scope::Local) => PathBuf::from(".codex/hooks.json"),
        })
    }

    /// The hooks that it is to have.
    pub(super) fn hooks(self, program: &Path, data: Option<&Path>, handle: Option<&str>) -> Wanted {
        let mut words = vec![program.display().to_string()];
        words.extend(data.into_iter().flat_map(|data| ["--data-dir".to_owned(), data.display().to_string()]));
        let command = |event: &str| {
            let own = handle.filter(|_| event != "note").map(|handle| ["--as".to_owned(), handle.to_owned()]);
            let words = words.iter().cloned().chain(["hook".to_owned(), event.to_owned()]);
            words.chain(own.into_iter().flatten()).map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
        };
        let short = |event: &str| json!({ "type": "command", "command": command(event), "timeout": SHORT });
        let mut hooks = vec![Hook { event: "Stop", matcher: None, handler: short("stop") }];
        if self == Self::ClaudeCode {
            let handler: Value = json!({ "type": "command", "command": command("wake"), "timeout": LONG, "asyncRewake": true });
            hooks.push(Hook { event: "Stop", matcher: None, handler });
        }
        if handle.is_none() {
            hooks.push(Hook { event: "PostToolUse", matcher: Some(TOOLS), handler: short("note") });
        }
        Wanted(hooks)
    }

    /// What is left to do.
    pub(super) fn advice(self, is_uninstall: bool) -> &'static str {
        match self {
            _ if is_uninstall => "The hooks are taken out. Start the client anew.\n",
            Self::ClaudeCode => "The hooks are set. They count for sessions that start from now on.\n",
            Self::Codex => {
                "The hooks are set. Start Codex anew and trust them: it shows them under `/hooks`.\n\
                 If its config.toml has `[hooks]` too, it uses both and says so at its start.\n"
            }
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        })
    }
}

/// A word for the shell that runs the hook.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/\\._-:@+=,".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
