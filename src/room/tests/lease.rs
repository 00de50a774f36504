//! A holder that is silent for too long, and who is silent without a turn.

use std::time::Duration;

use crate::room::tests::table::{Table, table, table_by};
use crate::room::{Event, News, Status};

/// Everyone but the holder waits, so that only the lease can run out.
fn patient(names: &[&str]) -> Table {
    let mut table = table(names);
    names.iter().skip(1).for_each(|name| table.waits(name));
    table
}

#[test]
fn a_lapsed_lease_passes_the_floor_on() {
    let mut table = patient(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    table.waits("@Alice");
    table.after(899);
    assert_eq!(table.turns(), "@Bob < @Carol");
    table.after(1);
    assert_eq!(table.turns(), "@Carol < @Bob");
    assert_eq!(table.member("@Bob").status, Status::Away);
}

#[test]
fn a_call_of_the_holder_renews_the_lease() {
    let mut table = patient(&["@Alice", "@Bob"]);
    table.after(800);
    table.acts("@Alice");
    table.after(899);
    assert_eq!(table.turns(), "@Alice");
    table.after(1);
    assert_eq!(table.member("@Alice").status, Status::Away);
}

#[test]
fn a_wait_of_the_holder_does_not_renew_the_lease() {
    let mut table = patient(&["@Alice", "@Bob"]);
    table.after(800);
    table.waits("@Alice");
    table.after(100);
    assert_eq!(table.member("@Alice").status, Status::Away);
}

#[test]
fn the_lease_begins_with_the_turn() {
    let mut table = patient(&["@Alice", "@Bob"]);
    table.after(800);
    table.say("@Alice", "@Bob");
    table.waits("@Alice");
    table.after(899);
    assert_eq!(table.turns(), "@Bob");
    assert_eq!(table.deadline(), Some(Duration::from_secs(1_700)));
}

#[test]
fn a_lapse_with_nobody_queued_gives_the_floor_to_a_person() {
    let mut table = patient(&["@Alice", "@Bob", "@user"]);
    table.after(900);
    assert_eq!(table.turns(), "@user < @Alice");
}

#[test]
fn who_lapsed_and_comes_back_is_served_in_its_place() {
    let mut table = patient(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    table.waits("@Alice");
    table.after(900);
    table.waits("@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
    table.say("@Carol", "@Alice");
    assert_eq!(table.turns(), "@Bob < @Alice");
}

#[test]
fn a_lapse_is_a_notice_that_ends_the_wait_of_its_own() {
    let mut table = patient(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    let before = table.room.last_seq();
    table.waits("@Alice");
    table.after(900);
    assert_eq!(table.room.last_seq(), before + 1);
    assert_eq!(table.news("@Bob", before), Some(News::Message));
    assert_eq!(table.news("@Alice", before), None);
}

#[test]
fn who_neither_calls_nor_waits_is_away() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.after(899);
    table.acts("@Alice");
    table.after(1);
    assert_eq!(table.member("@Bob").status, Status::Away);
    assert_eq!(table.member("@Alice").status, Status::Active);
}

#[test]
fn who_waits_is_never_away() {
    let mut table = patient(&["@Alice", "@Bob"]);
    for _ in 0..10 {
        table.after(800);
        table.acts("@Alice");
    }
    assert_eq!(table.member("@Bob").status, Status::Active);
}

#[test]
fn going_away_without_a_turn_is_no_notice() {
    let mut table = table(&["@Alice", "@Bob"]);
    let before = table.room.last_seq();
    table.after(899);
    table.acts("@Alice");
    table.after(1);
    assert!(matches!(table.log.last(), Some(Event::WentAway { .. })));
    assert_eq!(table.room.last_seq(), before);
}

#[test]
fn the_lease_is_a_rule_of_the_room() {
    let mut table = table_by(&["@Alice", "@Bob"], |rules| rules.turn_lease = Duration::from_secs(3));
    table.after(3);
    assert_eq!(table.member("@Alice").status, Status::Away);
}

#[test]
fn asking_too_early_brings_nothing() {
    let mut table = patient(&["@Alice", "@Bob"]);
    assert!(table.due().is_empty());
    table.after(899);
    assert!(table.due().is_empty());
}

#[test]
fn a_restart_begins_every_lease_anew() {
    let mut table = patient(&["@Alice", "@Bob"]);
    table.after(800);
    let mut loaded = crate::room::Room::default();
    table.log.iter().for_each(|event| loaded.apply(event, table.now.mono));
    let deadline = loaded.deadline(&|_| crate::room::Presence::default());
    assert_eq!(deadline, Some(Duration::from_secs(1_700)));
}

#[test]
fn the_mention_of_who_lapsed_goes_to_the_end_of_the_queue() {
    let mut table = patient(&["@Alice", "@Bob", "@Carol", "@Dave"]);
    table.say("@Alice", "@Bob");
    table.waits("@Alice");
    table.say("@user", "@Bob @Carol @Dave");
    assert_eq!(table.turns(), "@Bob < @Bob < @Carol < @Dave");
    table.after(900);
    assert_eq!(table.turns(), "@Carol < @Dave < @Bob");
    table.waits("@Bob");
    table.pass("@Carol", None);
    table.pass("@Dave", None);
    assert_eq!(table.turns(), "@Bob");
    assert_eq!(table.room.turn().unwrap().mentions, 2);
}

#[test]
fn a_floor_never_moves_to_who_goes_away_at_the_same_moment() {
    let hold = Duration::from_mins(15);
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| rules.human_hold = hold);
    table.say("@Alice", "@user @Bob");
    table.waits("@Alice");
    table.after(900);
    assert_eq!(table.turns(), "@user < @Bob");
    assert_eq!(table.member("@Bob").status, Status::Away);
}

#[test]
fn a_lease_without_end_is_no_deadline_that_can_come() {
    for endless in [Duration::MAX, Duration::from_secs(u64::MAX - 1)] {
        let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| {
            rules.turn_lease = endless;
            rules.human_hold = endless;
            rules.barrier_timeout = endless;
        });
        table.after(1);
        table.say("@Alice", "@user @Bob");
        table.after(1_000_000);
        assert_eq!(table.turns(), "@user < @Bob");
    }
}

#[test]
fn a_clock_that_goes_back_changes_no_order_and_no_turn() {
    let mut table = patient(&["@Alice", "@Bob"]);
    let first = table.say("@Alice", "@Bob");
    table.waits("@Alice");
    table.now.wall -= chrono::TimeDelta::days(1);
    table.after(899);
    assert_eq!(table.turns(), "@Bob", "the lease runs on another clock");
    let second = table.say("@Bob", "@Alice");
    assert_eq!((second, table.turns().as_str()), (first + 1, "@Alice"));
    assert!(table.news("@Alice", first).is_some());
}
