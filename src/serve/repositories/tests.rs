//! Real repositories, also such as want to show something else.

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

/// Commits this content of a file, and gives the name of the commit.
fn commit(folder: &Path, file: &str, content: &[u8]) -> String {
    std::fs::write(folder.join(file), content).unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-qm", &format!("Change {file}")]);
    git(folder, &["rev-parse", "HEAD"])
}

async fn text_of(folder: &Path, name: &str) -> String {
    show(folder, name).await.unwrap().text
}

#[tokio::test]
async fn a_commit_is_shown_with_its_diff_whole_or_by_its_beginning() {
    let (folder, name) = repository();
    for name in [&name, &name[..7]] {
        let text = text_of(folder.path(), name).await;
        assert!(text.contains("The first file") && text.contains("\n+one\n"), "{text}");
    }
}

#[tokio::test]
async fn what_is_no_commit_of_the_repository_is_not_there() {
    let (folder, _) = repository();
    for name in ["0000000", "deadbeef", "HEAD:a.txt", "--help", ""] {
        assert!(show(folder.path(), name).await.is_none(), "{name}");
    }
    let empty = tempfile::tempdir().unwrap();
    assert!(show(empty.path(), "0000000").await.is_none());
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

#[tokio::test]
async fn no_other_commit_and_no_other_parents_are_shown_in_place_of_those_that_are_named() {
    let (folder, harmless) = repository();
    let folder = folder.path();
    let replaced = commit(folder, "a.txt", b"replaced\n");
    let named = commit(folder, "a.txt", b"named\n");
    let grafted = commit(folder, "a.txt", b"grafted\n");
    let last = commit(folder, "z.txt", b"z\n");
    git(folder, &["replace", &replaced, &harmless]);
    git(folder, &["branch", &named[..7], &harmless]);
    git(folder, &["tag", &named[..8], &harmless]);
    std::fs::write(folder.join(".git/info/grafts"), format!("{last} {harmless}\n{grafted} {last}\n"))
        .unwrap();
    let cases =
        [(&replaced[..], "replaced"), (&named[..7], "named"), (&named[..8], "named"), (&grafted, "grafted")];
    for (name, word) in cases {
        let shown = show(folder, name).await.unwrap();
        assert!(shown.id.starts_with(name) && shown.text.contains(&format!("\n+{word}\n")), "{}", shown.text);
    }
    git(folder, &["branch", "deadbeef", &harmless]);
    assert!(show(folder, "deadbeef").await.is_none(), "a branch is no commit");
}

#[tokio::test]
async fn no_attribute_and_no_setting_hides_what_a_commit_changes() {
    let (folder, first) = repository();
    let folder = folder.path();
    let own = commit(folder, ".gitattributes", b"*.txt -diff\n* binary\n");
    let evil = commit(folder, "b.txt", b"evil\n");
    let settings = [
        ("diff.x.binary", "true"),
        ("diff.relative", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.orderFile", "/nowhere"),
        ("log.showRoot", "false"),
        ("core.bigFileThreshold", "1"),
        ("log.diffMerges", "off"),
    ];
    for (key, value) in settings {
        git(folder, &["config", key, value]);
    }
    for attributes in ["", "* -diff\n", "* diff=x\n"] {
        std::fs::write(folder.join(".git/info/attributes"), attributes).unwrap();
        for (name, words) in [(&evil, "\n+evil\n"), (&own, "\n+* binary\n"), (&first, "\n+one\n")] {
            let text = text_of(folder, name).await;
            assert!(text.contains(words), "{attributes}: {text}");
        }
    }
    let below = folder.join("below");
    std::fs::create_dir(&below).unwrap();
    assert!(text_of(&below, &evil).await.contains("\n+evil\n"), "also outside the folder that is named");
}

#[tokio::test]
async fn a_merge_is_shown_against_its_first_parent() {
    let (folder, first) = repository();
    let folder = folder.path();
    git(folder, &["checkout", "-qb", "side"]);
    let side = commit(folder, "b.txt", b"evil\n");
    git(folder, &["checkout", "-q", "--detach", &first]);
    git(folder, &["merge", "-q", "--no-ff", "-m", "Take the side in", "side"]);
    let shown = show(folder, &git(folder, &["rev-parse", "HEAD"])).await.unwrap();
    assert_eq!(shown.parents, [first, side]);
    assert!(
        shown.text.contains("\n    Take the side in\n") && shown.text.contains("\n+evil\n"),
        "{}",
        shown.text
    );
}

#[tokio::test]
async fn of_a_file_that_is_no_text_is_told_that_it_changed_and_what_comes_after_it_is_shown() {
    let (folder, _) = repository();
    let picture = "\0".to_owned() + &"x".repeat(600_000);
    std::fs::write(folder.path().join("a.png"), picture).unwrap();
    let name = commit(folder.path(), "b.txt", b"evil\n");
    let shown = show(folder.path(), &name).await.unwrap();
    assert!(
        shown.text.contains("bytes are not shown.\ndiff --git a/b.txt") && !shown.is_cut,
        "{}",
        shown.text
    );
    assert!(shown.text.contains("\n+evil\n") && !shown.text.contains("xxx"), "{}", shown.text);
}

#[test]
fn folders_that_are_named_come_before_those_of_agents() {
    let (one, two) = (PathBuf::from("/one"), PathBuf::from("/two"));
    assert_eq!(folders(std::slice::from_ref(&one), [two.clone()].into_iter()), [one]);
    assert_eq!(folders(&[], [two.clone(), two.clone()].into_iter()), [two]);
    assert_eq!(folders(&[], std::iter::empty()).len(), 1);
}
