//! A commit and its diff.

use askama::Template;

use super::Frame;

/// A commit that a record of a task names.
#[derive(Clone, Debug, Template)]
#[template(path = "commit.html")]
pub(in crate::web) struct CommitPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// Its name, as the record has it.
    pub(in crate::web) name: String,
    /// Its whole id.
    pub(in crate::web) id: String,
    /// Against what its changes are shown, where that is not its only parent.
    pub(in crate::web) against: Option<String>,
    /// The task.
    pub(in crate::web) task: String,
    /// The path of that.
    pub(in crate::web) back: String,
    /// Where it was found.
    pub(in crate::web) folder: String,
    /// What git says of it.
    pub(in crate::web) lines: Vec<DiffLine>,
    /// Whether that is only the beginning.
    pub(in crate::web) is_cut: bool,
}

/// A line of what git says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct DiffLine {
    /// The line.
    pub(in crate::web) text: String,
    /// What it is, as the style sheet calls it; empty for most.
    pub(in crate::web) look: &'static str,
}

/// What each line of a diff is. The message of a commit may look like anything: only below a place in a file do signs
/// mean something.
pub(in crate::web) fn diff_lines(text: &str) -> Vec<DiffLine> {
    let (mut is_file, mut is_place) = (false, false);
    let looks = text.lines().map(|line| {
        if line.starts_with("diff --git ") {
            (is_file, is_place) = (true, false);
            return "file";
        }
        is_place |= is_file && line.starts_with("@@");
        match line.as_bytes().first() {
            Some(b'@') if is_place => "place",
            Some(b'+') if is_place => "added",
            Some(b'-') if is_place => "removed",
            _ => "",
        }
    });
    text.lines().zip(looks).map(|(line, look)| DiffLine { text: line.to_owned(), look }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_mean_something_only_in_a_file() {
        let text = "commit 1\n\n    +not added\n---\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n same\n";
        let looks: Vec<_> = diff_lines(text).into_iter().map(|line| line.look).collect();
        assert_eq!(looks, ["", "", "", "", "file", "", "", "place", "removed", "added", ""]);
    }
}
