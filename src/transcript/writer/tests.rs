//! A writer, its files, and all that can happen to them.

mod house;
mod late;

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;

use super::*;
use house::{House, numbers, seen};

#[tokio::test]
async fn a_note_follows_its_room() {
    let house = House::new();
    let scribe = house.start();
    scribe.written(0).await.unwrap();
    for _ in 0..3 {
        house.post_and_wait(&scribe).await;
    }
    assert!(house.text().ends_with("· 3\n\n> words of 3\n"));
    assert_eq!(scribe.warning(), None);
    scribe.close().await;
    assert_eq!(scribe.written(4).await, Err(Unwritable::Ended));
}

#[tokio::test]
async fn ten_posts_during_one_write_cost_one_more() {
    let house = House::new();
    house.store();
    let pass = house.log.gate.acquire().await.unwrap();
    let scribe = house.start();
    let first = tokio::spawn({
        let scribe = scribe.clone();
        async move { scribe.written(1).await }
    });
    tokio::task::yield_now().await;
    let last = (0..10).map(|_| house.post(&scribe)).max().unwrap();
    drop(pass);
    first.await.unwrap().unwrap();
    scribe.written(last).await.unwrap();
    assert_eq!(scribe.writes(), 2);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn writes_are_spaced_while_nobody_waits_for_one() {
    let mut house = House::new();
    house.settings.pause = Duration::from_hours(1);
    let scribe = house.started(1).await;
    for _ in 0..100 {
        house.post(&scribe);
        tokio::task::yield_now().await;
    }
    assert_eq!(scribe.writes(), 1);
    scribe.written(101).await.unwrap();
    assert_eq!(scribe.writes(), 2);
    house.assert_equals_the_log();
    house.post(&scribe);
    scribe.close().await;
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_is_urgent_is_written_at_once_although_nobody_waits_for_it_any_more() {
    let mut house = House::new();
    house.settings.pause = Duration::from_hours(1);
    let scribe = house.started(1).await;
    let last = house.post(&scribe);
    assert!(scribe.written(last).now_or_never().is_none());
    let writes = async {
        while scribe.writes() < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), writes).await.expect("it is written");
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_note_that_grew_equals_one_that_was_rebuilt() {
    let mut house = House::new();
    let scribe = house.started(0).await;
    for _ in 0..45 {
        house.post_and_wait(&scribe).await;
    }
    scribe.close().await;
    house.assert_equals_the_log();
    let grown = house.files();
    assert!(grown.len() > 4 && grown.iter().all(|(_, text)| numbers(text).len() <= 10));
    fs::remove_dir_all(house.folder()).unwrap();
    house.start().written(45).await.unwrap();
    assert_eq!(house.files(), grown);
    assert_eq!(house.kept(), [""; 0]);
}

#[tokio::test]
async fn a_note_that_is_up_to_date_is_not_written_again() {
    let house = House::new();
    house.started(25).await.close().await;
    let stamps = || {
        let files = house.files();
        let changed = |name: &str| fs::metadata(house.folder().join(name)).unwrap().modified().unwrap();
        files.iter().map(|(name, _)| (name.clone(), changed(name))).collect::<Vec<_>>()
    };
    let before = stamps();
    let scribe = house.start();
    scribe.written(25).await.unwrap();
    assert_eq!(scribe.writes(), 0);
    assert_eq!(stamps(), before);
}

/// **Invariant (counts only grow).**
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_only_grow() {
    let house = House::new();
    let scribe = house.started(1).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let (note, is_over) = (house.note(), Arc::clone(&is_over));
        move || {
            let mut before = BTreeSet::new();
            while !is_over.load(Ordering::SeqCst) {
                let now = seen(&note);
                assert!(now.is_superset(&before), "{before:?} then {now:?}");
                before = now;
            }
        }
    });
    for _ in 0..150 {
        house.post_and_wait(&scribe).await;
    }
    is_over.store(true, Ordering::SeqCst);
    reader.join().unwrap();
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_a_person_typed_is_kept_and_told_once() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    let edited = house.text() + "\nmy words\n";
    fs::write(house.note(), &edited).unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), std::slice::from_ref(&edited));
    house.assert_equals_the_log();
    fs::write(house.note(), house.text() + "\nmore words\n").unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), [""; 0], "one file in ten minutes");
    let kept = house.folder().join("room (edited 2026-08-18 10.22.03).md");
    assert_eq!(fs::read_to_string(kept).unwrap(), edited + "\n\n2026-08-18 10:22:03 UTC\n\nmore words\n");
}

#[tokio::test]
async fn a_plugin_that_stamps_front_matter_is_left_alone() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::write(house.note(), house.text().replace("part: 1\n", "part: 1\nmodified: 2026-01-01\n")).unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), [""; 0]);
    assert_eq!(house.files().len(), 1);
}

/// After a crash the note may be older than the log, and hidden files may be left.
#[tokio::test]
async fn after_a_crash_the_note_is_rebuilt_and_nothing_is_taken_for_foreign() {
    let mut house = House::new();
    let scribe = house.started(8).await;
    let older = house.text();
    for _ in 0..10 {
        house.post_and_wait(&scribe).await;
    }
    drop(scribe);
    fs::write(house.note(), older).unwrap();
    fs::write(house.folder().join(".room.md.abc.new"), "half a no").unwrap();
    fs::remove_file(house.folder().join("room/part-001.md")).unwrap();
    let scribe = house.start();
    scribe.written(18).await.unwrap();
    house.assert_equals_the_log();
    assert_eq!(house.kept(), [""; 0]);
    assert_eq!(house.files().len(), 2);
}

