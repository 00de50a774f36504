//! People answer, in the programs they have.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::super::{AnswerTo, ReplyHead, Taking};
use super::house::{House, save_anew, save_by_rename, save_in_place, save_with_backup};
use super::{head, question, to};

const SAVES: [fn(&Path, &str); 4] = [save_in_place, save_with_backup, save_by_rename, save_anew];

fn asked() -> ReplyHead {
    head(vec![question(12, "May I use Postgres?", &["Yes", "No"])])
}

fn nothing_asked() -> ReplyHead {
    ReplyHead { last_seq: 13, ..head(Vec::new()) }
}

#[tokio::test]
async fn one_tick_on_a_phone_is_an_answer_however_it_is_saved() {
    for save in SAVES {
        let mut house = House::with(asked()).await;
        save(&house.note(), &house.edited("- [ ] Yes", "- [x] Yes"));
        let answer = house.answer().await;
        assert_eq!((&answer.to, answer.text.as_str()), (&to(12, Some(0)), ""));
        house.desk.show(house.place(), nothing_asked());
        house.desk.posted(&answer, 13);
        let text = house.until(|text| text.contains("No question waits")).await;
        assert!(!text.contains("[x]") && house.kept().is_empty(), "{text}");
        assert!(house.has_no_event());
    }
}

#[tokio::test]
async fn where_the_system_tells_nothing_the_files_are_looked_at() {
    for save in SAVES {
        let mut house = House::deaf();
        assert!(house.desk.shown(house.place(), asked()).await);
        save(&house.note(), &house.edited("- [ ] Yes", "- [x] Yes"));
        let answer = house.answer().await;
        house.desk.show(house.place(), nothing_asked());
        house.desk.posted(&answer, 13);
        house.until(|text| text.contains("No question waits")).await;
    }
}

#[tokio::test]
async fn words_are_sent_with_a_tick_and_the_note_is_cleared() {
    for save in SAVES {
        let mut house = House::with(asked()).await;
        let typed = house.edited("\n\n- [ ] send", "\nOnly *if* it is there.\n\nElse no.\n\n- [X] send\n");
        save(&house.note(), &typed.replace('\n', "\r\n"));
        let answer = house.answer().await;
        assert_eq!(answer.text, "Only *if* it is there.\n\nElse no.");
        house.desk.show(house.place(), nothing_asked());
        house.desk.posted(&answer, 13);
        house.until(|text| text.contains("No question waits") && !text.contains("Else no")).await;
        assert!(house.kept().is_empty() && house.has_no_event());
    }
}

#[tokio::test]
async fn a_question_that_comes_while_somebody_writes_is_shown_later() {
    let mut house = House::with(asked()).await;
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nI am about to\n\n- [ ] send"));
    let before = house.text();
    let more =
        || head(vec![question(12, "May I use Postgres?", &["Yes", "No"]), question(15, "And Redis?", &[])]);
    assert!(house.desk.shown(house.place(), more()).await);
    assert_eq!(house.text(), before);
    save_in_place(&house.note(), &house.edited("\nI am about to\n", "\n"));
    let text = house.until(|text| text.contains("And Redis?")).await;
    assert!(text.contains("- [ ] send ➔ @Bob · 15"), "{text}");
    assert!(house.has_no_event());
}

#[tokio::test]
async fn a_half_written_answer_survives_a_restart() {
    let mut house = House::with(asked()).await;
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nhalf of\n\n- [ ] send"));
    house.restart().await;
    let before = house.text();
    assert!(house.desk.shown(house.place(), nothing_asked()).await);
    assert_eq!(house.text(), before);
    save_in_place(&house.note(), &house.edited("- [ ] send", "- [x] send"));
    let answer = house.answer().await;
    assert_eq!((answer.text.as_str(), answer.to), ("half of", to(12, None)));
}

#[tokio::test]
async fn what_was_ticked_while_no_hub_ran_is_found_and_told_with_the_same_id_again() {
    let mut house = House::with(asked()).await;
    house.restart().await;
    save_by_rename(&house.note(), &house.edited("- [ ] No", "- [x] No"));
    house.desk.watch(house.place());
    let answer = house.answer().await;
    assert_eq!(answer.to, to(12, Some(1)));
    // The hub dies after it has posted, and before the note is cleared.
    house.restart().await;
    house.desk.watch(house.place());
    let again = house.answer().await;
    assert_eq!(again, answer);
    house.desk.show(house.place(), nothing_asked());
    house.desk.posted(&again, 13);
    let cleared = house.until(|text| text.contains("No question waits")).await;
    // Another device brings the old save once more.
    let old = cleared;
    assert!(!old.contains("[x]"));
    assert!(house.has_no_event());
}

