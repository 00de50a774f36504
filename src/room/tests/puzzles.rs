//! Puzzles that live in a room: whoever has to act in one is called.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::room::command::{Command, PuzzleNews};
use crate::room::event::{Event, PuzzleQuestion, PuzzleState, PuzzleStep, PuzzleTold};
use crate::room::tests::table::{Table, empty_by, handle, table};
use crate::room::{Barrier, Handle, News, Room};

fn place(state: &str) -> PuzzleState {
    PuzzleState { state: state.to_owned(), node: "s0".to_owned(), is_final: false }
}

pub(super) fn moved(from: &str, to: &str) -> PuzzleStep {
    PuzzleStep::Moved {
        from: from.to_owned(),
        place: place(to),
        action: "go".to_owned(),
        by: Some(handle("@Alice")),
    }
}

pub(super) fn asked(who: &[&str]) -> PuzzleStep {
    PuzzleStep::Asked {
        guard: "g1".to_owned(),
        question: "Is it\nwhole?".to_owned(),
        action: "go".to_owned(),
        by: Some(handle("@Alice")),
        asked: who.iter().map(|name| handle(name)).collect(),
    }
}

/// The action of `@Alice` waits for these.
pub(super) fn waits_for(asks: &[&str]) -> Vec<PuzzleQuestion> {
    vec![question("@Alice", asks)]
}

/// What somebody does waits for all of these.
pub(super) fn question(by: &str, asks: &[&str]) -> PuzzleQuestion {
    let needed = asks.len();
    PuzzleQuestion { by: Some(handle(by)), asks: handles(asks), needed, action: "go".to_owned() }
}

pub(super) fn handles(names: &[&str]) -> Vec<Handle> {
    names.iter().map(|name| handle(name)).collect()
}

pub(super) fn answered(by: &str, again: Option<&str>) -> PuzzleStep {
    PuzzleStep::Answered {
        guard: "g1".to_owned(),
        action: "go".to_owned(),
        by: Some(handle(by)),
        pass: true,
        again: again.map(handle),
    }
}

pub(super) fn refused(by: &str) -> PuzzleStep {
    PuzzleStep::Refused {
        state: "A".to_owned(),
        action: "go".to_owned(),
        by: Some(handle(by)),
        actor: Some(handle("@Alice")),
        reason: "no".to_owned(),
    }
}

pub(super) fn added() -> PuzzleStep {
    PuzzleStep::Added { place: place("A"), drawing: None }
}

pub(super) fn tell(table: &mut Table, version: u64, what: PuzzleStep, to: &[&str]) -> Vec<Event> {
    tell_all(table, vec![(version, what)], to, Vec::new())
}

fn tell_all(
    table: &mut Table,
    steps: Vec<(u64, PuzzleStep)>,
    to: &[&str],
    questions: Vec<PuzzleQuestion>,
) -> Vec<Event> {
    let (puzzle, to) = ("release".to_owned(), handles(to));
    table.call("@user", Command::TellPuzzle(PuzzleNews { puzzle, steps, to, questions, is_timed: false }))
}

pub(super) fn told(events: &[Event]) -> &PuzzleTold {
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
fn whoever_acts_leaves_its_turn_to_whom_a_guard_asks_until_the_question_is_over() {
    for (over, to, turns) in [
        (vec![(3, answered("@Bob", None)), (4, moved("A", "B"))], vec!["@Carol"], "@Carol"),
        (vec![(3, answered("@Bob", None)), (4, moved("A", "B"))], vec![], "@Alice"),
        (vec![(3, refused("@Bob"))], vec!["@Alice"], "@Alice"),
        // What is left can be asked at the client of the actor only: it has to act once more.
        (vec![(3, answered("@Bob", Some("@Alice")))], vec!["@Alice"], "@Alice"),
        (vec![(3, PuzzleStep::Removed)], vec![], "@Alice"),
    ] {
        let mut table = table(&["@Alice", "@Bob", "@Carol"]);
        tell(&mut table, 1, added(), &["@Alice"]);
        tell_all(&mut table, vec![(2, asked(&["@Bob"]))], &["@Alice", "@Bob"], waits_for(&["@Bob"]));
        assert_eq!(table.turns(), "@Bob", "{over:?}");
        tell_all(&mut table, over.clone(), &to, Vec::new());
        assert_eq!(table.turns(), turns, "{over:?}");
    }
}

#[test]
fn the_next_of_a_quorum_has_the_floor_when_one_has_answered() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    let both = ["@Bob", "@Carol"];
    tell_all(&mut table, vec![(2, asked(&both))], &["@Alice", "@Bob", "@Carol"], waits_for(&both));
    assert_eq!(table.turns(), "@Bob < @Carol");
    let events = tell_all(
        &mut table,
        vec![(3, answered("@Bob", None))],
        &["@Alice", "@Carol"],
        waits_for(&["@Carol"]),
    );
    assert_eq!((table.turns(), &told(&events).relieved), ("@Carol".to_owned(), &handles(&["@Bob"])));
    tell(&mut table, 4, refused("@Carol"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn whoever_is_asked_while_another_is_at_work_comes_next_and_is_woken_all_the_same() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &["@Carol"]);
    let before = table.room.last_seq();
    assert_eq!((table.turns(), table.news("@Bob", before)), ("@Carol".to_owned(), None));
    tell_all(&mut table, vec![(2, asked(&["@Bob"]))], &["@Carol", "@Bob"], waits_for(&["@Bob"]));
    assert_eq!(
        (table.turns(), table.news("@Bob", before)),
        ("@Carol < @Bob".to_owned(), Some(News::Message))
    );
    assert_eq!(table.news("@Bob", table.room.last_seq()), None, "it has been told");
    assert_eq!(table.news("@Alice", before), None, "nobody else is wanted");
}

#[test]
fn whoever_gets_the_floor_and_waits_for_one_in_the_queue_leaves_it_at_once() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &[]);
    tell_all(&mut table, vec![(2, asked(&["@Alice"]))], &["@Alice"], vec![question("@Carol", &["@Alice"])]);
    table.say("@Alice", "@Bob what do you think?");
    table.say("@Bob", "@Carol and @Alice, what do you?");
    assert_eq!(table.turns(), "@Alice < @Carol");
}

