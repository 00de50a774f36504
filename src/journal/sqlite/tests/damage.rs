//! Files that are damaged, or not ours.

use rusqlite::Connection;

use super::*;

async fn damaged_version(journal: &SqliteJournal, name: &str, after: u64) -> (Version, String) {
    match journal.read(&stream(name), Version(after), 100).await.unwrap_err() {
        JournalError::Damaged { stream, version, detail } if stream.as_str() == name => (version, detail),
        other => panic!("{other:?}"),
    }
}

/// Three events in each of two rooms, then `sql` by somebody else.
async fn after(sql: &str) -> (SqliteJournal, TempDir) {
    let (journal, folder) = fresh();
    for name in ["room/a", "room/b"] {
        append(&journal, name, 0, &["one", "two", "three"]).await;
    }
    let changed = Connection::open(file(&folder)).unwrap().execute(sql, ()).unwrap();
    assert!(changed > 0, "{sql}");
    (journal, folder)
}

#[tokio::test]
async fn whatever_is_changed_in_an_event_is_seen_and_harms_no_other_stream() {
    let second = "place = (SELECT place FROM events ORDER BY place LIMIT 1 OFFSET 1)";
    let changes = [
        "UPDATE events SET body = CAST('{\"text\":\"twO\"}' AS BLOB)",
        "UPDATE events SET body = x''",
        "UPDATE events SET kind = 'sa1d'",
        "UPDATE events SET kind = CAST(x'ff' AS TEXT)",
        "UPDATE events SET at = at + 1",
        "UPDATE events SET at = 9223372036854775807",
        "UPDATE events SET checksum = checksum + 1",
        "UPDATE events SET place = place + 1000",
        "DELETE FROM events",
    ];
    for change in changes {
        let (journal, _folder) = after(&format!("{change} WHERE {second}")).await;
        assert_eq!(damaged_version(&journal, "room/a", 0).await.0, Version(2), "{change}");
        assert_eq!(texts(&journal, "room/b").await, ["one", "two", "three"], "{change}");
        // What stands before the damage can still be read, and other rooms go on.
        assert_eq!(journal.read(&stream("room/a"), Version::EMPTY, 1).await.unwrap().len(), 1);
        append(&journal, "room/b", 3, &["four"]).await;
    }
}

#[tokio::test]
async fn two_events_that_changed_places_are_seen() {
    let (journal, _folder) = after(
        "UPDATE events SET body = (SELECT body FROM events WHERE place = 4294967297), \
         checksum = (SELECT checksum FROM events WHERE place = 4294967297) WHERE place = 4294967298",
    )
    .await;
    assert_eq!(damaged_version(&journal, "room/a", 0).await, (Version(2), "the checksum differs".to_owned()));
}

#[tokio::test]
async fn a_stream_with_an_impossible_id_is_damaged_and_harms_no_other() {
    let (journal, _folder) = after("UPDATE streams SET id = -5 WHERE name = 'room/a'").await;
    assert_eq!(damaged_version(&journal, "room/a", 0).await.0, Version(1));
    let error = journal.append(&stream("room/a"), Version(3), vec![said("x")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Damaged { .. }), "{error}");
    append(&journal, "room/b", 3, &["four"]).await;
}

#[tokio::test]
async fn a_byte_that_flipped_on_the_disk_is_seen() {
    let (journal, folder) = after("UPDATE streams SET name = name").await;
    journal.close().await;
    drop(journal);
    let mut bytes = std::fs::read(file(&folder)).unwrap();
    let place = bytes.windows(5).rposition(|window| window == b"three").unwrap();
    bytes[place] ^= 1;
    std::fs::write(file(&folder), bytes).unwrap();
    let journal = open(&folder);
    let mut damaged = 0;
    for name in ["room/a", "room/b"] {
        match journal.read(&stream(name), Version::EMPTY, 9).await {
            Ok(events) => assert_eq!(events.len(), 3),
            Err(JournalError::Damaged { version, .. }) => {
                assert_eq!(version, Version(3));
                damaged += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(damaged, 1);
}

#[tokio::test]
async fn a_page_that_is_rubbish_harms_only_the_streams_on_it() {
    let (journal, folder) = fresh();
    let long = "x".repeat(3000);
    for version in 0..20 {
        for name in ["room/a", "room/b"] {
            append(&journal, name, version, &[&format!("{name} {long}")]).await;
        }
    }
    journal.close().await;
    drop(journal);
    let mut bytes = std::fs::read(file(&folder)).unwrap();
    // The last one: rows that moved when the tree grew have left copies on the pages before.
    let place = bytes.windows(8).rposition(|window| window == b"room/a x").unwrap();
    let start = place / 4096 * 4096;
    bytes[start..start + 4096].fill(0xa5);
    std::fs::write(file(&folder), bytes).unwrap();
    let journal = open(&folder);
    let (version, detail) = damaged_version(&journal, "room/a", 0).await;
    assert!((1..=20).contains(&version.0), "{version}: {detail}");
    assert_eq!(texts(&journal, "room/b").await.len(), 20);
    append(&journal, "room/b", 20, &["on"]).await;
}

#[test]
fn a_newer_file_is_refused_and_kept() {
    let (journal, folder) = fresh();
    drop(journal);
    Connection::open(file(&folder)).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = SqliteJournal::open(&file(&folder)).unwrap_err();
    assert!(matches!(error, OpenError::Newer { found: 99, known: 1, .. }), "{error}");
    let kept = Connection::open(file(&folder)).unwrap();
    let version: i64 = kept.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 99);
}

#[test]
fn what_is_no_journal_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(file(&folder), "# A note of somebody else\n".repeat(400)).unwrap();
    let before = std::fs::read(file(&folder)).unwrap();
    let error = SqliteJournal::open(&file(&folder)).unwrap_err();
    assert!(matches!(error, OpenError::NotAJournal { .. }), "{error}");
    assert!(std::fs::read(file(&folder)).unwrap() == before);

    let other = tempfile::tempdir().unwrap();
    Connection::open(file(&other)).unwrap().execute_batch("CREATE TABLE songs (title)").unwrap();
    let before = std::fs::read(file(&other)).unwrap();
    let error = SqliteJournal::open(&file(&other)).unwrap_err();
    assert!(matches!(error, OpenError::NotAJournal { .. }), "{error}");
    assert!(std::fs::read(file(&other)).unwrap() == before);
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(file(&folder), "").unwrap();
    open(&folder);
}

#[test]
fn a_folder_that_is_missing_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/journal.db");
    let error = SqliteJournal::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::Unavailable { .. }), "{error}");
    assert!(error.to_string().contains("missing/journal.db"), "{error}");
}
