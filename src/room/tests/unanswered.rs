//! Who is called and does not answer: the room is told after four leases, once.

use std::time::Duration;

use crate::room::tests::table::{Table, empty, table, table_by};
use crate::room::{Event, Policy};

const FOUR_LEASES: u64 = 3_600;

/// Who the room was told of.
fn told(table: &Table) -> Vec<String> {
    let told = table.log.iter().filter_map(|event| match event {
        Event::Unanswered { handle, .. } => Some(handle.to_string()),
        _ => None,
    });
    told.collect()
}

/// Alice and Bob wait for ever, so that nothing but the rule happens.
fn patient(mut table: Table) -> Table {
    table.waits("@Alice");
    table.waits("@Bob");
    table
}

#[test]
fn a_question_that_a_person_does_not_answer_is_told_once() {
    let mut table = patient(table(&["@Alice", "@Bob", "@user"]));
    table.say("@Alice", "@user which one?");
    table.after(FOUR_LEASES - 1);
    assert_eq!(told(&table), [""; 0]);
    table.after(1);
    assert_eq!(told(&table), ["@user"]);
    table.after(10 * FOUR_LEASES);
    assert_eq!(told(&table), ["@user"]);
}

#[test]
fn a_question_that_is_answered_in_time_is_not_told_and_the_next_one_counts_anew() {
    let mut table = patient(table(&["@Alice", "@Bob", "@user"]));
    table.say("@Alice", "@user which one?");
    table.after(FOUR_LEASES - 1);
    table.say("@user", "@Alice the first");
    table.say("@Alice", "@user and now?");
    table.after(FOUR_LEASES - 1);
    assert_eq!(told(&table), [""; 0]);
    table.after(1);
    assert_eq!(told(&table), ["@user"]);
}

#[test]
fn one_who_is_mentioned_and_does_not_come_is_told_of() {
    let mut table = patient(empty(&["@Alice", "@Bob", "@Carol", "@user"]));
    table.say("@Alice", "@Carol are you there?");
    table.after(FOUR_LEASES);
    assert_eq!(told(&table), ["@Carol"]);
    table.join("@Carol");
    table.say("@Carol", "@Alice now I am");
    table.say("@Alice", "@Carol good");
    table.waits("@Alice");
    // Carol falls silent in her turn and is called again.
    table.after(900 + FOUR_LEASES);
    assert_eq!(told(&table), ["@Carol", "@Carol"]);
}

#[test]
fn who_is_here_and_waits_for_its_turn_is_not_told_of() {
    let mut table = patient(table(&["@Alice", "@Bob", "@user"]));
    table.say("@user", "@Bob listen");
    for _ in 0..10 {
        table.after(800);
        table.acts("@Alice");
    }
    assert_eq!(told(&table), [""; 0]);
}

#[test]
fn the_time_is_four_leases_of_the_room() {
    let mut table = patient(table_by(&["@Alice", "@Bob", "@user"], |rules: &mut Policy| {
        rules.turn_lease = Duration::from_mins(1);
    }));
    table.say("@Alice", "@user which one?");
    table.after(239);
    assert_eq!(told(&table), [""; 0]);
    table.after(1);
    assert_eq!(told(&table), ["@user"]);
}

#[test]
fn being_told_of_ends_no_wait_and_moves_no_turn() {
    let mut table = patient(table(&["@Alice", "@Bob", "@user"]));
    table.say("@Alice", "@user which one?");
    let (turns, cursor) = (table.turns(), table.room.last_seq());
    table.after(FOUR_LEASES);
    assert_eq!((told(&table).len(), table.turns()), (1, turns));
    assert_eq!(table.news("@Bob", cursor), None);
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}
