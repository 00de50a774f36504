//! What a room needs of people.

use crate::room::command::Command;
use crate::room::event::PauseReason;
use crate::room::tests::table::{Table, empty, handle, table, table_by};
use crate::room::{Needed, Phase, Refusal};

/// What is needed of whom.
fn needs(table: &Table) -> Vec<(String, Needed)> {
    table.room.needs().into_iter().map(|need| (need.to.to_string(), need.what)).collect()
}

fn user(what: Needed) -> Vec<(String, Needed)> {
    vec![("@user".to_owned(), what)]
}

#[test]
fn a_question_waits_for_the_person_it_was_put_to() {
    let mut table = table_by(&["@Alice", "@Bob"], |_| {});
    assert_eq!(needs(&table), []);
    let seq = table.say("@Alice", "@user which one?");
    assert_eq!(needs(&table), user(Needed::Answer { seq, asker: handle("@Alice") }));
    table.say("@user", "@Alice this one");
    assert_eq!(needs(&table), []);
}

#[test]
fn a_barrier_that_waits_long_asks_whether_to_start() {
    let mut table = empty(&["@Alice", "@Bob"]);
    table.join("@Alice");
    assert_eq!(needs(&table), []);
    table.after(300);
    assert_eq!(needs(&table), user(Needed::Start { missing: vec![handle("@Bob")] }));
    table.join("@Bob");
    assert_eq!(needs(&table), []);
}

#[test]
fn a_pause_of_the_loop_guard_waits_for_a_person_and_a_persons_own_does_not() {
    let mut table = table_by(&["@Alice", "@Bob"], |rules| rules.max_agent_turns = 1);
    let seq = table.say("@Alice", "@Bob") + 1;
    assert_eq!(needs(&table), user(Needed::Resume { seq, reason: PauseReason::ManyTurns(1) }));
    table.resume("@user");
    assert_eq!(needs(&table), []);
    table.command(Command::Pause(handle("@user"))).unwrap();
    assert_eq!((table.room.phase(), needs(&table)), (Phase::Paused, vec![]));
    assert_eq!(table.room.pause().unwrap().reason, PauseReason::Person(handle("@user")));
    table.say("@user", "@Bob go on");
    assert_eq!((table.room.phase(), table.room.pause()), (Phase::Open, None));
}

#[test]
fn who_is_called_for_long_and_does_not_come_is_a_persons_matter() {
    let mut table = table_by(&["@Alice", "@Bob"], |_| {});
    table.say("@Alice", "@Bob");
    table.after(900);
    table.after(4 * 900);
    assert_eq!(needs(&table), user(Needed::Delivery { handle: handle("@Bob") }));
}

#[test]
fn only_a_person_pauses_and_only_a_room_that_runs() {
    let mut waiting = empty(&["@Alice", "@Bob"]);
    assert_eq!(waiting.command(Command::Pause(handle("@user"))), Err(Refusal::NotOpen));
    let mut table = table(&["@Alice", "@Bob"]);
    let by_agent = table.command(Command::Pause(handle("@Alice")));
    assert_eq!(by_agent, Err(Refusal::OnlyPeople(handle("@Alice"))));
    table.command(Command::Pause(handle("@user"))).unwrap();
    assert_eq!(table.command(Command::Pause(handle("@user"))), Ok(vec![]));
}

#[test]
fn a_room_that_is_over_needs_nobody() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@user which one?");
    table.close("@user");
    assert_eq!(needs(&table), []);
}
