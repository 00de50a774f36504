//! Tasks that live in a room: the floor follows them, and stays with what waits.

use crate::room::command::{Command, TaskMove};
use crate::room::event::Event;
use crate::room::policy::Barrier;
use crate::room::tests::table::{Table, empty_by, handle, last_word, table, table_by};
use crate::room::{Phase, WaitReason};

fn move_one(table: &mut Table, task: &str, version: u64, to: Option<&str>) -> Vec<Event> {
    let moved = TaskMove {
        task: task.to_owned(),
        version,
        content: "design".to_owned(),
        summary: "two\nlines".to_owned(),
        is_proposed: false,
        status: "implementing".to_owned(),
        to: to.map(handle),
    };
    table.call("@user", Command::MoveTask(moved))
}

fn move_to(table: &mut Table, version: u64, to: Option<&str>) -> Vec<Event> {
    move_one(table, "parser", version, to)
}

#[test]
fn the_floor_goes_to_whoever_has_to_act_and_from_who_had_it() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    assert_eq!(table.turns(), "@Alice");
    move_to(&mut table, 1, Some("@Bob"));
    assert_eq!(table.turns(), "@Bob");
    move_to(&mut table, 2, Some("@user"));
    assert_eq!(table.turns(), "@user");
    let why = table.room.why(&|_| true);
    assert!(!why.is_stuck && why.act.is_none(), "no word in the room would move it: {why:?}");
    move_to(&mut table, 3, None);
    assert!(table.room.why(&|_| true).act.is_some());
}

#[test]
fn a_move_that_is_told_twice_or_late_changes_nothing() {
    let mut table = table(&["@Alice", "@Bob"]);
    move_to(&mut table, 2, Some("@Bob"));
    let before = table.room.last_seq();
    for version in [1, 2] {
        assert_eq!(move_to(&mut table, version, Some("@Alice")), []);
    }
    assert_eq!((table.room.last_seq(), table.turns()), (before, "@Bob".to_owned()));
}

#[test]
fn who_has_not_come_has_no_turn_left_when_the_task_has_moved_on() {
    let mut table = empty_by(&["@Alice", "@Bob"], |policy| policy.barrier = Barrier::Count(0));
    table.join("@Alice");
    move_to(&mut table, 1, Some("@Bob"));
    move_to(&mut table, 2, Some("@user"));
    move_to(&mut table, 3, Some("@Alice"));
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn of_two_tasks_in_a_room_each_has_the_floor_as_long_as_it_waits() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    move_one(&mut table, "a", 0, Some("@Alice"));
    move_one(&mut table, "b", 0, Some("@Bob"));
    assert_eq!(table.turns(), "@Alice < @Bob", "Alice has to act still");
    move_one(&mut table, "b", 1, None);
    assert_eq!(table.turns(), "@Alice");
    move_one(&mut table, "c", 0, Some("@Carol"));
    move_one(&mut table, "a", 1, Some("@user"));
    assert_eq!(table.turns(), "@Carol", "a person finds it in the inbox");
    move_one(&mut table, "c", 1, None);
    table.pass("@Carol", None);
    assert_eq!(table.turns(), "@user");
}

#[test]
fn who_comes_back_gets_the_turn_that_waits_for_it() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    move_to(&mut table, 0, Some("@Alice"));
    table.leave("@Bob");
    move_to(&mut table, 1, Some("@Bob"));
    assert_eq!(table.turns(), "@user", "Alice has acted");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Bob");
    table.say("@Bob", "@Carol which syntax?");
    table.leave("@Bob");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
}

#[test]
fn talk_gives_the_floor_back_to_whoever_has_to_act() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    move_to(&mut table, 0, Some("@Bob"));
    table.say("@Bob", "@Carol which syntax?");
    assert_eq!(table.turns(), "@Carol");
    table.post(last_word("@Carol", "the old one"));
    assert_eq!(table.turns(), "@Bob");
    table.post(last_word("@Bob", "I go on"));
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn who_was_called_first_comes_first() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    move_one(&mut table, "z", 0, Some("@Bob"));
    move_one(&mut table, "a", 0, Some("@Carol"));
    // A note in between changes nothing.
    move_one(&mut table, "z", 1, Some("@Bob"));
    table.say("@Bob", "@Carol @Alice look");
    for sender in ["@Carol", "@Alice"] {
        table.post(last_word(sender, "done"));
    }
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn who_passes_its_turn_on_is_called_again_only_by_somebody() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    move_to(&mut table, 0, Some("@Bob"));
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@user");
    for name in ["@Alice", "@Bob"] {
        table.waits(name);
    }
    assert_eq!(table.turns(), "@user", "no circle of waiting and passing");
    let why = table.room.why(&|name| table.waits_now(name));
    let work = why.waits.iter().find(|wait| wait.reason == WaitReason::Work).unwrap();
    assert_eq!((&work.who, &work.on), (&handle("@Alice"), &handle("@Bob")));
    assert!(why.is_stuck);
    let act = why.act.unwrap().command_line("tea");
    assert_eq!(act, "turnroom say tea '@Bob please go on'");
    table.say("@user", "@Bob please go on");
    table.post(last_word("@Bob", "yes"));
    assert_eq!(table.turns(), "@Bob");
    table.pass("@user", None);
    assert_eq!(table.turns(), "@user", "a person passes it on, too");
    move_to(&mut table, 1, Some("@Bob"));
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn nobody_is_stuck_while_a_task_waits_for_an_agent_at_work_elsewhere() {
    let mut table = empty_by(&["@Alice", "@Bob", "@user"], |policy| policy.barrier = Barrier::Count(0));
    table.join("@Alice");
    move_to(&mut table, 0, Some("@Bob"));
    table.waits("@Alice");
    let why = table.room.why(&|name| table.waits_now(name));
    assert_eq!(why.waits.iter().map(|wait| wait.reason).collect::<Vec<_>>(), [WaitReason::Work]);
    assert!(!why.is_stuck, "{why:?}");
}

#[test]
fn a_person_who_says_nothing_holds_up_no_task_but_one_whose_agent_asks() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    move_to(&mut table, 0, Some("@Bob"));
    table.say("@Bob", "@user which syntax?");
    table.after(600);
    assert_eq!(table.turns(), "@user");
    table.say("@user", "@Bob the old one");
    table.say("@Bob", "@Alice look");
    table.say("@Alice", "@user what do you think?");
    assert_eq!(table.turns(), "@user");
    table.after(60);
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn agents_that_only_talk_are_paused_also_when_a_task_waits() {
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |policy| policy.max_agent_turns = 3);
    move_to(&mut table, 0, Some("@Bob"));
    for _ in 0..3 {
        assert_eq!(table.turns(), "@Bob");
        table.post(last_word("@Bob", "I go on"));
    }
    assert_eq!(table.room.phase(), Phase::Paused);
}

#[test]
fn a_mention_is_answered_whatever_a_task_does_in_between() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.say("@user", "@Bob look at this");
    table.say("@Alice", "@Carol and you at that");
    assert_eq!(table.turns(), "@Bob < @Carol");
    move_to(&mut table, 0, Some("@Alice"));
    assert_eq!(table.turns(), "@Alice < @Carol < @Bob", "its turn is over, and its answer is not given");
    move_to(&mut table, 1, Some("@Carol"));
    move_to(&mut table, 2, Some("@Alice"));
    assert_eq!(table.turns(), "@Alice < @Bob");
}
