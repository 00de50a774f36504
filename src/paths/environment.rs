//! What the environment says about folders: the one place that reads it.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::PathError;
use crate::platform;

/// Names the data folder; `--data-dir` comes before it.
const DATA_DIR: &str = "TURNROOM_DATA_DIR";

/// What the environment says about folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// The data folder, if `TURNROOM_DATA_DIR` names one.
    pub data_dir: Option<PathBuf>,
    /// Where programs keep the data of this user: `XDG_DATA_HOME`, else `~/.local/share`.
    pub data_home: Option<PathBuf>,
    /// Where programs keep the settings of this user: `XDG_CONFIG_HOME`, else `~/.config`.
    pub config_home: Option<PathBuf>,
    /// Where programs keep their sockets: `XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<PathBuf>,
    /// A folder with a short path that all users share: `/tmp`.
    pub short_temporary_dir: PathBuf,
}

/// The folder in which this user's programs keep their settings.
#[must_use]
pub fn home_folder() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

impl Environment {
    /// Reads the environment of this process.
    #[must_use]
    pub fn read() -> Self {
        let base = etcetera::choose_base_strategy().ok();
        Self {
            data_dir: env::var_os(DATA_DIR).filter(|path| !path.is_empty()).map(PathBuf::from),
            data_home: base.as_ref().map(BaseStrategy::data_dir),
            config_home: base.as_ref().map(BaseStrategy::config_dir),
            runtime_dir: base.as_ref().and_then(BaseStrategy::runtime_dir),
            short_temporary_dir: platform::short_temporary_folder(),
        }
    }

    /// Which data folder is meant.
    pub(super) fn data_folder(&self, asked: Option<&Path>) -> Result<PathBuf, PathError> {
        let named = asked.or(self.data_dir.as_deref()).map(Path::to_owned);
        let usual = || self.data_home.as_ref().map(|home| home.join("turnroom"));
        named.or_else(usual).ok_or(PathError::NoHome)
    }
}
