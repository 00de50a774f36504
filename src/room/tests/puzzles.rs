//! Puzzles that live in a room: whoever has to act in one is called.

use crate::room::Handle;
use crate::room::command::{Command, PuzzleNews};
use crate::room::event::{Event, PuzzleState, PuzzleStep, PuzzleTold};
use crate::room::tests::table::{Table, handle, table};

fn place(state: &str) -> PuzzleState {
    PuzzleState { state: state.to_owned(), node: "s0".to_owned() }
}

fn moved(from: &str, to: &str) -> PuzzleStep {
    PuzzleStep::Moved {
        from: from.to_owned(),
        place: place(to),
        action: "go".to_owned(),
        by: Some(handle("@Alice")),
    }
}

fn asked(who: &[&str]) -> PuzzleStep {
    PuzzleStep::Asked {
        guard: "g1".to_owned(),
        question: "Is it\nwhole?".to_owned(),
        action: "go".to_owned(),
        by: Some(handle("@Alice")),
        asked: who.iter().map(|name| handle(name)).collect(),
    }
}

fn tell(table: &mut Table, version: u64, what: PuzzleStep, to: &[&str]) -> Vec<Event> {
    let to = to.iter().map(|name| handle(name)).collect();
    table.call("@user", Command::TellPuzzle(PuzzleNews { puzzle: "release".to_owned(), version, what, to }))
}

fn told(events: &[Event]) -> &PuzzleTold {
    let told = events.iter().find_map(|event| match event {
        Event::PuzzleTold(told) => Some(&**told),
        _ => None,
    });
    told.expect("the room was told")
}

#[test]
fn a_state_calls_those_whose_it_is_in_their_order_and_relieves_the_others() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@Dave"]);
    tell(&mut table, 1, PuzzleStep::Added { place: place("A"), drawing: None }, &["@Alice", "@Bob"]);
    assert_eq!(table.turns(), "@Alice < @Bob");
    let events = tell(&mut table, 2, moved("A", "B"), &["@Carol", "@Dave"]);
    assert_eq!(table.turns(), "@Carol < @Dave");
    assert_eq!(told(&events).relieved, [handle("@Alice"), handle("@Bob")]);
    // Whoever stays is called again when its state is entered anew.
    tell(&mut table, 3, moved("B", "B"), &["@Dave"]);
    assert_eq!(table.turns(), "@Dave");
}

#[test]
fn a_state_that_is_nobodys_leaves_the_floor_where_it_is() {
    let mut table = table(&["@Alice", "@Bob"]);
    tell(&mut table, 1, PuzzleStep::Added { place: place("A"), drawing: None }, &["@Bob"]);
    assert_eq!(table.turns(), "@Bob");
    tell(&mut table, 2, moved("A", "B"), &[]);
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_guard_calls_whom_it_asks_once_and_takes_no_turn_away() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, PuzzleStep::Added { place: place("A"), drawing: None }, &["@Alice"]);
    let events = tell(&mut table, 2, asked(&["@Bob"]), &["@Alice", "@Bob"]);
    assert_eq!(table.turns(), "@Alice < @Bob");
    assert!(matches!(&told(&events).what, PuzzleStep::Asked { question, .. } if question == "Is it whole?"));
    tell(&mut table, 3, asked(&["@Carol"]), &["@Alice", "@Bob", "@Carol"]);
    assert_eq!(table.turns(), "@Alice < @Carol < @Bob");
    // Who is asked no more is called no more.
    let refused = PuzzleStep::Refused {
        state: "A".to_owned(),
        action: "go".to_owned(),
        by: Some(handle("@Bob")),
        reason: "no".to_owned(),
    };
    tell(&mut table, 4, refused, &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn what_is_told_twice_or_late_changes_nothing() {
    let mut table = table(&["@Alice", "@Bob"]);
    tell(&mut table, 2, PuzzleStep::Added { place: place("A"), drawing: None }, &["@Bob"]);
    let before = table.room.last_seq();
    for version in [1, 2] {
        assert_eq!(tell(&mut table, version, moved("A", "B"), &["@Alice"]), []);
    }
    assert_eq!((table.room.last_seq(), table.turns()), (before, "@Bob".to_owned()));
}

#[test]
fn a_room_knows_where_its_puzzles_stand_until_they_are_removed() {
    let mut table = table(&["@Alice", "@user"]);
    let drawing = Some("stateDiagram-v2".to_owned());
    tell(&mut table, 1, PuzzleStep::Added { place: place("A"), drawing }, &[]);
    tell(&mut table, 2, moved("A", "B"), &[Handle::user().as_str()]);
    let why = table.room.why(&|_| true);
    assert!(!why.is_stuck && why.act.is_none(), "no word in the room would move it: {why:?}");
    let known: Vec<_> =
        table.room.puzzles().map(|(id, place, drawing)| (id, &*place.state, drawing)).collect();
    assert_eq!(known, [("release", "B", Some("stateDiagram-v2"))]);
    tell(&mut table, 3, PuzzleStep::Removed, &[]);
    assert_eq!(table.room.puzzles().count(), 0);
}
