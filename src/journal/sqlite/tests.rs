//! What the journal in a file must do beyond the rules of every journal.

mod copying;
mod damage;
mod disk;
mod repairing;

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::join_all;
use tempfile::TempDir;

use super::*;
use crate::journal::suite::{append, at, journal_suite, said, stream, texts};

fn fresh() -> (SqliteJournal, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open(&folder), folder)
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("journal.db")
}

fn open(folder: &TempDir) -> SqliteJournal {
    SqliteJournal::open(&file(folder)).unwrap()
}

journal_suite!(fresh());

#[tokio::test]
async fn reopening_keeps_everything() {
    let (journal, folder) = fresh();
    append(&journal, "rooms", 0, &["a", "b"]).await;
    journal.close().await;
    drop(journal);
    let journal = open(&folder);
    append(&journal, "rooms", 2, &["c"]).await;
    // Not closed, only dropped.
    drop(journal);
    assert_eq!(texts(&open(&folder), "rooms").await, ["a", "b", "c"]);
}

#[tokio::test]
async fn what_was_answered_is_in_the_files_although_nothing_was_closed() {
    let (journal, folder) = fresh();
    append(&journal, "rooms", 0, &["a", "b"]).await;
    // The files as they would be found after a kill at this moment.
    let copy = tempfile::tempdir().unwrap();
    for name in ["journal.db", "journal.db-wal"] {
        std::fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    assert_eq!(texts(&open(&copy), "rooms").await, ["a", "b"]);
}

#[tokio::test]
async fn two_journals_on_one_file_never_overwrite_each_other() {
    let (one, folder) = fresh();
    let two = open(&folder);
    append(&one, "rooms", 0, &["a"]).await;
    let error = two.append(&stream("rooms"), Version::EMPTY, vec![said("b")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Conflict { actual: Version(1) }), "{error}");
    append(&two, "rooms", 1, &["b"]).await;
    assert_eq!(texts(&one, "rooms").await, ["a", "b"]);
}

#[tokio::test]
async fn appends_that_wait_share_one_commit_and_a_conflict_among_them_disturbs_no_other() {
    let (journal, folder) = fresh();
    let journal = Arc::new(journal);
    append(&*journal, "room/0", 0, &["a"]).await;
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let (arrived, busy) = tokio::sync::oneshot::channel();
    let holder = Arc::clone(&journal);
    let holding = tokio::spawn(async move {
        let hold = move |_: &rusqlite::Connection| {
            arrived.send(()).unwrap();
            gate.recv().unwrap();
        };
        holder.writer.inspect(hold).await;
    });
    busy.await.unwrap();
    // Polled once each, in this order: all of them wait behind the writer by now.
    let names: Vec<String> = (0..50).map(|room| format!("room/{room}")).collect();
    let appends = names.iter().map(|name| {
        let (journal, stream) = (Arc::clone(&journal), stream(name));
        async move { journal.append(&stream, Version::EMPTY, vec![said(stream.as_str())], at(0)).await }
    });
    let mut appends: Vec<_> = appends.map(Box::pin).collect();
    for append in &mut appends {
        assert!(futures::poll!(append.as_mut()).is_pending());
    }
    release.send(()).unwrap();
    holding.await.unwrap();
    let outcomes = join_all(appends).await;
    assert!(matches!(outcomes[0], Err(AppendError::Conflict { actual: Version(1) })), "{:?}", outcomes[0]);
    assert!(outcomes[1..].iter().all(Result::is_ok), "{outcomes:?}");
    drop(journal);
    let journal = open(&folder);
    for name in &names[1..] {
        assert_eq!(texts(&journal, name).await, [name.as_str()]);
    }
}

#[tokio::test]
async fn many_appends_on_one_stream_in_one_commit_have_one_winner() {
    let (journal, _folder) = fresh();
    let room = stream("rooms");
    let attempts =
        (0..30).map(|racer| journal.append(&room, Version::EMPTY, vec![said(&racer.to_string())], at(0)));
    let outcomes = join_all(attempts).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(texts(&journal, "rooms").await.len(), 1);
}

#[tokio::test]
async fn closing_finishes_what_was_asked_before() {
    let (journal, folder) = fresh();
    let streams: Vec<StreamId> = (0..40).map(|room| stream(&format!("room/{room}"))).collect();
    let mut appends: Vec<_> = streams
        .iter()
        .map(|stream| journal.append(stream, Version::EMPTY, vec![said("kept")], at(0)))
        .collect();
    for append in &mut appends {
        // Some may be answered at once.
        let _ = futures::poll!(append.as_mut());
    }
    journal.close().await;
    drop(appends);
    drop(journal);
    let journal = open(&folder);
    for stream in &streams {
        assert_eq!(texts(&journal, stream.as_str()).await, ["kept"]);
    }
}

#[tokio::test]
async fn an_append_that_nobody_waits_for_any_more_is_stored_all_the_same() {
    let (journal, _folder) = fresh();
    let told = journal.subscribe();
    let room = stream("rooms");
    let mut abandoned = journal.append(&room, Version::EMPTY, vec![said("a")], at(0));
    let _ = futures::poll!(abandoned.as_mut());
    drop(abandoned);
    let told: Vec<Appended> = told.take(1).collect().await;
    assert_eq!(told, [Appended::Events { stream: stream("rooms"), version: Version(1) }]);
    assert_eq!(texts(&journal, "rooms").await, ["a"]);
}

#[tokio::test]
async fn the_file_is_for_this_user_only_and_closing_leaves_nothing_beside_it() {
    let (journal, folder) = fresh();
    append(&journal, "rooms", 0, &["a"]).await;
    texts(&journal, "rooms").await;
    #[cfg(unix)]
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    journal.close().await;
    let names = std::fs::read_dir(folder.path()).unwrap();
    let names: BTreeSet<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, BTreeSet::from(["journal.db".into()]));
}

#[tokio::test]
async fn every_commit_is_flushed_to_the_disk() {
    let (journal, _folder) = fresh();
    let settings = journal.writer.inspect(|connection| {
        ["synchronous", "fullfsync"]
            .map(|name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap())
    });
    assert_eq!(settings.await, [2, 1]);
}

#[tokio::test]
async fn an_emptied_file_beside_a_log_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let log = folder.path().join("journal.db-wal");
    std::fs::write(&log, "what was said last").unwrap();
    for is_there in [false, true] {
        if is_there {
            std::fs::write(&path, "").unwrap();
        }
        assert!(matches!(SqliteJournal::open(&path), Err(OpenError::Emptied { .. })));
    }
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "what was said last");
}
