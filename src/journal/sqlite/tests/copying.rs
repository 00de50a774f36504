//! Copies of a journal, and what is left of a stream that was erased.

use std::path::Path;

use super::*;
use crate::journal::CopyError;

#[tokio::test]
async fn a_copy_that_is_made_while_others_write_opens_and_is_whole() {
    let (journal, folder) = fresh();
    let journal = Arc::new(journal);
    append(&*journal, "room/a", 0, &["1", "2", "3"]).await;
    let writer = Arc::clone(&journal);
    let writing = tokio::spawn(async move {
        for round in 0..50 {
            append(&*writer, "room/b", round * 2, &["x", "y"]).await;
        }
    });
    let copy = folder.path().join("copies/one.db");
    std::fs::create_dir(folder.path().join("copies")).unwrap();
    let bytes = journal.copy_to(&copy).await.unwrap();
    writing.await.unwrap();
    assert_eq!(std::fs::metadata(&copy).unwrap().len(), bytes);
    assert_eq!(std::fs::read_dir(folder.path().join("copies")).unwrap().count(), 1);
    let copied = SqliteJournal::open(&copy).unwrap();
    assert_eq!(texts(&copied, "room/a").await, ["1", "2", "3"]);
    assert_eq!(texts(&copied, "room/b").await.len() % 2, 0, "a part of an append was copied");
    append(&copied, "room/a", 3, &["4"]).await;
}

#[tokio::test]
async fn a_copy_overwrites_nothing_and_leaves_nothing_when_it_fails() {
    let (journal, folder) = fresh();
    append(&journal, "room/a", 0, &["1"]).await;
    let taken = folder.path().join("taken");
    std::fs::write(&taken, "mine").unwrap();
    assert!(matches!(journal.copy_to(&taken).await, Err(CopyError::Exists(path)) if path == taken));
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    let nowhere = folder.path().join("none/copy.db");
    assert!(matches!(journal.copy_to(&nowhere).await, Err(CopyError::Unwritable { .. })));
    let missing = copy(&folder.path().join("no journal"), &folder.path().join("copy.db"));
    assert!(matches!(missing, Err(CopyError::Unreadable { .. })));
    assert!(!folder.path().join("copy.db").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_is_for_this_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let (journal, folder) = fresh();
    append(&journal, "room/a", 0, &["1"]).await;
    let copy = folder.path().join("copy.db");
    journal.copy_to(&copy).await.unwrap();
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn no_byte_of_an_erased_stream_is_left_in_the_files_or_in_a_copy() {
    let (journal, folder) = fresh();
    let secret = "xylophone quartz ".repeat(1_000);
    append(&journal, "room/a", 0, &[&secret, "xylophone"]).await;
    append(&journal, "room/b", 0, &["plain"]).await;
    assert!(holds(folder.path(), "xylophone"));
    journal.erase(&stream("room/a")).await.unwrap();
    journal.copy_to(&folder.path().join("copy.db")).await.unwrap();
    assert!(!holds(folder.path(), "xylophone"));
    assert!(holds(folder.path(), "plain"));
}

/// Whether a word stands in a file of a folder.
fn holds(folder: &Path, word: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut texts = files.map(|file| std::fs::read(file).unwrap());
    texts.any(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
}
