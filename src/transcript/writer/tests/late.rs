//! What comes into the note while its next version takes its place, and logs that have lost their end.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;

use super::super::*;
use super::house::House;
use crate::transcript::{NoteState, Proof};

fn appender(house: &House) -> File {
    OpenOptions::new().append(true).open(house.note()).unwrap()
}

fn state(house: &House) -> NoteState {
    let mut proof = Proof::new(&house.note(), house.settings, house.head());
    proof.take(&house.entries()).unwrap();
    proof.verdict().unwrap()
}

#[tokio::test]
async fn a_line_that_is_written_after_the_note_was_replaced_is_kept() {
    let mut house = House::new();
    let scribe = house.started(1).await;
    let mut editor = appender(&house);
    house.post_and_wait(&scribe).await;
    editor.write_all(b"typed late\n").unwrap();
    scribe.close().await;
    let kept = house.kept();
    assert!(kept.len() == 1 && kept[0].ends_with("typed late\n"), "{kept:?}");
}

#[tokio::test]
async fn a_line_that_is_written_late_is_kept_however_many_writes_follow() {
    let mut house = House::new();
    let scribe = house.started(1).await;
    let mut editor = appender(&house);
    house.post_and_wait(&scribe).await;
    editor.write_all(b"typed late\n").unwrap();
    for _ in 0..20 {
        house.post_and_wait(&scribe).await;
    }
    assert_eq!(house.kept().len(), 1, "it is kept although the writer goes on");
}

/// The version that held the first line has joined a kept file, and is written to once more.
#[tokio::test]
async fn a_second_line_that_is_written_late_is_kept_once() {
    let mut house = House::new();
    let scribe = house.started(1).await;
    appender(&house).write_all(b"one\n").unwrap();
    house.post_and_wait(&scribe).await;
    let mut editor = appender(&house);
    editor.write_all(b"two\n").unwrap();
    house.post_and_wait(&scribe).await;
    editor.write_all(b"two\n").unwrap();
    scribe.close().await;
    assert_eq!(house.kept().len(), 1);
    let name = house.folder().join("room (edited 2026-08-18 10.22.03).md");
    let text = fs::read_to_string(name).unwrap();
    assert_eq!((text.matches("one\n").count(), text.matches("two\n").count()), (1, 2), "{text}");
}

#[tokio::test(start_paused = true)]
async fn what_is_written_late_is_kept_although_nothing_more_is_said() {
    let mut house = House::new();
    let scribe = house.started(1).await;
    let mut editor = appender(&house);
    house.post_and_wait(&scribe).await;
    editor.write_all(b"typed late\n").unwrap();
    let told = house.events.recv().await;
    assert!(matches!(told, Some(ScribeEvent::Kept(_))), "{told:?}");
}

#[tokio::test]
async fn a_version_of_ours_that_is_only_touched_is_let_go() {
    let mut house = House::new();
    let scribe = house.started(1).await;
    let editor = appender(&house);
    house.post_and_wait(&scribe).await;
    editor.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    scribe.close().await;
    assert_eq!(house.kept(), [""; 0]);
}

#[tokio::test]
async fn a_note_that_holds_more_than_the_log_is_kept_aside_with_its_parts() {
    let mut house = House::new();
    house.started(25).await.close().await;
    let (note, parts) = (house.text(), house.files().len());
    house.lose_the_last(9);
    assert_eq!(state(&house), NoteState::Ahead { note: 25, log: 16 });
    let scribe = house.start();
    scribe.written(16).await.unwrap();
    house.assert_equals_the_log();
    assert_eq!(state(&house), NoteState::UpToDate);
    assert_eq!(house.kept(), [note]);
    assert!(house.files().len() > parts, "the parts are kept too");
}

#[tokio::test]
async fn a_note_is_compared_with_its_log() {
    let house = House::new();
    house.started(25).await.close().await;
    assert_eq!(state(&house), NoteState::UpToDate);
    let (note, part) = (house.text(), house.folder().join("room/part-001.md"));
    fs::write(house.note(), note.clone() + "typed").unwrap();
    assert_eq!(state(&house), NoteState::Edited);
    fs::write(house.note(), &note).unwrap();
    fs::remove_file(part).unwrap();
    assert_eq!(state(&house), NoteState::Missing);
    fs::remove_file(house.note()).unwrap();
    assert_eq!(state(&house), NoteState::Missing);
    let behind = House::new();
    behind.started(2).await.close().await;
    behind.store();
    assert_eq!(state(&behind), NoteState::Behind);
}
