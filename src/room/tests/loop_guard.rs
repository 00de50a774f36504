//! Agents that only talk to each other are stopped.

use crate::room::event::PauseReason;
use crate::room::tests::table::{Table, post, table_by};
use crate::room::{Event, Phase};

fn guarded(max_agent_turns: u32) -> Table {
    table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.max_agent_turns = max_agent_turns)
}

fn long(name: &str) -> String {
    format!("{name} {}", "word ".repeat(20))
}

/// `@Alice` and `@Bob` take so many turns in all.
fn talk(table: &mut Table, turns: usize, text: impl Fn(&str) -> String) {
    for (sender, other) in [("@Alice", "@Bob"), ("@Bob", "@Alice")].iter().cycle().take(turns) {
        table.say(sender, &text(other));
    }
}

fn reason(table: &Table) -> Option<&PauseReason> {
    table.log.iter().rev().find_map(|event| match event {
        Event::Paused { reason, .. } => Some(reason),
        _ => None,
    })
}

#[test]
fn the_room_pauses_after_so_many_turns_without_a_human_word() {
    let mut table = guarded(10);
    talk(&mut table, 9, long);
    assert_eq!((table.room.phase(), table.room.turns_until_pause()), (Phase::Open, Some(1)));
    table.say("@Bob", &long("@Alice"));
    assert_eq!(table.room.phase(), Phase::Paused);
    assert_eq!(reason(&table), Some(&PauseReason::ManyTurns(10)));
}

#[test]
fn a_human_word_starts_the_count_anew() {
    let mut table = guarded(10);
    talk(&mut table, 9, long);
    table.say("@user", "go on");
    assert_eq!(table.room.turns_until_pause(), Some(10));
}

#[test]
fn people_are_not_counted() {
    let mut table = guarded(3);
    for _ in 0..5 {
        table.say("@user", "@Alice");
    }
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn the_room_pauses_after_six_short_messages_between_the_same_two() {
    let mut table = guarded(40);
    talk(&mut table, 5, |other| format!("{other} thanks"));
    assert_eq!(table.room.phase(), Phase::Open);
    table.say("@Bob", "@Alice thanks");
    assert_eq!(table.room.phase(), Phase::Paused);
    assert_eq!(reason(&table), Some(&PauseReason::ShortMessages));
}

#[test]
fn a_message_of_80_characters_is_not_short() {
    for (length, phase) in [(79, Phase::Paused), (80, Phase::Open)] {
        let mut table = guarded(40);
        talk(&mut table, 6, |other| {
            format!("{other:é<length$}").replace('é', " é").chars().take(length).collect()
        });
        assert_eq!(table.room.phase(), phase, "{length}");
    }
}

#[test]
fn a_third_party_breaks_the_row_of_short_messages() {
    let mut table = guarded(40);
    talk(&mut table, 5, |other| format!("{other} thanks"));
    table.say("@Bob", "@Alice @Carol thanks");
    table.say("@Alice", "@Bob thanks");
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn a_long_message_breaks_the_row_of_short_messages() {
    let mut table = guarded(40);
    talk(&mut table, 5, |other| format!("{other} thanks"));
    table.say("@Bob", &long("@Alice"));
    table.say("@Alice", "@Bob thanks");
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn zero_switches_both_rules_off() {
    let mut table = guarded(0);
    talk(&mut table, 100, |other| format!("{other} thanks"));
    assert_eq!((table.room.phase(), table.room.turns_until_pause()), (Phase::Open, None));
}

#[test]
fn words_that_are_not_posted_do_not_count() {
    let mut table = guarded(2);
    table.say("@Alice", "@Bob");
    for _ in 0..5 {
        assert!(!table.takes("@Carol", "@Bob"));
        table.refused_post(post("@Bob", "nobody"));
    }
    assert_eq!(table.room.phase(), Phase::Open);
}

#[test]
fn a_turn_passed_without_a_word_counts_too() {
    let mut table = guarded(10);
    for (by, to) in [("@Alice", "@Bob"), ("@Bob", "@Alice")].iter().cycle().take(9) {
        table.pass(by, Some(to));
    }
    assert_eq!((table.room.phase(), table.room.turns_until_pause()), (Phase::Open, Some(1)));
    table.pass("@Bob", Some("@Alice"));
    assert_eq!(table.turns(), "@user < @Alice");
    table.resume("@user");
    assert_eq!((table.turns().as_str(), table.room.turns_until_pause()), ("@Alice", Some(10)));
}

#[test]
fn a_ring_of_agents_pauses_like_a_pair() {
    let mut table = guarded(12);
    let ring = [("@Alice", "@Bob"), ("@Bob", "@Carol"), ("@Carol", "@Alice")];
    for (turn, (sender, next)) in ring.iter().cycle().enumerate().take(12) {
        assert_eq!(table.room.phase(), Phase::Open, "turn {turn}");
        table.say(sender, &format!("{next} thanks"));
    }
    assert_eq!(reason(&table), Some(&PauseReason::ManyTurns(12)));
    assert_eq!(table.turns(), "@user < @Alice");
}