#[test]
fn whoever_is_asked_and_comes_later_has_the_floor_as_long_as_the_action_waits() {
    let mut table = empty_by(&["@Alice", "@Bob"], |rules| rules.barrier = Barrier::Count(1));
    table.join("@Alice");
    tell(&mut table, 1, added(), &["@Alice"]);
    tell_all(&mut table, vec![(2, asked(&["@Bob"]))], &["@Alice", "@Bob"], waits_for(&["@Bob"]));
    assert_eq!(table.turns(), "@Alice < @Bob", "nobody else is here");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_turn_that_was_there_before_a_question_is_there_after_it() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@Bob what do you think?");
    assert_eq!(table.turns(), "@Bob");
    tell(&mut table, 1, added(), &[]);
    tell_all(&mut table, vec![(2, asked(&["@Bob"]))], &["@Bob"], waits_for(&["@Bob"]));
    tell(&mut table, 3, refused("@Bob"), &[]);
    assert_eq!(table.turns(), "@Bob", "it has not answered @Alice");
}

#[test]
fn words_to_whoever_waits_for_an_answer_are_answered_later() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &[]);
    table.say("@Alice", "@Carol and you?");
    table.say("@Carol", "@Alice well?");
    assert_eq!(table.turns(), "@Alice");
    tell_all(&mut table, vec![(2, asked(&["@Bob"]))], &["@Bob"], waits_for(&["@Bob"]));
    assert_eq!(table.turns(), "@Bob < @Alice");
    tell_all(&mut table, vec![(3, answered("@Bob", None)), (4, moved("A", "B"))], &[], Vec::new());
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_question_calls_only_whom_it_asks() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    let events = tell(&mut table, 2, asked(&["@Bob"]), &["@Alice", "@Bob"]);
    assert_eq!(table.turns(), "@Alice < @Bob", "no action of @Alice waits");
    assert!(matches!(&told(&events).what, PuzzleStep::Asked { question, .. } if question == "Is it whole?"));
    tell(&mut table, 3, asked(&["@Carol"]), &["@Alice", "@Bob", "@Carol"]);
    assert_eq!(table.turns(), "@Alice < @Carol < @Bob");
    // Who is asked no more is called no more.
    tell(&mut table, 4, refused("@Bob"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_state_that_is_left_at_once_calls_nobody() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    let events =
        tell_all(&mut table, vec![(2, moved("A", "B")), (3, moved("B", "C"))], &["@Bob"], Vec::new());
    assert_eq!(table.turns(), "@Bob");
    let queued = events.iter().filter(|event| matches!(event, Event::Queued { .. })).count();
    assert_eq!(queued, 1);
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

const ALL: [&str; 4] = ["@Alice", "@Bob", "@Carol", "@Dave"];

proptest! {
    /// Whatever happens: who waits for an answer never keeps the floor from one who is here and comes next for it, and
    /// the room is the fold of its events.
    #[test]
    fn whoever_waits_for_an_answer_keeps_the_floor_from_nobody(
        steps in vec((0..6_u8, 0..4_usize, 0..4_usize), 1..40),
    ) {
        let mut table = table(&ALL);
        tell(&mut table, 1, added(), &["@Alice"]);
        let mut asked_now: Option<(&str, &str)> = None;
        for (version, (kind, one, other)) in (1..).map(|step| 2 * step).zip(steps) {
            let (one, other) = (ALL[one], ALL[other]);
            match (kind, asked_now) {
                (0, _) if one != other => {
                    asked_now = Some((one, other));
                    let what = PuzzleStep::Asked {
                        guard: "g1".to_owned(),
                        question: "Whole?".to_owned(),
                        action: "go".to_owned(),
                        by: Some(handle(one)),
                        asked: handles(&[other]),
                    };
                    let questions = vec![question(one, &[other])];
                    tell_all(&mut table, vec![(version, what)], &["@Alice", other], questions);
                }
                (1, Some((_, by))) => {
                    asked_now = None;
                    tell(&mut table, version, refused(by), &["@Alice"]);
                }
                (2, Some((by, _))) => {
                    asked_now = None;
                    let steps = vec![(version, answered(by, None)), (version + 1, moved("A", "B"))];
                    tell_all(&mut table, steps, &["@Alice"], Vec::new());
                }
                (3, _) if one != other => drop(table.takes(one, &format!("{other} well?"))),
                (4, _) => drop(table.pass(one, None)),
                _ => table.waits(one),
            }
            let turns = table.turns();
            let (holder, queue) = turns.split_once(" < ").unwrap_or((&turns, ""));
            if let Some((by, asked)) = asked_now {
                prop_assert!(holder != by || !queue.split(" < ").any(|next| next == asked), "{turns}");
            }
            let mut again = Room::default();
            table.log.iter().for_each(|event| again.apply(event, table.now.mono));
            prop_assert_eq!(again.queue(), table.room.queue());
            prop_assert_eq!(again.active_turn(), table.room.active_turn());
        }
    }
}
