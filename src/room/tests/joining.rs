//! Who is in the room, and since when.

use crate::room::command::{Command, Join};
use crate::room::tests::table::{Table, declared, empty, handle, post, table, table_by, texts};
use crate::room::{Event, Status};

#[test]
fn a_declared_participant_starts_at_the_first_message() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@Bob one");
    let mut late = empty(&["@Alice", "@Bob", "@Carol"]);
    late.join("@Alice");
    late.join("@Bob");
    late.say("@Alice", "@Bob one");
    late.join("@Carol");
    assert_eq!(late.member("@Carol").seen, 0);
}

#[test]
fn another_participant_starts_at_the_newest_message() {
    let mut table = table(&["@Alice", "@Bob"]);
    let seq = table.say("@Alice", "@Bob one");
    table.join("@Dave");
    assert_eq!(table.member("@Dave").seen, seq);
    assert_eq!(table.member("@Dave").handed, seq);
}

#[test]
fn history_gives_an_undeclared_joiner_the_last_messages() {
    for (history, seen) in [(0, 4), (1, 3), (3, 1), (4, 0), (u64::MAX, 0)] {
        let mut table = table(&["@Alice", "@Bob"]);
        table.say("@Alice", "@Bob one");
        table.say("@Bob", "@Alice two");
        table.join_as("@Dave", None, history);
        assert_eq!(table.member("@Dave").seen, seen, "{history}");
    }
}

#[test]
fn a_declared_participant_that_speaks_has_joined() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol");
    table.say("@Carol", "@Bob");
    assert_eq!(table.member("@Carol").status, Status::Active);
}

#[test]
fn an_undeclared_participant_that_has_not_joined_is_refused() {
    let mut table = table(&["@Alice", "@Bob"]);
    let dave = || handle("@Dave");
    assert_eq!(table.refused_post(post("@Dave", "@Bob")).code(), "not_joined");
    for command in [Command::Contact(dave()), Command::RequestTurn(dave()), Command::Leave(dave())] {
        assert_eq!(table.refusal(command).code(), "not_joined");
    }
}

#[test]
fn a_refused_call_of_a_declared_participant_joins_nobody() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.refused_post(post("@Alice", "nobody is named"));
    assert_eq!(table.member("@Alice").status, Status::Expected);
}

#[test]
fn anyone_may_join() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.join("@Dave");
    assert!(!table.member("@Dave").is_declared);
    table.say("@Alice", "@Dave");
    assert_eq!(table.turns(), "@Dave");
}

#[test]
fn an_invite_only_room_takes_declared_participants_only() {
    let mut table = table_by(&["@Alice", "@Bob"], |rules| rules.invite_only = true);
    let join = Join { handle: handle("@Dave"), name: None, history: 0 };
    assert_eq!(table.refusal(Command::Join(join)).code(), "not_allowed");
    table.join("@Alice");
}

#[test]
fn a_join_may_be_repeated() {
    let mut table = table(&["@Alice", "@Bob"]);
    let before = table.room.last_seq();
    table.join("@Bob");
    table.join("@Alice");
    assert_eq!(table.room.last_seq(), before);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_new_join_resumes_cursor_place_and_turn() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    table.acknowledges("@Carol", 2, false);
    table.join("@Bob");
    table.join("@Carol");
    assert_eq!(table.turns(), "@Bob < @Carol");
    assert_eq!(table.member("@Carol").seen, 2);
}

#[test]
fn a_repeated_join_may_change_the_name_and_keeps_it_otherwise() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join_as("@Alice", Some("Alice Architect"), 0);
    table.join("@Alice");
    assert_eq!(table.member("@Alice").name.as_deref(), Some("Alice Architect"));
    table.join_as("@Alice", Some("A. Architect"), 0);
    assert_eq!(table.member("@Alice").name.as_deref(), Some("A. Architect"));
    let renamed = |event: &&Event| matches!(event, Event::Renamed { .. });
    assert_eq!(table.log.iter().filter(renamed).count(), 1);
}

#[test]
fn each_arrival_is_a_notice() {
    let table = table(&["@Alice", "@Bob"]);
    let arrivals = table.log.iter().filter(|event| matches!(event, Event::Joined { .. }));
    assert_eq!(arrivals.filter_map(Event::seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(table.room.message_count(), 0);
}

#[test]
fn a_call_of_someone_away_brings_it_back() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.after(900);
    assert_eq!(table.member("@Bob").status, Status::Away);
    table.waits("@Bob");
    assert_eq!(table.member("@Bob").status, Status::Active);
}

#[test]
fn one_spelling_of_a_handle_is_kept() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.join("@ALICE");
    table.say("@alice", "@bob");
    table.request_turn("@aLice");
    assert_eq!(table.turns(), "@Bob < @Alice");
    let sender = table.log.iter().find_map(|event| match event {
        Event::Posted(posted) => Some(posted.sender.as_str().to_owned()),
        _ => None,
    });
    assert_eq!(sender.as_deref(), Some("@Alice"));
}

#[test]
fn a_call_under_an_alias_is_a_call_of_its_owner() {
    let mut declared = declared(&["@Alice", "@Bob"]);
    declared.aliases = [("@Alice".to_owned(), texts(&["@chief"]))].into();
    let mut table = Table::open(declared).unwrap();
    table.join("@Chief");
    table.join("@Bob");
    table.say("@chief", "@Bob");
    assert_eq!(table.room.participants().len(), 2);
    assert_eq!(table.room.resolve("chief").unwrap().handle.as_str(), "@Alice");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_name_is_one_line_of_at_most_200_characters() {
    for (given, kept) in [
        ("Alice\n# \u{202e}Architect\u{7}", Some("Alice # Architect".to_owned())),
        (" \u{2066}\t ", None),
        (&"é".repeat(300), Some("é".repeat(200))),
    ] {
        let mut table = empty(&["@Alice", "@Bob"]);
        table.join_as("@Alice", Some(given), 0);
        assert_eq!(table.member("@Alice").name, kept);
    }
}
