//! Looks for commits that tasks name, in the repositories of the settings, by git itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::agents::Agents;
use crate::hub::{Commit, Commits};
use crate::platform::group::Group;

/// So many bytes of a commit are shown.
const MOST: usize = 512 << 10;
/// Git takes less, or something is wrong.
const PATIENCE: Duration = Duration::from_secs(10);
/// Nothing that a repository says may start a program, change it, or reach out.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
];
const OPTIONS: [&str; 12] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
    "show",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--format=fuller",
    "--stat",
    "--patch",
];

/// Looks for commits in the repositories of the settings.
#[derive(Debug)]
pub(super) struct Repositories {
    agents: Arc<Agents>,
}

impl Repositories {
    pub(super) fn new(agents: Arc<Agents>) -> Self {
        Self { agents }
    }
}

#[async_trait]
impl Commits for Repositories {
    async fn find(&self, name: &str) -> Option<Commit> {
        for folder in self.agents.repositories() {
            if let Some(text) = show(&folder, name).await {
                let is_cut = text.len() >= MOST;
                return Some(Commit { folder, text, is_cut });
            }
        }
        None
    }
}

/// What git says of a commit; nothing where it knows none of this name.
async fn show(folder: &Path, name: &str) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(OPTIONS).args([
        "--end-of-options",
        &format!("{name}^{{commit}}"),
        "--",
    ]);
    command.envs(ENVIRONMENT).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut git = Group::start(command).ok()?;
    let (ended, said) = timeout(PATIENCE, git.converse(String::new(), MOST)).await.ok()?.ok()?;
    ended.success().then(|| String::from_utf8_lossy(&said).into_owned())
}

/// The folders in which commits are looked for: those that are named, else those in which agents work, else that of the
/// hub.
pub(super) fn folders(named: &[PathBuf], of_agents: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut folders = named.to_vec();
    if folders.is_empty() {
        folders.extend(of_agents);
    }
    if folders.is_empty() {
        folders.extend(std::env::current_dir());
    }
    let mut seen = Vec::new();
    folders.retain(|folder| {
        !seen.contains(folder) && {
            seen.push(folder.clone());
            true
        }
    });
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, words: &[&str]) -> String {
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost", "-c", "commit.gpgsign=false"];
        let said = Command::new("git").arg("-C").arg(folder).args(who).args(words).output().unwrap();
        assert!(said.status.success(), "{words:?}: {said:?}");
        String::from_utf8(said.stdout).unwrap().trim().to_owned()
    }

    /// A repository with one commit, and its name.
    fn repository() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "-q"]);
        std::fs::write(folder.path().join("a.txt"), "one\n").unwrap();
        git(folder.path(), &["add", "a.txt"]);
        git(folder.path(), &["commit", "-qm", "The first file"]);
        let name = git(folder.path(), &["rev-parse", "HEAD"]);
        (folder, name)
    }

    #[tokio::test]
    async fn a_commit_is_shown_with_its_diff_whole_or_by_its_beginning() {
        let (folder, name) = repository();
        for name in [&name, &name[..7]] {
            let text = show(folder.path(), name).await.unwrap();
            assert!(text.contains("The first file") && text.contains("\n+one\n"), "{text}");
        }
    }

    #[tokio::test]
    async fn what_is_no_commit_of_the_repository_is_not_there() {
        let (folder, _) = repository();
        for name in ["0000000", "deadbeef", "HEAD:a.txt", "--help", ""] {
            assert_eq!(show(folder.path(), name).await, None, "{name}");
        }
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(show(empty.path(), "0000000").await, None);
    }

    #[tokio::test]
    async fn nothing_that_a_repository_says_is_run() {
        let (folder, name) = repository();
        let mark = folder.path().join("mark");
        let program = format!("touch {}", mark.display());
        for key in ["diff.external", "diff.x.textconv", "core.fsmonitor", "core.pager", "gpg.program"] {
            git(folder.path(), &["config", key, &program]);
        }
        git(folder.path(), &["config", "log.showSignature", "true"]);
        std::fs::write(folder.path().join(".git/info/attributes"), "*.txt diff=x\n").unwrap();
        assert!(show(folder.path(), &name).await.is_some());
        assert!(!mark.exists());
    }

    #[test]
    fn folders_that_are_named_come_before_those_of_agents() {
        let (one, two) = (PathBuf::from("/one"), PathBuf::from("/two"));
        assert_eq!(folders(&[one.clone()], [two.clone()].into_iter()), [one]);
        assert_eq!(folders(&[], [two.clone(), two.clone()].into_iter()), [two]);
        assert_eq!(folders(&[], std::iter::empty()).len(), 1);
    }
}