#[tokio::test]
async fn an_old_save_that_comes_again_is_the_same_answer() {
    let mut house = House::with(asked()).await;
    let ticked = house.edited("- [ ] No", "- [x] No");
    save_in_place(&house.note(), &ticked);
    let answer = house.answer().await;
    house.desk.show(house.place(), nothing_asked());
    house.desk.posted(&answer, 13);
    house.until(|text| text.contains("No question waits")).await;
    save_anew(&house.note(), &ticked);
    assert_eq!(house.answer().await.request_id, answer.request_id);
    house.desk.posted(&answer, 13);
    house.until(|text| text.contains("No question waits")).await;
}

#[tokio::test]
async fn the_same_words_may_be_said_again_later() {
    let mut house = House::with(nothing_asked()).await;
    let mut ids = Vec::new();
    for seq in [14, 15] {
        save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\ngo on\n\n- [x] send"));
        let answer = house.answer().await;
        assert_eq!((&answer.to, answer.text.as_str()), (&AnswerTo::Room, "go on"));
        house.desk.posted(&answer, seq);
        house.until(|text| !text.contains("go on")).await;
        ids.push(answer.request_id);
    }
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_save_in_pieces_is_read_when_it_is_whole() {
    let mut house = House::with(asked()).await;
    let text = house.edited("\n\n- [ ] send", "\na long answer\nof two lines\n\n- [x] send\n");
    let mut file = fs::File::create(house.note()).unwrap();
    for piece in text.as_bytes().chunks(text.len() / 8) {
        file.write_all(piece).unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    drop(file);
    assert_eq!(house.answer().await.text, "a long answer\nof two lines");
    assert!(house.has_no_event() && house.text() == text, "nothing was written over it");
}

#[tokio::test]
async fn what_was_refused_stays_with_the_reason() {
    let mut house = House::with(asked()).await;
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nmy words\n\n- [x] send\n"));
    let answer = house.answer().await;
    house.desk.refused(&answer, "question 12 is answered already".into());
    let text = house.until(|text| text.contains("Not sent: question 12 is answered already")).await;
    assert!(text.contains("\nmy words\n") && text.contains("- [ ] send"), "{text}");
    save_in_place(&house.note(), &house.edited("- [ ] send", "- [x] send"));
    assert_eq!(house.answer().await.text, "my words");
}

#[tokio::test]
async fn what_is_typed_after_the_tick_stays() {
    let mut house = House::with(nothing_asked()).await;
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nfirst\n\n- [x] send"));
    let answer = house.answer().await;
    save_in_place(&house.note(), &house.edited("first", "first\nsecond"));
    house.desk.posted(&answer, 14);
    let text = house.until(|text| text.contains("- [ ] send")).await;
    assert!(text.contains("second") && !text.contains("first"), "{text}");
}

#[tokio::test]
async fn two_ticks_are_sent_back_with_the_reason() {
    let mut house = House::with(asked()).await;
    let both = house.edited("- [ ] Yes", "- [x] Yes").replace("- [ ] No", "- [x] No");
    save_in_place(&house.note(), &both);
    let text = house.until(|text| text.contains("Not sent: several answers are ticked")).await;
    assert!(!text.contains("[x]"), "{text}");
    save_in_place(&house.note(), &house.edited("- [ ] No", "- [x] No"));
    assert_eq!(house.answer().await.to, to(12, Some(1)));
}

#[tokio::test]
async fn a_closed_room_takes_nothing_and_keeps_what_is_typed() {
    let house = House::with(asked()).await;
    let over = || ReplyHead { taking: Taking::Over, ..asked() };
    save_in_place(&house.note(), &house.edited("\n\n- [ ] send", "\nlate\n\n- [ ] send"));
    assert!(house.desk.shown(house.place(), over()).await);
    assert!(house.text().contains("late"));
    save_in_place(&house.note(), &house.edited("\nlate\n", "\n"));
    let text = house.until(|text| text.contains("is closed")).await;
    assert!(!text.contains("[ ]"), "{text}");
}
