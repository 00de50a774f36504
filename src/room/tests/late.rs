//! Who lost its turn while it worked may still speak once for it.

use crate::room::Event;
use crate::room::tests::table::{Table, table};

/// `@Bob` lost its turn to `@Carol`.
fn lapsed() -> Table {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    table.waits("@Alice");
    table.waits("@Carol");
    table.after(900);
    assert_eq!(table.turns(), "@Carol < @Bob");
    table
}

#[test]
fn a_late_word_is_taken_and_does_not_take_the_floor() {
    let mut table = lapsed();
    table.say("@Bob", "@Alice I was slow");
    assert_eq!(table.turns(), "@Carol < @Alice");
}

#[test]
fn a_late_word_is_taken_once() {
    let mut table = lapsed();
    table.say("@Bob", "@Alice I was slow");
    assert!(!table.takes("@Bob", "@Alice and one more thing"));
}

#[test]
fn a_late_word_of_one_who_came_back_to_wait_is_taken() {
    let mut table = lapsed();
    table.waits("@Bob");
    table.say("@Bob", "@Alice I was slow");
    assert_eq!(table.turns(), "@Carol < @Alice");
}

#[test]
fn a_new_turn_ends_the_right_to_a_late_word() {
    let mut table = lapsed();
    table.waits("@Bob");
    table.say("@Carol", "@Alice");
    assert_eq!(table.turns(), "@Bob < @Alice");
    table.say("@Bob", "@Alice");
    assert!(!table.takes("@Bob", "@Alice again"));
}

#[test]
fn leaving_ends_the_right_to_a_late_word() {
    let mut table = lapsed();
    table.leave("@Bob");
    table.join("@Bob");
    assert!(!table.takes("@Bob", "@Alice"));
}

#[test]
fn a_late_pass_gives_the_place_up() {
    let mut table = lapsed();
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@Carol");
    assert!(!table.takes("@Bob", "@Alice"));
}

#[test]
fn a_late_word_takes_a_floor_that_nobody_has() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@Bob");
    table.waits("@Alice");
    table.after(900);
    assert_eq!(table.turns(), "- < @Bob");
    table.say("@Bob", "@Alice");
    assert_eq!(table.turns(), "@Alice");
    let given = |event: &&Event| matches!(event, Event::FloorGiven { handle, .. } if handle.key() == "bob");
    assert_eq!(table.log.iter().filter(given).count(), 2);
}

#[test]
fn nothing_late_happens_while_a_room_is_paused() {
    let mut table = super::table::table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.max_agent_turns = 2);
    table.say("@Alice", "@Bob @Carol");
    table.waits("@Alice");
    table.waits("@Carol");
    table.after(900);
    table.say("@Carol", "@Alice");
    assert_eq!(table.turns(), "@user < @Bob < @Alice");
    assert!(!table.takes("@Bob", "@Alice"));
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@user < @Bob < @Alice");
}
