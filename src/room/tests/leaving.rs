//! Leaving, being removed, and closing.

use crate::room::command::{Close, Command};
use crate::room::event::Noted;
use crate::room::tests::table::{Table, handle, table};
use crate::room::{Event, News, Phase, Status};

fn three() -> Table {
    table(&["@Alice", "@Bob", "@Carol"])
}

#[test]
fn who_leaves_passes_its_turn_on() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol");
    table.leave("@Bob");
    assert_eq!(table.turns(), "@Carol");
    assert_eq!(table.member("@Bob").status, Status::Left);
}

#[test]
fn who_leaves_gives_its_place_up() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol");
    table.leave("@Carol");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn the_last_one_to_leave_gives_the_floor_to_nobody() {
    let mut table = three();
    for name in ["@Alice", "@Bob", "@Carol"] {
        table.leave(name);
    }
    assert_eq!(table.turns(), "-");
}

#[test]
fn a_departure_is_a_notice_and_ends_no_wait() {
    let mut table = three();
    let before = table.room.last_seq();
    table.leave("@Carol");
    assert_eq!(table.room.last_seq(), before + 1);
    assert_eq!(table.news("@Bob", before), None);
}

#[test]
fn who_has_left_must_join_again_to_speak() {
    let mut table = three();
    table.leave("@Alice");
    for command in [Command::Contact(handle("@Alice")), Command::Leave(handle("@Alice"))] {
        assert_eq!(table.refusal(command).code(), "not_joined");
    }
    table.join("@Alice");
    assert_eq!(table.member("@Alice").status, Status::Active);
}

#[test]
fn who_comes_back_after_leaving_goes_on_where_it_was() {
    let mut table = three();
    table.acknowledges("@Carol", 3, false);
    table.leave("@Carol");
    table.say("@Alice", "@Bob");
    table.join("@Carol");
    assert_eq!(table.member("@Carol").seen, 3);
}

#[test]
fn a_person_removes_a_handle() {
    let mut table = three();
    table.remove("@Alice", "@user");
    assert_eq!(table.member("@Alice").status, Status::Left);
    let removed_by = table.log.iter().find_map(|event| match event {
        Event::Left { removed_by, .. } => removed_by.clone(),
        _ => None,
    });
    assert_eq!(removed_by, Some(handle("@user")));
}

#[test]
fn only_a_person_removes_and_only_agents_are_removed() {
    let mut table = three();
    let remove = |whom: &str, by: &str| Command::Remove { handle: handle(whom), by: handle(by) };
    assert_eq!(table.refusal(remove("@Bob", "@Alice")).code(), "not_allowed");
    assert_eq!(table.refusal(remove("@user", "@user")).code(), "unknown_participant");
    assert_eq!(table.refusal(remove("@Dave", "@user")).code(), "unknown_participant");
    table.leave("@Bob");
    assert_eq!(table.refusal(remove("@Bob", "@user")).code(), "unknown_participant");
}

#[test]
fn a_person_closes_the_room() {
    let mut table = three();
    table.close("@user");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Closed, "-"));
}

#[test]
fn the_session_that_made_the_room_closes_it() {
    let mut table = three();
    let close = Close { by: Some(handle("@Bob")), summary: None, is_creator: true };
    table.command(Command::Close(close)).unwrap();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn the_last_agent_here_closes_the_room() {
    let mut table = three();
    let close = || Command::Close(Close { by: Some(handle("@Bob")), summary: None, is_creator: false });
    assert_eq!(table.refusal(close()).code(), "not_allowed");
    table.leave("@Alice");
    assert_eq!(table.refusal(close()).code(), "not_allowed");
    table.leave("@Carol");
    table.command(close()).unwrap();
}

#[test]
fn another_room_in_its_place_closes_a_room() {
    let mut table = three();
    let close = Close { by: None, summary: None, is_creator: false };
    table.command(Command::Close(close)).unwrap();
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn closing_ends_every_wait_and_every_deadline() {
    let mut table = three();
    table.close("@user");
    assert_eq!(table.news("@Bob", table.room.last_seq()), Some(News::Closed));
    assert_eq!(table.deadline(), None);
    assert!(table.due().is_empty());
}

#[test]
fn a_closed_room_obeys_nobody() {
    let mut table = three();
    table.close("@user");
    for command in [
        Command::Contact(handle("@Alice")),
        Command::Leave(handle("@Alice")),
        Command::Resume(handle("@user")),
        Command::Note(Noted::NoteKept("a word.md".to_owned())),
        Command::Close(Close { by: None, summary: None, is_creator: true }),
    ] {
        assert_eq!(table.refusal(command).code(), "room_closed");
    }
}

#[test]
fn the_last_agent_closes_the_room_also_when_it_was_taken_for_away() {
    let mut table = three();
    table.leave("@Alice");
    table.leave("@Carol");
    table.after(900);
    assert_eq!(table.member("@Bob").status, Status::Away);
    table.close("@Bob");
    assert_eq!(table.room.phase(), Phase::Closed);
}

#[test]
fn who_is_not_in_the_room_does_not_close_it() {
    let mut table = super::table::empty(&["@Alice", "@Bob"]);
    for by in ["@Alice", "@Dave"] {
        let close = Close { by: Some(handle(by)), summary: None, is_creator: false };
        assert_eq!(table.refusal(Command::Close(close)).code(), "not_allowed");
    }
}

#[test]
fn in_a_closed_room_nobody_waits_for_anything() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    table.say("@Alice", "@user @Bob");
    table.close("@user");
    assert_eq!(table.turns(), "-");
    assert!(table.questions().is_empty());
}
