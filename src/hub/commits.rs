//! Commits that records of tasks name.

use std::fmt;
use std::path::PathBuf;

use async_trait::async_trait;

use super::Hub;
use super::error::HubError;

/// So many records are looked through at once.
const PAGE: usize = 200;
/// How many characters the name of a commit has.
const NAME: std::ops::RangeInclusive<usize> = 4..=64;

/// A commit, as git shows it.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Its whole id, which begins with the name that the record has.
    pub id: String,
    /// In which folder it was found.
    pub folder: PathBuf,
    /// The ids of its parents, as far as they are there.
    pub parents: Vec<String>,
    /// What git says of it, with what it changes against its first parent.
    pub text: String,
    /// Whether that is only the beginning.
    pub is_cut: bool,
}

/// Who knows commits.
#[async_trait]
pub trait Commits: fmt::Debug + Send + Sync {
    /// The one commit whose id is this, or begins so.
    async fn find(&self, name: &str) -> Option<Commit>;
}

/// Nobody knows any.
#[derive(Debug)]
pub struct NoCommits;

#[async_trait]
impl Commits for NoCommits {
    async fn find(&self, _name: &str) -> Option<Commit> {
        None
    }
}

impl Hub {
    /// A commit that a record of a task names. Nothing, if none does, or it is not found: nobody looks at others here.
    pub async fn commit_of_task(&self, task: &str, name: &str) -> Result<Option<Commit>, HubError> {
        if !is_name(name) || !self.names_commit(task, name).await? {
            return Ok(None);
        }
        Ok(self.shared.settings.commits.find(name).await)
    }

    async fn names_commit(&self, task: &str, name: &str) -> Result<bool, HubError> {
        let mut since = 1;
        loop {
            let (_, records) = self.read_task(task, since, PAGE).await?;
            if records.iter().any(|record| record.payload.commits().into_iter().any(|commit| commit == name))
            {
                return Ok(true);
            }
            match records.last() {
                Some(last) if records.len() == PAGE => since = last.version + 1,
                _ => return Ok(false),
            }
        }
    }
}

/// Whether a text can be the name of a commit: the page links no other.
#[must_use]
pub fn is_name(text: &str) -> bool {
    NAME.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
