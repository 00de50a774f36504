//! Looks for commits that tasks name, in the repositories of the settings, by git itself.

mod text;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::agents::Agents;
use crate::hub::{Commit, Commits};
use crate::platform::group::Group;

/// So many bytes of a commit are read at most.
const READ: usize = 8 << 20;
/// Git takes less, or something is wrong.
const PATIENCE: Duration = Duration::from_secs(10);
/// Nothing that a repository says may start a program, change it, or reach out. Nor may it put another commit, or other
/// parents, in the place of those that are meant.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
];
const SETTINGS: [&str; 9] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.commitGraph=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "log.showRoot=true",
];
/// Shows all that a commit changes, whatever settings and attributes say, and a merge against its first parent. The
/// first line has the parents.
const SHOW: [&str; 16] = [
    "show",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--text",
    "--unified=3",
    "--submodule=short",
    "--ignore-submodules=none",
    "-O/dev/null",
    "-m",
    "--first-parent",
    "--encoding=UTF-8",
    "--format=%P%ncommit %H%nAuthor:     %an <%ae>%nAuthorDate: %aI%nCommit:     %cn <%ce>%nCommitDate: %cI%n%n\
     %w(0,4,4)%B",
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
            if let Some(commit) = show(&folder, name).await {
                return Some(commit);
            }
        }
        None
    }
}

/// What git says of the commit of this name; nothing where it knows none, or several.
async fn show(folder: &Path, name: &str) -> Option<Commit> {
    let id = id_of(folder, name).await?;
    let said = git(folder, SHOW.iter().copied().chain([id.as_str(), "--"]), String::new()).await?;
    let end = said.iter().position(|byte| *byte == b'\n')?;
    let parents = String::from_utf8_lossy(&said[..end]).split_whitespace().map(str::to_owned).collect();
    let (text, is_cut) = text::readable(&said[end + 1..]);
    Some(Commit { id, folder: folder.to_owned(), parents, text, is_cut: is_cut || said.len() >= READ })
}

/// The id of the one commit whose id begins so. Branches, tags and whatever else has this name do not count.
async fn id_of(folder: &Path, name: &str) -> Option<String> {
    let wanted = format!("--disambiguate={name}");
    let ids = git(folder, ["rev-parse", &wanted].into_iter(), String::new()).await?;
    let ids = String::from_utf8(ids).ok()?;
    let kinds = git(folder, ["cat-file", "--batch-check"].into_iter(), ids).await?;
    let kinds = String::from_utf8(kinds).ok()?;
    let is_commit = |line: &&str| line.split(' ').nth(1) == Some("commit");
    let mut commits = kinds.lines().filter(is_commit).filter_map(|line| line.split(' ').next());
    let id = commits.next()?;
    let is_meant = id.starts_with(&name.to_ascii_lowercase()) && commits.next().is_none();
    is_meant.then(|| id.to_owned())
}

/// What git says, if it does what it is asked.
async fn git(folder: &Path, words: impl Iterator<Item = &str>, input: String) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    // What the hub was started with may name another repository.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.arg("-C").arg(folder).args(SETTINGS).args(words).envs(ENVIRONMENT);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut git = Group::start(command).ok()?;
    let (ended, said) = timeout(PATIENCE, git.converse(input, READ)).await.ok()?.ok()?;
    ended.success().then_some(said)
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
