//! Passing a turn on without a word.

use crate::room::command::{Command, Pass};
use crate::room::policy::FloorRule;
use crate::room::tests::table::{Table, handle, table, table_by};
use crate::room::{Event, Refusal};

fn three() -> Table {
    table(&["@Alice", "@Bob", "@Carol"])
}

#[test]
fn a_passed_turn_goes_to_the_head_of_the_queue() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol");
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_turn_is_passed_to_somebody_before_the_queue() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol");
    table.pass("@Bob", Some("alice"));
    assert_eq!(table.turns(), "@Alice < @Carol");
}

#[test]
fn a_turn_passed_to_somebody_absent_skips_it() {
    let mut table = super::table::empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.request_turn("@Bob");
    table.pass("@Alice", Some("@Carol"));
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn a_turn_with_nobody_to_go_to_is_passed_to_a_person() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    table.pass("@Alice", None);
    assert_eq!(table.turns(), "@user");
}

#[test]
fn an_agent_without_the_turn_passes_nothing() {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.floor = FloorRule::Open);
    assert!(table.pass("@Bob", None).is_empty());
    assert!(table.pass("@Bob", Some("@Carol")).is_empty());
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_person_passes_any_holders_turn() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol");
    table.pass("@user", None);
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_person_gives_the_turn_to_whom_it_likes() {
    let mut table = three();
    table.pass("@user", Some("@Carol"));
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_pass_is_a_notice_with_its_reason() {
    let mut table = three();
    let pass = |reason: &str| Pass { by: handle("@Alice"), to: None, reason: Some(reason.to_owned()) };
    let events = table.command(Command::Pass(pass("not my field"))).unwrap();
    let Some(Event::Passed { seq, reason, holder, .. }) = events.first() else { panic!("{events:?}") };
    assert_eq!((*seq, reason.as_deref(), holder), (4, Some("not my field"), &Some(handle("@Alice"))));
}

#[test]
fn a_pass_to_nobody_known_is_refused() {
    let mut table = three();
    table.leave("@Carol");
    for (to, code) in
        [("@Dvae", "unknown_participant"), ("@Carol", "unknown_participant"), ("@all", "handle_reserved")]
    {
        let pass = Pass { by: handle("@Alice"), to: Some(to.to_owned()), reason: None };
        assert_eq!(table.refusal(Command::Pass(pass)).code(), code);
    }
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_pass_to_oneself_is_a_pass() {
    let mut table = three();
    table.request_turn("@Bob");
    table.pass("@Alice", Some("@Alice"));
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_free_floor_may_be_given_but_not_passed() {
    let mut table = three();
    table.pass("@Alice", None);
    assert_eq!(table.turns(), "-");
    assert!(table.pass("@Bob", None).is_empty());
    table.pass("@Bob", Some("@Carol"));
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_stranger_passes_nothing() {
    let mut table = three();
    let pass = Pass { by: handle("@Dave"), to: None, reason: None };
    assert_eq!(table.refusal(Command::Pass(pass)), Refusal::NotJoined(handle("@Dave")));
}

#[test]
fn a_person_that_passes_a_turn_keeps_its_own_place() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.say("@Alice", "@Bob @user @Carol");
    table.pass("@user", None);
    assert_eq!(table.turns(), "@user < @Carol");
}

#[test]
fn a_passed_turn_gives_the_holders_newer_mentions_up() {
    let mut table = three();
    table.say("@user", "@Alice @Bob");
    assert_eq!(table.turns(), "@Alice < @Alice < @Bob");
    table.pass("@user", None);
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn who_comes_back_to_a_floor_that_waits_for_it_may_pass_it() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.waits("@Carol");
    table.say("@Alice", "@Bob");
    table.waits("@Alice");
    table.after(900);
    assert_eq!(table.turns(), "@user < @Bob");
    table.pass("@Bob", Some("@Carol"));
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn the_reason_of_a_pass_is_one_line() {
    for (given, kept) in [("not\nmy field", Some("not my field")), (" \n", None)] {
        let mut table = three();
        let pass = Pass { by: handle("@Alice"), to: None, reason: Some(given.to_owned()) };
        let events = table.command(Command::Pass(pass)).unwrap();
        let Some(Event::Passed { reason, .. }) = events.first() else { panic!("{events:?}") };
        assert_eq!(reason.as_deref(), kept);
    }
}
