//! Journals that are only looked at, and those that are saved into a new file.

use rusqlite::Connection;

use super::*;
use crate::journal::{LOST, RepairError, SqliteArchive, repair};

fn kept(folder: &TempDir) -> PathBuf {
    folder.path().join("kept.db")
}

/// Forty events in each of three rooms, so that the file has many pages. Closed.
async fn filled() -> TempDir {
    let (journal, folder) = fresh();
    let long = "x".repeat(500);
    for version in 0..40 {
        for name in ["rooms", "room/a", "room/b"] {
            append(&journal, name, version, &[&format!("{version} {long}")]).await;
        }
    }
    journal.close().await;
    folder
}

fn change(folder: &TempDir, sql: &str) {
    assert!(Connection::open(file(folder)).unwrap().execute(sql, ()).unwrap() > 0, "{sql}");
}

fn cut_file_to(folder: &TempDir, bytes: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(file(folder)).unwrap();
    file.set_len(bytes).unwrap();
}

fn is_loose(stream: &StreamId) -> bool {
    stream.as_str() == "rooms"
}

const FIFTH: &str = "WHERE place = (SELECT id << 32 | 5 FROM streams WHERE name =";

#[tokio::test]
async fn an_archive_reads_a_closed_journal_and_leaves_no_file_beside_it() {
    let folder = filled().await;
    let archive = SqliteArchive::new(&file(&folder));
    assert_eq!(archive.complaints().await.unwrap(), [""; 0]);
    assert_eq!((archive.strays().await.unwrap(), archive.streams().await.unwrap().len()), (0, 3));
    assert_eq!(texts(&archive, "room/a").await.len(), 40);
    let error = archive.append(&stream("room/a"), Version(40), vec![said("x")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Unavailable { .. }), "{error}");
    archive.close().await;
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn an_archive_reads_beside_a_journal_that_is_written() {
    let (journal, folder) = fresh();
    append(&journal, "rooms", 0, &["a"]).await;
    let archive = SqliteArchive::new(&file(&folder));
    assert_eq!(texts(&archive, "rooms").await, ["a"]);
    append(&journal, "rooms", 1, &["b"]).await;
    assert_eq!(texts(&archive, "rooms").await, ["a", "b"]);
}

#[tokio::test]
async fn events_of_no_stream_are_counted() {
    let folder = filled().await;
    change(&folder, "DELETE FROM streams WHERE name = 'room/a'");
    assert_eq!(SqliteArchive::new(&file(&folder)).strays().await.unwrap(), 40);
}

#[tokio::test]
async fn a_file_that_lost_its_end_is_refused_and_kept_and_its_beginning_can_be_read() {
    let folder = filled().await;
    let whole = std::fs::metadata(file(&folder)).unwrap().len();
    cut_file_to(&folder, whole / 2);
    let before = std::fs::read(file(&folder)).unwrap();
    let error = SqliteJournal::open(&file(&folder)).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("turnroom doctor --repair"), "{error}");
    assert!(std::fs::read(file(&folder)).unwrap() == before, "nothing of it is overwritten");
    let archive = SqliteArchive::new(&file(&folder));
    assert!(!archive.complaints().await.unwrap().is_empty());
    assert_eq!(archive.streams().await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_repair_saves_the_sound_streams_whole_and_a_damaged_one_up_to_its_damage() {
    let folder = filled().await;
    change(&folder, &format!("UPDATE events SET body = x'00' {FIFTH} 'room/a')"));
    let before = std::fs::read(file(&folder)).unwrap();
    let repaired = repair(&file(&folder), &kept(&folder), is_loose).unwrap();
    assert_eq!(repaired.events, 84);
    let [cut] = repaired.cut.as_slice() else { panic!("{:?}", repaired.cut) };
    assert_eq!((cut.stream.as_str(), cut.last), ("room/a", Version(4)));
    assert!(std::fs::read(kept(&folder)).unwrap() == before, "the old file is as it was");
    let journal = open(&folder);
    assert_eq!(texts(&journal, "room/a").await.len(), 4);
    let (old, new) = (SqliteArchive::new(&kept(&folder)), stream("room/b"));
    let events = journal.read(&new, Version::EMPTY, 99).await.unwrap();
    assert_eq!(events, old.read(&new, Version::EMPTY, 99).await.unwrap(), "with their times");
    append(&journal, "room/a", 4, &["on"]).await;
}

#[tokio::test]
async fn a_repair_leaves_single_events_out_where_each_stands_for_itself() {
    let folder = filled().await;
    change(&folder, &format!("DELETE FROM events {FIFTH} 'rooms')"));
    change(&folder, &format!("UPDATE events SET at = 1 {} 'rooms')", FIFTH.replace('5', "7")));
    let repaired = repair(&file(&folder), &kept(&folder), is_loose).unwrap();
    assert_eq!((repaired.events, repaired.cut.len()), (120, 1));
    let journal = open(&folder);
    let events = journal.read(&stream("rooms"), Version::EMPTY, 99).await.unwrap();
    let lost: Vec<_> =
        events.iter().filter(|event| event.kind == LOST).map(|event| event.version.0).collect();
    assert_eq!((events.len(), lost), (40, vec![5, 7]));
}

#[tokio::test]
async fn a_repair_saves_what_is_left_of_a_file_that_lost_its_end() {
    for part in [2, 3, 5, 9] {
        let folder = filled().await;
        cut_file_to(&folder, std::fs::metadata(file(&folder)).unwrap().len() / part);
        let repaired = repair(&file(&folder), &kept(&folder), is_loose).unwrap();
        assert!(!repaired.cut.is_empty() && repaired.events < 120, "{repaired:?}");
        let archive = SqliteArchive::new(&file(&folder));
        assert_eq!(archive.complaints().await.unwrap(), [""; 0]);
        let journal = open(&folder);
        let mut events = 0;
        for name in journal.streams().await.unwrap() {
            events += journal.read(&name, Version::EMPTY, 99).await.unwrap().len() as u64;
        }
        assert_eq!(events, repaired.events);
    }
}

#[tokio::test]
async fn what_is_no_journal_is_not_repaired() {
    let folder = tempfile::tempdir().unwrap();
    for rubbish in [b"rubbish".repeat(2000), vec![0xff; 9000], Vec::new()] {
        std::fs::write(file(&folder), &rubbish).unwrap();
        let error = repair(&file(&folder), &kept(&folder), is_loose).unwrap_err();
        assert!(matches!(error, RepairError::Hopeless { .. }), "{error:?}");
        assert!(std::fs::read(file(&folder)).unwrap() == rubbish && !kept(&folder).exists());
    }
}