#[tokio::test]
async fn what_a_crash_left_of_a_person_is_kept() {
    let mut house = House::new();
    fs::create_dir_all(house.folder().join("room")).unwrap();
    fs::write(house.folder().join(".room.md.abc.new.old"), "typed").unwrap();
    fs::write(house.folder().join("room/.part-001.md.abc.new.old"), "typed too").unwrap();
    let scribe = house.started(1).await;
    scribe.close().await;
    let mut kept = house.kept();
    kept.sort();
    assert_eq!(kept, ["typed", "typed too"]);
    assert!(house.folder().join("room/part-001 (edited 2026-08-18 10.22.03).md").exists());
}

#[tokio::test]
async fn a_part_that_a_person_changed_is_kept_when_it_is_rebuilt() {
    let mut house = House::new();
    house.started(25).await.close().await;
    let part = house.folder().join("room/part-001.md");
    fs::write(&part, "my part").unwrap();
    house.start().written(25).await.unwrap();
    assert_eq!(house.kept(), ["my part"]);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_deleted_folder_is_made_again_with_its_parts() {
    let house = House::new();
    let scribe = house.started(25).await;
    fs::remove_dir_all(house.folder()).unwrap();
    house.post_and_wait(&scribe).await;
    house.assert_equals_the_log();
}

/// A program that may write into the folder of notes, but nowhere else, must not get further by way of the hub.
#[cfg(unix)]
#[tokio::test]
async fn a_link_that_comes_after_the_start_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let mut house = House::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let scribe = house.started(2).await;
    fs::remove_dir_all(house.folder()).unwrap();
    symlink(elsewhere.path(), house.folder()).unwrap();
    let seq = house.post(&scribe);
    assert!(scribe.written(seq).await.is_err());
    assert!(scribe.warning().unwrap().contains("has become a link"), "{:?}", scribe.warning());

    fs::remove_file(house.folder()).unwrap();
    fs::create_dir(house.folder()).unwrap();
    house.until_writable().await;
    // Parts lie in a folder that is a link now.
    symlink(elsewhere.path(), house.folder().join("room")).unwrap();
    let mut last = house.post(&scribe);
    for _ in 1..20 {
        last = house.post(&scribe);
    }
    assert!(scribe.written(last).await.is_err());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "nothing is written behind a link");

    fs::remove_file(house.folder().join("room")).unwrap();
    house.until_writable().await;
    house.assert_equals_the_log();
}

/// The link of the note itself is replaced, and its target left as it is.
#[cfg(unix)]
#[tokio::test]
async fn a_note_that_became_a_link_is_written_anew_and_the_target_stays() {
    let house = House::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("theirs.md");
    fs::write(&target, "theirs").unwrap();
    let scribe = house.started(2).await;
    fs::remove_file(house.note()).unwrap();
    std::os::unix::fs::symlink(&target, house.note()).unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_cannot_be_written_is_a_warning_and_is_tried_again() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::remove_dir_all(house.folder()).unwrap();
    fs::write(house.folder(), "a file").unwrap();
    let seq = house.post(&scribe);
    assert!(matches!(scribe.written(seq).await, Err(Unwritable::Trouble(_))));
    let why = scribe.warning().unwrap();
    assert!(why.contains("room.md") && why.contains("cannot be written"), "{why}");
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Unwritable(why)));
    fs::remove_file(house.folder()).unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    assert_eq!(scribe.warning(), None);
    house.assert_equals_the_log();
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_folder_is_a_warning() {
    use std::os::unix::fs::PermissionsExt;
    let mut house = House::new();
    let scribe = house.started(2).await;
    let set_mode = |mode| fs::set_permissions(house.folder(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    let root_writes_anyway = fs::write(house.folder().join("x"), "").is_ok();
    let seq = house.post(&scribe);
    let written = scribe.written(seq).await;
    set_mode(0o755);
    if root_writes_anyway {
        assert_eq!(written, Ok(()));
        return;
    }
    assert!(matches!(written, Err(Unwritable::Trouble(_))));
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_folder_in_the_place_of_the_note_is_left_alone() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::remove_file(house.note()).unwrap();
    fs::create_dir_all(house.note().join("theirs")).unwrap();
    let seq = house.post(&scribe);
    assert!(scribe.written(seq).await.is_err());
    assert!(house.note().join("theirs").exists());
    fs::remove_dir_all(house.note()).unwrap();
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_log_that_cannot_be_read_is_a_warning_too() {
    let mut house = House::new();
    house.store();
    house.log.is_broken.store(true, Ordering::SeqCst);
    let scribe = house.start();
    assert!(scribe.written(1).await.is_err());
    house.log.is_broken.store(false, Ordering::SeqCst);
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

/// Posts come from memory; the log is read only for what was missed.
#[tokio::test]
async fn a_post_does_not_read_the_log() {
    let house = House::new();
    let scribe = house.started(30).await;
    let before = house.log.pages.load(Ordering::SeqCst);
    for _ in 0..30 {
        house.post_and_wait(&scribe).await;
    }
    assert_eq!(house.log.pages.load(Ordering::SeqCst), before);
    house.store();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.log.pages.load(Ordering::SeqCst), before + 1, "one was not told");
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_does_not_fit_in_memory_is_read_from_the_log() {
    let house = House::new();
    let scribe = house.started(0).await;
    let entries: Vec<Entry> = (0..1_500).map(|_| house.store().0).collect();
    scribe.update(house.head(), entries);
    scribe.written(1_500).await.unwrap();
    assert!(house.log.pages.load(Ordering::SeqCst) > 1);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn the_task_ends_with_the_last_handle() {
    let house = House::new();
    let scribe = house.started(1).await;
    let other = scribe.clone();
    drop(scribe);
    house.post_and_wait(&other).await;
    drop(other);
    while Arc::strong_count(&house.log) > 1 {
        tokio::task::yield_now().await;
    }
}
