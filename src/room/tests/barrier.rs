//! The room opens when enough have joined.

use std::time::Duration;

use crate::room::command::{Command, Pass};
use crate::room::policy::Barrier;
use crate::room::tests::table::{Table, declared, empty, handle, post};
use crate::room::{Declared, Event, Phase};

fn gathering(participants: &[&str], barrier: Barrier) -> Table {
    let mut declared = declared(participants);
    declared.policy.barrier = barrier;
    Table::open(declared).unwrap()
}

fn with_first_speaker(participants: &[&str], first_speaker: &str) -> Table {
    let first_speaker = Some(first_speaker.to_owned());
    Table::open(Declared { first_speaker, ..declared(participants) }).unwrap()
}

#[test]
fn the_room_opens_when_two_agents_have_joined() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Gathering, "-"));
    table.join("@Bob");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Alice"));
}

#[test]
fn a_barrier_of_all_waits_for_every_declared_agent() {
    let mut table = gathering(&["@Alice", "@Bob", "@Carol", "@user"], Barrier::All);
    table.join("@Alice");
    table.join("@Bob");
    assert_eq!(table.room.missing(), [handle("@Carol")]);
    table.join("@Carol");
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn a_barrier_of_none_opens_at_once() {
    let table = gathering(&["@Alice", "@Bob"], Barrier::Count(0));
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn people_do_not_count_for_the_barrier() {
    let mut table = empty(&["@Alice", "@Bob", "@user"]);
    table.join("@user");
    table.join("@Alice");
    assert_eq!(table.room.phase(), Phase::Gathering);
}

#[test]
fn undeclared_agents_count_when_they_have_joined() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Alice");
    table.join("@Dave");
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn the_target_shrinks_with_those_who_are_gone() {
    let mut table = gathering(&["@Alice", "@Bob", "@Carol"], Barrier::All);
    table.join("@Alice");
    table.remove("@Carol", "@user");
    table.join("@Bob");
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn the_agent_that_joined_first_speaks_first() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Bob");
    table.join("@Alice");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_first_speaker_goes_before_who_joined_first() {
    let mut table = with_first_speaker(&["@Alice", "@Bob"], "@Bob");
    table.join("@Alice");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn an_absent_first_speaker_stands_at_the_queues_head() {
    let mut table = with_first_speaker(&["@Alice", "@Bob", "@Carol"], "@Carol");
    table.join("@Alice");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Alice < @Carol");
    table.join("@Carol");
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
}

#[test]
fn the_head_of_the_queue_goes_before_the_first_speaker() {
    let mut table = with_first_speaker(&["@Alice", "@Bob"], "@Alice");
    table.join("@Alice");
    table.request_turn("@Bob");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn an_agents_post_before_the_opening_is_not_posted() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Alice");
    assert!(!table.takes("@Alice", "@Bob"));
    assert_eq!(table.turns(), "-");
}

#[test]
fn the_post_that_completes_the_barrier_needs_the_turn_too() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Alice");
    assert!(!table.takes("@Bob", "@Alice"));
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_persons_post_is_stored_and_opens_the_room() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Bob");
    table.say("@user", "@Bob begin");
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Bob"));
    assert_eq!(table.room.message_count(), 1);
}

#[test]
fn a_persons_post_to_somebody_absent_lets_another_begin() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Bob");
    table.say("@user", "@Carol begin");
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn a_person_opens_the_room_by_giving_the_turn() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Bob");
    table.pass("@user", Some("@Bob"));
    assert_eq!((table.room.phase(), table.turns().as_str()), (Phase::Open, "@Bob"));
}

#[test]
fn a_person_starts_the_room_without_those_missing() {
    let mut table = gathering(&["@Alice", "@Bob", "@Carol"], Barrier::All);
    table.join("@Alice");
    table.start("@user");
    assert_eq!(table.turns(), "@Alice");
    table.start("@user");
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn an_agent_does_not_start_the_room() {
    let mut table = gathering(&["@Alice", "@Bob", "@Carol"], Barrier::All);
    table.join("@Alice");
    assert_eq!(table.refusal(Command::Start(handle("@Alice"))).code(), "not_allowed");
}

#[test]
fn an_agents_pass_before_the_opening_passes_nothing() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Alice");
    table.pass("@Alice", Some("@Bob"));
    assert_eq!(table.turns(), "-");
}

#[test]
fn a_joiner_that_comes_later_gets_its_place() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol @Bob");
    assert_eq!(table.turns(), "@Bob < @Carol");
    table.join("@Carol");
    assert_eq!(table.turns(), "@Bob < @Carol");
    table.say("@Bob", "@Alice");
    assert_eq!(table.turns(), "@Carol < @Alice");
}

#[test]
fn a_barrier_that_waits_too_long_asks_once() {
    let mut table = gathering(&["@Alice", "@Bob", "@user"], Barrier::All);
    table.join("@Alice");
    assert_eq!(table.deadline(), Some(Duration::from_mins(5)));
    table.after(299);
    assert!(!table.log.iter().any(|event| matches!(event, Event::BarrierOverdue { .. })));
    table.after(1_000);
    let overdue: Vec<_> =
        table.log.iter().filter(|event| matches!(event, Event::BarrierOverdue { .. })).collect();
    assert!(
        matches!(overdue[..], [Event::BarrierOverdue { missing, .. }] if *missing == [handle("@Bob")]),
        "{overdue:?}"
    );
    assert_eq!(table.room.phase(), Phase::Gathering);
}

#[test]
fn a_room_without_agents_opens_at_once() {
    let table = empty(&["@user"]);
    assert_eq!(table.turns(), "@user");
}

#[test]
fn a_refused_word_of_a_person_does_not_open_the_room() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.refused_post(post("@user", "  \n"));
    let pass = Pass { by: handle("@user"), to: Some("@Dave".to_owned()), reason: None };
    table.refusal(Command::Pass(pass));
    assert_eq!(table.room.phase(), Phase::Gathering);
}

#[test]
fn the_first_speaker_begins_when_nobody_in_the_queue_is_here() {
    let mut declared = declared(&["@Alice", "@Bob", "@Carol"]);
    declared.first_speaker = Some("@Bob".to_owned());
    declared.policy.barrier = Barrier::All;
    let mut table = Table::open(declared).unwrap();
    table.join("@Alice");
    table.join("@Bob");
    table.say("@user", "@Carol");
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn a_first_speaker_that_is_mentioned_is_mentioned_once() {
    let mut table = with_first_speaker(&["@Alice", "@Bob", "@Carol"], "@Carol");
    table.join("@Alice");
    table.say("@user", "@Carol");
    table.join("@Carol");
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
    assert_eq!(table.room.turn().unwrap().mentions, 1);
}

#[test]
fn a_first_speaker_that_has_left_stands_in_no_queue() {
    let mut table = with_first_speaker(&["@Alice", "@Bob", "@Carol"], "@Carol");
    table.remove("@Carol", "@user");
    table.join("@Alice");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Alice");
}
