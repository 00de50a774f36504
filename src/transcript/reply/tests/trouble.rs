//! Files of others, conflicts, crashes, plugins, and what comes at the wrong moment.

use std::fs;

use super::super::file::{self, Put, Seen};
use super::super::{ReplyEvent, ReplyHead, ReplyPlace};
use super::house::{House, save_in_place};
use super::{head, question};
use crate::transcript::sample::at;

fn asked() -> ReplyHead {
    head(vec![question(12, "May I use Postgres?", &["Yes", "No"])])
}

#[tokio::test]
async fn a_file_of_somebody_else_is_never_touched() {
    let mut house = House::new();
    fs::write(house.note(), "# My own\n").unwrap();
    house.desk.show(house.place(), asked());
    assert!(matches!(house.event().await, ReplyEvent::InTheWay { .. }));
    assert!(!house.desk.shown(house.place(), asked()).await);
    assert_eq!(house.text(), "# My own\n");
    fs::remove_file(house.note()).unwrap();
    house.until(|text| text.contains("Postgres")).await;
}

#[tokio::test]
async fn the_note_of_a_room_that_was_there_before_is_replaced_or_kept() {
    let mut house = House::with(asked()).await;
    let next = |key: &str| ReplyPlace { key: key.into(), ..house.place() };
    let places = [next("room/two"), next("room/three")];
    house.desk.show(places[0].clone(), head(vec![question(3, "Second room?", &[])]));
    house.until(|text| text.contains("Second room?")).await;
    assert!(house.kept().is_empty());
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nwords for two\n\n- [ ] send"));
    house.desk.show(places[1].clone(), head(vec![question(4, "Third room?", &[])]));
    house.until(|text| text.contains("Third room?")).await;
    assert!(house.kept()[0].contains("words for two"));
    assert!(matches!(house.event().await, ReplyEvent::Kept { key, .. } if key == "room/three"));
}

#[tokio::test]
async fn conflict_copies_new_times_and_plugins_change_nothing() {
    let mut house = House::with(asked()).await;
    let copy = house.root().join("design.reply (conflict).md");
    fs::write(copy, house.edited("- [ ] Yes", "- [x] Yes")).unwrap();
    fs::write(house.note(), house.text()).unwrap();
    let stamped = house.edited("---\nroom: design", "---\nmodified: 2026-08-18\nroom: \"design\"");
    let stamped = stamped.replace("- [ ] ", "* [ ]  ") + "\n\n";
    save_in_place(&house.note(), &stamped);
    for _ in 0..4 {
        // Each of them looks at the file.
        assert!(house.desk.shown(house.place(), asked()).await);
    }
    assert!(house.text() == stamped && house.has_no_event());
}

#[tokio::test]
async fn a_note_that_is_gone_comes_back() {
    let house = House::with(asked()).await;
    fs::remove_file(house.note()).unwrap();
    house.until(|text| text.contains("Postgres")).await;
}

#[tokio::test]
async fn an_emptied_note_comes_back() {
    let house = House::with(asked()).await;
    fs::write(house.note(), "").unwrap();
    house.until(|text| text.contains("Postgres")).await;
}

#[tokio::test]
async fn a_folder_that_comes_back_is_watched_again() {
    let mut house = House::with(asked()).await;
    let (root, text) = (house.root().join("sub"), house.text());
    let place = ReplyPlace { key: "room/sub".into(), transcript: root.join("x.md") };
    fs::create_dir(&root).unwrap();
    assert!(house.desk.shown(place.clone(), asked()).await);
    fs::remove_dir_all(&root).unwrap();
    fs::create_dir(&root).unwrap();
    let note = root.join("x.reply.md");
    let look = async {
        while !note.exists() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), look).await.unwrap();
    let ticked = fs::read_to_string(&note).unwrap().replace("- [ ] Yes", "- [x] Yes");
    fs::write(&note, ticked).unwrap();
    assert_eq!(house.answer().await.key, "room/sub");
    assert_eq!(house.text(), text);
}

#[tokio::test]
async fn words_that_a_crash_left_under_a_hidden_name_are_kept() {
    let mut house = House::with(asked()).await;
    let typed = house.edited("\n\n- [ ] send", "\ndo not lose me\n\n- [ ] send");
    let untouched = house.text();
    house.restart().await;
    fs::write(house.root().join(".design.reply.md.abc.new.old"), typed).unwrap();
    fs::write(house.root().join(".design.reply.md.def.new"), untouched).unwrap();
    assert!(house.desk.shown(house.place(), asked()).await);
    assert!(house.kept()[0].contains("do not lose me"));
    let hidden = fs::read_dir(house.root()).unwrap().flatten();
    assert_eq!(hidden.filter(|file| file.file_name().to_string_lossy().starts_with('.')).count(), 0);
}

#[tokio::test]
async fn words_that_come_into_a_replaced_file_are_kept() {
    let mut house = House::with(asked()).await;
    let typed = house.edited("\n\n- [ ] send", "\ntoo late\n\n- [ ] send");
    let mut open = fs::File::options().write(true).open(house.note()).unwrap();
    assert!(house.desk.shown(house.place(), head(vec![question(13, "Or Redis?", &[])])).await);
    std::io::Write::write_all(&mut open, typed.as_bytes()).unwrap();
    drop(open);
    assert!(matches!(house.event().await, ReplyEvent::Kept { .. }));
    assert!(house.kept()[0].contains("too late") && house.text().contains("Or Redis?"));
}

#[test]
fn a_write_takes_the_place_of_what_was_read_and_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().canonicalize().unwrap().join("x.reply.md");
    let now = at("10:22:03");
    assert!(matches!(file::replace(&note, &Seen::Nothing, "one", now), Ok(Put::Done(None))));
    fs::write(&note, "somebody").unwrap();
    let one = Seen::Text("one".into());
    assert!(matches!(file::replace(&note, &one, "two", now), Ok(Put::Changed(None))));
    assert_eq!(fs::read_to_string(&note).unwrap(), "somebody");
    let somebody = Seen::Text("somebody".into());
    assert!(matches!(file::replace(&note, &somebody, "two", now), Ok(Put::Done(Some(_)))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}
