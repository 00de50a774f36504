//! Settings of tasks: what may be said in `[tasks]`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Value;

use super::notices::is_program;
use crate::room::Handle;

/// How tasks go on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tasks {
    /// Who sees to it that agents come when it is their turn.
    pub mode: Mode,
    /// Roles whose agents the hub may start by itself.
    pub auto_roles: Vec<String>,
    /// After how long without a record somebody is told.
    pub stall_minutes: NonZeroU32,
    /// After how many starts by the hub without a word of a person nobody is started; 0: never.
    pub max_auto_turns: u32,
    /// In which folders commits that tasks name are looked for.
    pub repositories: Vec<PathBuf>,
    /// Who plays which part in a task that names nobody.
    pub cast: Cast,
    /// How the agents of the roles are started.
    pub start: Starters,
}

/// Who sees to it that agents come when it is their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// People: they are told whose turn it is.
    Manual,
    /// The hub: it starts them.
    Auto,
}

impl Mode {
    /// As it stands in a file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Auto => "auto",
        }
    }
}

/// Who plays which part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Cast {
    /// Who designs.
    pub architect: String,
    /// Who implements.
    pub executor: String,
    /// Who reviews.
    pub reviewer: String,
}

/// How the agents of the roles are started.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Starters {
    /// Who designs.
    pub architect: Starter,
    /// Who implements.
    pub executor: Starter,
    /// Who reviews.
    pub reviewer: Starter,
}

/// A program that is an agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Starter {
    /// It and its arguments; empty: there is none.
    pub command: Vec<String>,
    /// In which folder it runs; empty: in that of the hub.
    pub folder: PathBuf,
    /// How long it may run.
    pub timeout_minutes: NonZeroU32,
}

impl Tasks {
    /// Who plays a part, and how that agent is started.
    #[must_use]
    pub fn part(&self, role: &str) -> Option<(&str, &Starter)> {
        Some(match role {
            "architect" => (&self.cast.architect, &self.start.architect),
            "executor" => (&self.cast.executor, &self.start.executor),
            "reviewer" => (&self.cast.reviewer, &self.start.reviewer),
            _ => return None,
        })
    }
}

/// What a value must be that cannot be that of this setting; nothing if it can.
pub(super) fn misfit(table: &str, key: &str, value: &Value) -> Option<&'static str> {
    let texts = || value.as_array().into_iter().flatten().filter_map(Value::as_str);
    let text = value.as_str().unwrap_or_default();
    let (fits, expected) = match (table, key) {
        ("tasks", "mode") => (matches!(text, "manual" | "auto"), "\"manual\" or \"auto\""),
        ("tasks", "auto_roles") => {
            let is_role = |role: &str| matches!(role, "architect" | "executor" | "reviewer");
            (texts().all(is_role), "a list of \"architect\", \"executor\", \"reviewer\"")
        }
        ("tasks", "repositories") => {
            let is_sure = |folder: &str| Path::new(folder).is_absolute() || folder.starts_with("~/");
            (texts().all(is_sure), "a list of absolute paths")
        }
        ("tasks.cast", _) => (Handle::parse(text).is_ok(), "a handle such as \"@Bob\""),
        (_, "command") if table.starts_with("tasks.start.") => (
            texts().next().is_none_or(|program| !program.is_empty() && is_program(program)),
            "empty, or a list that begins with an absolute path or the name of a program in PATH",
        ),
        (_, "folder") if table.starts_with("tasks.start.") => {
            let is_sure = text.is_empty() || Path::new(text).is_absolute() || text.starts_with("~/");
            (is_sure, "empty, or an absolute path")
        }
        _ => return None,
    };
    (!fits).then_some(expected)
}
