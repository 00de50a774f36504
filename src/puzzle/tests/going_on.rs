//! What goes on without its actor: programs after an answer, and before a timer.

use serde_json::{Value, json};

use super::support::{act, answer, at, document, handle, puzzle, verdict};
use crate::puzzle::{Act, Event, Next, Programs, Puzzle, Refusal, Step};

/// Asks these before it is submitted.
fn guarded(guards: &Value) -> Puzzle {
    puzzle(document(json!({ "states": { "DRAFT": { "actions": { "SUBMIT": { "guard": guards } } } } })))
}

/// Goes on as far as it does, with this verdict of each program; says what has happened.
fn goes_on(puzzle: &mut Puzzle, pass: bool, seconds: i64) -> Vec<&'static str> {
    let mut programs = Programs { names: vec!["lint".to_owned()], verdicts: Vec::new() };
    let mut kinds = Vec::new();
    while let Some(next) = puzzle.go_on(&programs, at(seconds)) {
        match next {
            Next::Happens(event) => {
                kinds.push(event.kind());
                puzzle.apply(&event);
            }
            Next::Ask(demand) => programs.verdicts.push(verdict(&demand, pass)),
        }
    }
    kinds
}

#[test]
fn programs_after_an_answer_need_no_actor() {
    for (guard, pass, happens, state) in [
        (json!({ "command": "lint" }), true, vec!["puzzle_moved"], "REVIEW"),
        (json!({ "command": "lint" }), false, vec!["action_refused"], "DRAFT"),
        (json!({ "command": "none" }), true, vec!["action_refused"], "DRAFT"),
        (json!({ "form": "Sure?" }), true, vec![], "DRAFT"),
    ] {
        let mut puzzle = guarded(&json!([{ "participant": "@Bob", "question": "Whole?" }, guard]));
        // The hub's settings may be others later.
        let mut go = act("SUBMIT", "@Ada");
        go.may.commands.push("none".to_owned());
        let asked = puzzle.ask(&go, 1);
        assert_eq!(puzzle.hear(&answer(&asked, "@Bob", true), 2), ["verdict_given"], "{guard}");
        assert_eq!(goes_on(&mut puzzle, pass, 3), happens, "{guard}");
        assert_eq!(puzzle.current(), state, "{guard}");
    }
}

#[test]
fn what_programs_have_said_is_kept_until_the_actor_has_asked_the_rest() {
    let mut puzzle = guarded(
        &json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": "lint" }, { "form": "Sure?" }]),
    );
    let asked = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    puzzle.hear(&answer(&asked, "@Bob", true), 2);
    let programs = ["lint".to_owned()];
    assert_eq!(puzzle.awaited(&programs, at(2)), [], "the program comes first");
    // The hub asks programs, whoever acts meanwhile.
    assert!(matches!(puzzle.act(&act("SUBMIT", "@Ada"), at(2)), Ok(Step::Pending { .. })));
    assert_eq!(goes_on(&mut puzzle, true, 3), ["guards_passed"]);
    assert_eq!(puzzle.awaited(&programs, at(3)), [handle("@Ada")]);
    let Ok(Step::Ask(demand)) = puzzle.act(&act("SUBMIT", "@Ada"), at(4)) else {
        panic!("only the form is left")
    };
    let again = Act { verdicts: vec![verdict(&demand, true)], ..act("SUBMIT", "@Ada") };
    let Ok(Step::Done(events)) = puzzle.act(&again, at(5)) else { panic!("all have agreed") };
    let [Event::PuzzleMoved(moved)] = &*events else { panic!("{events:?}") };
    assert_eq!(moved.verdicts.len(), 3);
}

#[test]
fn a_timer_waits_for_its_program_and_is_spent_by_what_that_says() {
    for (guard, pass, happens) in [
        (json!({ "command": "lint" }), true, vec!["puzzle_moved"]),
        (json!({ "command": "lint" }), false, vec!["action_refused"]),
        (json!({ "command": "none" }), true, vec!["action_refused"]),
        (
            json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": "lint" }]),
            true,
            vec!["guard_asked"],
        ),
    ] {
        let after = json!({ "60000": { "targetState": "PUBLISHED", "guard": guard } });
        let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "after": after } } })));
        assert_eq!(goes_on(&mut puzzle, pass, 59), [] as [&str; 0], "{guard}");
        let first = puzzle.wait(60);
        let all = [first, goes_on(&mut puzzle, pass, 61)].concat();
        assert_eq!(all, happens, "{guard}");
        assert_eq!(puzzle.due(), None, "{guard}: it is not tried again");
        if let Some(asked) = puzzle.pendings().first().cloned() {
            assert_eq!(puzzle.hear(&answer(&asked, "@Bob", true), 62), ["verdict_given"]);
            assert_eq!(goes_on(&mut puzzle, pass, 63), ["puzzle_moved"]);
        }
    }
}

#[test]
fn the_versions_of_its_own_question_are_no_news_to_an_actor() {
    let mut puzzle = guarded(&json!([{ "participant": "@Bob", "question": "Whole?" }, { "form": "Sure?" }]));
    let mut wanted = Act { expected_version: Some(1), ..act("SUBMIT", "@Ada") };
    let asked = puzzle.ask(&wanted, 1);
    puzzle.hear(&answer(&asked, "@Bob", true), 2);
    assert!(matches!(puzzle.act(&wanted, at(3)), Ok(Step::Ask(_))));
    wanted.actor = Some(handle("@Carol"));
    assert!(matches!(
        puzzle.act(&wanted, at(3)),
        Err(Refusal::VersionConflict { expected: 1, version: 3, .. })
    ));
}
