//! What ends a wait.

use crate::room::policy::{Barrier, Wake};
use crate::room::tests::table::{Table, declared, empty, handle, last_word, private, table, table_by};
use crate::room::{Event, News, Policy};

fn batched() -> Table {
    table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.wake = Wake::Batched)
}

#[test]
fn a_turn_ends_a_wait() {
    let mut table = table(&["@Alice", "@Bob"]);
    assert_eq!(table.news("@Alice", 2), Some(News::YourTurn(1)));
    let seq = table.say("@Alice", "@Bob");
    assert_eq!(table.news("@Bob", seq), Some(News::YourTurn(2)));
    assert_eq!(table.news("@Alice", seq), None);
}

#[test]
fn any_visible_message_ends_a_wait() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    let seq = table.say("@Alice", "@Bob");
    assert_eq!(table.news("@Carol", seq - 1), Some(News::Message));
    assert_eq!(table.news("@Carol", seq), None);
}

#[test]
fn ones_own_message_ends_no_wait() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    let first = table.say("@Alice", "@Carol");
    let second = table.say("@Carol", "@Bob");
    assert_eq!(table.news("@Carol", first), None);
    assert_eq!(table.news("@Alice", first), Some(News::Message));
    assert_eq!(table.room.last_own(&handle("@Carol")), second);
}

#[test]
fn a_message_before_ones_own_still_ends_a_wait() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    let first = table.say("@Alice", "@Carol");
    table.say("@user", "hear, hear");
    table.say("@Carol", "@Bob");
    assert_eq!(table.news("@Carol", first), Some(News::Message));
}

#[test]
fn a_private_message_ends_the_waits_of_those_who_may_read_it() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.request_turn("@Carol");
    let seq = table.post(private("@Alice", "@Bob psst")).unwrap();
    assert_eq!(table.news("@Bob", seq - 1), Some(News::Message));
    assert_eq!(table.news("@user", seq - 1), None);
}

#[test]
fn a_message_that_wants_no_answer_ends_waits_too() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    let seq = table.post(last_word("@Alice", "done")).unwrap();
    assert_eq!(table.news("@Bob", seq - 1), Some(News::Message));
}

#[test]
fn a_batched_wait_goes_on_while_others_talk() {
    let mut table = batched();
    let seq = table.say("@Alice", "@Bob");
    assert_eq!(table.news("@Carol", seq - 1), None);
}

#[test]
fn a_turn_a_mention_and_a_private_message_end_a_batched_wait() {
    let mut table = batched();
    let public = table.say("@Alice", "@Bob @Carol");
    assert_eq!(table.news("@Bob", public - 1), Some(News::YourTurn(2)));
    assert_eq!(table.news("@Carol", public - 1), Some(News::Message));
    let secret = table.post(private("@Bob", "@Alice psst")).unwrap();
    assert_eq!(table.news("@Alice", secret - 1), Some(News::Message));
}

#[test]
fn arrivals_end_no_wait() {
    let mut table = table(&["@Alice", "@Bob"]);
    let before = table.room.last_seq();
    table.join("@Dave");
    assert_eq!(table.news("@Bob", before), None);
}

#[test]
fn waits_go_on_while_a_room_gathers() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    assert_eq!(table.news("@Alice", 0), None);
}

#[test]
fn a_floor_that_becomes_free_ends_the_waits_of_agents_once() {
    let mut table = table(&["@Alice", "@Bob"]);
    let told = table.room.freed();
    table.pass("@Alice", None);
    let last = table.room.last_seq();
    assert_eq!(table.turns(), "-");
    assert_eq!(table.room.news(&handle("@Bob"), last, told), Some(News::FloorFree(told + 1)));
    assert_eq!(table.room.news(&handle("@Bob"), last, told + 1), None);
    assert_eq!(table.room.news(&handle("@user"), last, told), None);
}

#[test]
fn whoever_speaks_first_takes_a_free_floor() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    table.pass("@Alice", None);
    table.say("@Carol", "@Bob");
    assert_eq!(table.turns(), "@Bob");
    assert!(!table.takes("@Alice", "@Bob"));
}

#[test]
fn who_asks_for_a_free_floor_gets_it() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.pass("@Alice", None);
    table.request_turn("@Bob");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_persons_word_on_a_free_floor_gives_it_on() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.pass("@Alice", None);
    table.say("@user", "@Bob go on");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_stranger_has_no_news() {
    assert_eq!(table(&["@Alice", "@Bob"]).news("@Dave", 0), None);
}

/// `@Alice` and `@Bob` wait for `@Carol`.
fn held() -> Table {
    let mut declared = declared(&["@Alice", "@Bob", "@Carol"]);
    declared.policy.barrier = Barrier::All;
    let mut table = Table::open(declared).unwrap();
    table.join("@Alice");
    table.join("@Bob");
    table
}

#[test]
fn the_opening_ends_every_wait_once() {
    let mut table = held();
    table.join("@Carol");
    assert_eq!(table.news("@Alice", 2), Some(News::YourTurn(1)));
    assert_eq!(table.news("@Bob", 2), Some(News::Message));
    assert_eq!(table.news("@Bob", 3), None);
}

#[test]
fn a_person_that_opens_the_room_ends_every_wait_and_is_named() {
    let openings: [fn(&mut Table); 3] = [
        |table| table.start("@user"),
        |table| drop(table.pass("@user", Some("@Alice"))),
        |table| assert!(table.post(private("@user", "@Alice psst")).is_some()),
    ];
    for open in openings {
        let mut table = held();
        open(&mut table);
        assert_eq!(table.news("@Bob", 2), Some(News::Message));
        assert_eq!(table.news("@Bob", table.room.last_seq()), None);
        let by = table.log.iter().find_map(|event| match event {
            Event::StartedBy { by, .. } => Some(by.clone()),
            _ => None,
        });
        assert_eq!(by, Some(handle("@user")));
    }
}

#[test]
fn a_pause_ends_waits_also_when_it_is_over_by_now() {
    let rules = |rules: &mut Policy| (rules.max_agent_turns, rules.wake) = (1, Wake::Batched);
    let mut table = table_by(&["@Alice", "@Bob", "@Carol"], rules);
    let seq = table.say("@Alice", "@Bob");
    table.resume("@user");
    assert_eq!(table.news("@Carol", seq), Some(News::Message));
}

#[test]
fn a_last_word_without_a_name_ends_no_batched_wait() {
    let mut table = batched();
    let seq = table.post(last_word("@Alice", "thanks, I take it from here")).unwrap();
    assert_eq!(table.news("@Bob", seq - 1), Some(News::FloorFree(1)), "only the free floor is told");
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| rules.wake = Wake::Batched);
    let seq = table.post(last_word("@Alice", "thanks, I take it from here")).unwrap();
    assert_eq!((table.news("@Bob", seq - 1), table.turns().as_str()), (None, "@user"));
}
