//! Disks that are full, or cannot be written.

use super::*;

const BIG: usize = 200_000;

async fn allow_pages(journal: &SqliteJournal, pages: u32) {
    let allow = move |connection: &rusqlite::Connection| {
        // A number below the present size means the present size.
        connection.query_row(&format!("PRAGMA max_page_count = {pages}"), (), |_| Ok(())).unwrap();
    };
    journal.writer.inspect(allow).await;
}

fn big() -> Vec<NewEvent> {
    vec![said("first"), said(&"x".repeat(BIG))]
}

#[tokio::test]
async fn a_full_disk_refuses_stores_no_half_and_the_journal_goes_on_when_there_is_space() {
    let (journal, folder) = fresh();
    append(&journal, "rooms", 0, &["a"]).await;
    allow_pages(&journal, 1).await;
    let error = journal.append(&stream("rooms"), Version(1), big(), at(0)).await.unwrap_err();
    let AppendError::Unavailable { source } = &error else { panic!("{error:?}") };
    assert!(source.to_string().contains("full"), "{source}");
    assert_eq!(texts(&journal, "rooms").await, ["a"]);
    // What still fits is still taken.
    append(&journal, "rooms", 1, &["b"]).await;
    allow_pages(&journal, 1_000_000).await;
    assert_eq!(journal.append(&stream("rooms"), Version(2), big(), at(0)).await.unwrap(), Version(4));
    drop(journal);
    assert_eq!(texts(&open(&folder), "rooms").await.len(), 4);
}

#[tokio::test]
async fn what_does_not_fit_fails_alone_among_those_that_wait_with_it() {
    let (journal, _folder) = fresh();
    for name in ["room/a", "room/b", "room/c"] {
        append(&journal, name, 0, &["there"]).await;
    }
    allow_pages(&journal, 1).await;
    let told = journal.subscribe();
    let streams = ["room/a", "room/b", "room/c"].map(stream);
    let (small, large, conflict) = futures::join!(
        journal.append(&streams[0], Version(1), vec![said("small")], at(0)),
        journal.append(&streams[1], Version(1), big(), at(0)),
        journal.append(&streams[2], Version(7), vec![said("old")], at(0)),
    );
    assert_eq!(small.unwrap(), Version(2));
    assert!(matches!(large, Err(AppendError::Unavailable { .. })), "{large:?}");
    assert!(matches!(conflict, Err(AppendError::Conflict { actual: Version(1) })), "{conflict:?}");
    assert_eq!(texts(&journal, "room/b").await, ["there"]);
    journal.close().await;
    let told: Vec<Appended> = told.collect().await;
    assert_eq!(told, [Appended::Events { stream: streams[0].clone(), version: Version(2) }]);
}

#[tokio::test]
async fn a_disk_that_turns_read_only_refuses_and_the_journal_goes_on_when_it_can_be_written_again() {
    let (journal, _folder) = fresh();
    append(&journal, "rooms", 0, &["a"]).await;
    let read_only = async |mode: &'static str| {
        let set = move |connection: &rusqlite::Connection| {
            connection.pragma_update(None, "query_only", mode).unwrap();
        };
        journal.writer.inspect(set).await;
    };
    read_only("ON").await;
    let error = journal.append(&stream("rooms"), Version(1), vec![said("b")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Unavailable { .. }), "{error}");
    assert_eq!(texts(&journal, "rooms").await, ["a"]);
    read_only("OFF").await;
    append(&journal, "rooms", 1, &["b"]).await;
    assert_eq!(texts(&journal, "rooms").await, ["a", "b"]);
}

/// A small file system in memory. `None` where this process may not mount one.
#[cfg(target_os = "linux")]
struct SmallDisk {
    folder: TempDir,
}

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(folder.path());
        let output = mount.output().ok()?;
        output.status.success().then_some(Self { folder })
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_is_really_full_loses_nothing_that_was_answered() {
    let Some(disk) = SmallDisk::mount() else {
        println!("skipped: this user may not mount a file system");
        return;
    };
    let filler = disk.folder.path().join("filler");
    std::fs::write(&filler, vec![0; 512 << 10]).unwrap();
    let journal = open(&disk.folder);
    let room = stream("rooms");
    let text = "x".repeat(16 << 10);
    let mut stored = Version::EMPTY;
    let error = loop {
        match journal.append(&room, stored, vec![said(&text)], at(0)).await {
            Ok(version) => stored = version,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, AppendError::Unavailable { .. }), "{error}");
    assert!(stored.0 > 10, "{stored}");
    for _ in 0..3 {
        let again = journal.append(&room, stored, vec![said(&text)], at(0)).await.unwrap_err();
        assert!(matches!(again, AppendError::Unavailable { .. }), "{again}");
    }
    assert_eq!(Version::EMPTY.plus(texts(&journal, "rooms").await.len()), stored);
    std::fs::remove_file(&filler).unwrap();
    let stored = journal.append(&room, stored, vec![said(&text)], at(0)).await.unwrap();
    journal.close().await;
    drop(journal);
    let journal = open(&disk.folder);
    assert_eq!(Version::EMPTY.plus(texts(&journal, "rooms").await.len()), stored);
    journal.close().await;
}
