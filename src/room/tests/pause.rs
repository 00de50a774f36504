//! While a room is paused, only a person moves it.

use crate::room::command::Command;
use crate::room::policy::FloorRule;
use crate::room::tests::table::{Table, handle, last_word, table_by};
use crate::room::{News, Phase, Status};

/// `@Alice` has asked `@Bob` and `@Carol`, and the room is paused.
fn paused() -> Table {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol", "@user"], |rules| rules.max_agent_turns = 1);
    table.say("@Alice", "@Bob @Carol");
    assert_eq!(table.room.phase(), Phase::Paused);
    table
}

#[test]
fn a_paused_rooms_floor_is_a_persons() {
    assert_eq!(paused().turns(), "@user < @Bob < @Carol");
}

#[test]
fn the_pause_of_a_room_without_people_waits_for_user() {
    let mut table = table_by(&["@Alice", "@Bob"], |rules| rules.max_agent_turns = 1);
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@user < @Bob");
    table.say("@user", "go on");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn no_floor_moves_while_a_room_is_paused() {
    let mut table = paused();
    assert!(!table.takes("@Bob", "@Alice"));
    table.request_turn("@Alice");
    table.leave("@Bob");
    table.join("@Dave");
    assert_eq!(table.turns(), "@user < @Carol < @Alice");
}

#[test]
fn no_lease_runs_while_a_room_is_paused() {
    let mut table = paused();
    assert_eq!(table.deadline(), None);
    table.after(100_000);
    assert_eq!(table.member("@Bob").status, Status::Active);
    table.resume("@user");
    table.after(899);
    assert_eq!(table.turns(), "@Bob < @Carol");
    assert_eq!(table.member("@Carol").status, Status::Active);
}

#[test]
fn a_pause_ends_waits_once() {
    let table = paused();
    let last = table.room.last_seq();
    assert_eq!(table.news("@Carol", last - 1), Some(News::Paused));
    assert_eq!(table.news("@Carol", last), None);
    assert_eq!(table.news("@Bob", last), None);
}

#[test]
fn a_persons_word_ends_a_pause() {
    let mut table = paused();
    table.say("@user", "go on");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Bob < @Carol"));
}

#[test]
fn resuming_ends_a_pause() {
    let mut table = paused();
    table.resume("@user");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Bob < @Carol"));
}

#[test]
fn a_person_that_passes_ends_a_pause() {
    let mut table = paused();
    table.pass("@user", None);
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Bob < @Carol"));
}

#[test]
fn a_person_that_gives_the_turn_ends_a_pause() {
    let mut table = paused();
    table.pass("@user", Some("@Carol"));
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Carol < @Bob"));
}

#[test]
fn an_agent_does_not_end_a_pause() {
    let mut table = paused();
    assert_eq!(table.refusal(Command::Resume(handle("@Bob"))).code(), "not_allowed");
    table.pass("@Bob", None);
    table.waits("@Bob");
    assert_eq!(table.room.phase(), Phase::Paused);
}

#[test]
fn resuming_a_room_that_runs_changes_nothing() {
    let mut table = paused();
    table.resume("@user");
    let before = table.log.len();
    table.resume("@user");
    assert_eq!(table.log.len(), before);
}

#[test]
fn the_turn_of_a_holder_stands_still_in_a_pause() {
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| {
        rules.max_agent_turns = 1;
        rules.floor = FloorRule::Open;
    });
    table.say("@Bob", "@Alice");
    assert_eq!(table.turns(), "@user < @Alice");
    assert_eq!(table.room.turn().unwrap().handle, handle("@Alice"));
    table.resume("@user");
    assert_eq!(table.turns(), "@Alice < @Alice");
}

#[test]
fn a_person_that_ends_a_pause_by_passing_takes_nobodys_turn() {
    for to in [None, Some("@Bob")] {
        let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| {
            rules.max_agent_turns = 1;
            rules.floor = FloorRule::Open;
        });
        table.post(last_word("@Bob", "hm"));
        table.pass("@user", to);
        assert_eq!(table.room.turn().unwrap().number, 1, "{to:?}");
        assert_eq!(table.turns(), if to.is_some() { "@Alice < @Bob" } else { "@Alice" });
    }
}
