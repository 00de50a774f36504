//! Settings: `config.toml` of the project, then of the user, then the defaults.
//!
//! A file needs only what shall differ. What it names must exist and have the right type, or none of it counts, and a
//! person is told: a setting that is silently ignored is worse than an error. It never decides anything; it is read once,
//! at the start, but for `[tasks]`, which a running hub reads again when a file has changed.

mod edit;
mod fault;
mod layers;
mod notices;
mod puzzles;
mod tasks;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Value;

use crate::paths::Environment;
use crate::platform::files::read_settings;
pub use edit::Change;
pub use fault::Fault;
use fault::place;
use layers::{Layers, Whose};
pub use layers::{Origin, Setting};
pub use notices::{Format, Hidden, NoticeCommand, Notices, QuietHours, Webhook};
pub use puzzles::Puzzles;
pub use tasks::{Cast, Mode, Starter, Starters, Tasks};

/// Every setting that exists, with its meaning.
const DEFAULTS: &str = include_str!("config/defaults.toml");

/// Tables in which a file may name keys of its own, each with an example of a value.
static OPEN_TABLES: [(&str, Value); 3] = [
    ("clients", Value::Integer(1)),
    ("notices.webhook.headers", Value::String(String::new())),
    ("puzzles.commands", Value::Array(Vec::new())),
];

/// Tables that only the user's own file may set: what they say runs programs, or sends words elsewhere. The file of a
/// project comes with a clone.
const USER_TABLES: [&str; 3] = ["notices", "puzzles", "tasks"];

/// All settings.
#[derive(Clone, Debug, Deserialize)]
pub struct Config {
    /// What may be had at most.
    pub limits: Limits,
    /// Seconds that a call may block when it names no time, by the start of the client's name; `other` is for the rest.
    pub clients: BTreeMap<String, NonZeroU32>,
    /// How a person is told that something waits.
    pub notices: Notices,
    /// How tasks go on.
    pub tasks: Tasks,
    /// How guards of puzzles are judged by programs.
    pub puzzles: Puzzles,
}

/// What may be had at most.
///
/// A new limit stands here and in `defaults.toml`, is handed on in `serve/open.rs` (or `serve.rs`), checked where the
/// thing is made with an error that names it, and told in `docs/security.md`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Limits {
    /// Rooms that are open at the same time.
    pub open_rooms: NonZeroUsize,
    /// Participants of one room.
    pub participants: NonZeroUsize,
    /// Other names of participants in one room, all together.
    pub aliases: NonZeroUsize,
    /// Calls that wait at the same time under one handle in one room.
    pub waits: NonZeroUsize,
    /// Resources to which one session subscribes.
    pub subscriptions: NonZeroUsize,
    /// Sessions of older MCP clients, over HTTP and SSE each.
    pub sessions: NonZeroUsize,
    /// Connections to the TCP port.
    pub connections: NonZeroUsize,
    /// The longest message, in bytes of UTF-8.
    pub message_bytes: NonZeroUsize,
}

/// Where files with settings may lie; a missing file says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// For all work of this user.
    pub user: Option<PathBuf>,
    /// For work in one folder; it comes before the user's.
    pub project: Option<PathBuf>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file is there, but cannot be read.
    #[error("`{}` cannot be read; mend its permissions, or remove it", .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("`{}` cannot be written; make its folder writable", .path.display())]
    Unwritable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no folder for the user's settings.
    #[error("there is no folder for your settings; name one in XDG_CONFIG_HOME, or set HOME")]
    NoPlace,
    /// A file is no TOML.
    // Without the line itself: it may hold a secret, and this text reaches logs and agents.
    #[error("`{}` is no valid TOML: line {line}: {problem}", .path.display())]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// Where: from 1.
        line: usize,
        /// Why.
        problem: String,
    },
    /// A file names a setting that does not exist.
    #[error("{} has an unknown setting `{key}`{hint}; `turnroom config show` lists all", place(.path, *.line))]
    UnknownSetting {
        /// Which file.
        path: PathBuf,
        /// Where: from 1.
        line: Option<usize>,
        /// What it names.
        key: String,
        /// What it may have meant.
        hint: String,
    },
    /// The file of a project sets what only the user may.
    #[error(
        "{} sets `{key}`, which the file of a project may not, for it could run programs or send words elsewhere; \
         put it into your own, `{}`",
        place(.path, *.line), .users.display()
    )]
    NotInProject {
        /// Which file.
        path: PathBuf,
        /// Where: from 1.
        line: Option<usize>,
        /// Which setting.
        key: String,
        /// The user's own file.
        users: PathBuf,
    },
    /// A setting has a value that it cannot have.
    #[error("{} sets `{key}` to {value}, which must be {expected}", place(.path, *.line))]
    WrongValue {
        /// Which file.
        path: PathBuf,
        /// Where: from 1.
        line: Option<usize>,
        /// Which setting.
        key: String,
        /// Its value, as it stands there.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

impl Places {
    /// The usual places: `config.toml` in the user's folder for settings, and `.turnroom/config.toml` in `project`.
    #[must_use]
    pub fn usual(environment: &Environment, project: Option<&Path>) -> Self {
        let user = environment.config_home.as_deref();
        Self {
            user: user.map(|home| home.join("turnroom").join("config.toml")),
            project: project.map(|folder| folder.join(".turnroom").join("config.toml")),
        }
    }
}

impl Config {
    /// Reads what the places say, over the defaults.
    pub fn read(places: &Places) -> Result<Self, ConfigError> {
        Ok(read(places)?.values())
    }

    /// Every setting with its value and where that comes from, in order of their names.
    pub fn explain(places: &Places) -> Result<Vec<Setting>, ConfigError> {
        Ok(read(places)?.settings())
    }
}

/// The defaults alone.
impl Default for Config {
    fn default() -> Self {
        Layers::defaults().values()
    }
}

fn read(places: &Places) -> Result<Layers, ConfigError> {
    let mut layers = Layers::defaults();
    let beside = places.user.as_deref();
    let files = [(&places.user, Whose::Users), (&places.project, Whose::Projects { beside })];
    for (path, whose) in files.into_iter().filter_map(|(path, whose)| Some((path.as_ref()?, whose))) {
        match read_settings(path) {
            Ok(text) => layers.lay(path, &text, whose)?,
            Err(error) if is_absent(&error) => {}
            Err(source) => return Err(ConfigError::Unreadable { path: path.clone(), source }),
        }
    }
    Ok(layers)
}

/// Whether there is no file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
