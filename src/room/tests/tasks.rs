//! Tasks that live in a room: the floor follows them.

use crate::room::command::{Command, TaskMove};
use crate::room::event::Event;
use crate::room::policy::Barrier;
use crate::room::tests::table::{Table, empty_by, handle, table};

fn move_to(table: &mut Table, version: u64, to: Option<&str>) -> Vec<Event> {
    let moved = TaskMove {
        task: "parser".to_owned(),
        version,
        content: "design".to_owned(),
        summary: "two\nlines".to_owned(),
        status: "implementing".to_owned(),
        to: to.map(handle),
    };
    table.call("@user", Command::MoveTask(moved))
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
