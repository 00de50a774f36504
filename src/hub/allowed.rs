//! Folders that a person has allowed for transcripts, for good: one a line in a file of the data folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Hub;
use super::error::HubError;
use super::shared::Shared;
use crate::transcript::Folders;

impl Shared {
    /// Every folder in which a transcript may lie, the one where relative paths begin first.
    pub(super) fn folders(&self) -> Folders {
        let mut allowed = self.settings.folders.clone();
        allowed.extend(self.settings.allowed_folders.iter().flat_map(|file| read(file)));
        Folders { allowed }
    }
}

impl Hub {
    /// A person allows a folder for transcripts, for good.
    pub async fn allow(&self, folder: &Path) -> Result<(), HubError> {
        let text = folder.to_str().filter(|text| folder.is_absolute() && !text.contains(['\n', '\r']));
        let (Some(text), true) = (text, folder.is_dir()) else {
            let problem = format!("`{}` is no folder", folder.display());
            return Err(HubError::argument("folder", problem, &["the absolute path of an existing folder"]));
        };
        let Some(file) = self.shared.settings.allowed_folders.clone() else { return Ok(()) };
        if read(&file).iter().any(|known| known == folder) {
            return Ok(());
        }
        let line = format!("{text}\n");
        let added = tokio::task::spawn_blocking(move || add(&file, &line)).await;
        match added.map_err(io::Error::other).and_then(|added| added) {
            Ok(()) => Ok(()),
            Err(error) => Err(HubError::argument("folder", format!("it cannot be noted: {error}"), &[])),
        }
    }
}

fn read(file: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect()
}

fn add(file: &Path, line: &str) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}
