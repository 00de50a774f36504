//! However a machine is made, a look at it and an act on it end soon.

use serde_json::{Map, Value, json};

use super::support::{act, at, document, handle, puzzle};
use crate::puzzle::{Doer, Puzzle};

/// X and Y lead to one another for ever, past candidates whose rule looks at much and does not hold; 50 actions of each of
/// eight states in states lead there.
fn maze() -> Value {
    let no = json!({ "rule": { "any": vec![json!({ "context": "n", "is": 1 }); 90] } });
    let mut always = vec![json!({ "target": "#X", "guard": "no" }); 40];
    always.push(json!({ "target": "#Y" }));
    let actions = |depth: usize| -> Map<String, Value> {
        (0..50).map(|number| (format!("a{depth}-{number}"), json!("#X"))).collect()
    };
    let deepest = json!({ "on": actions(8) });
    let deep = (1..8).rev().fold(
        deepest,
        |inner, depth| json!({ "on": actions(depth), "initial": "s", "states": { "s": inner } }),
    );
    json!({ "initial": "s", "guards": { "no": no }, "states": {
        "s": deep,
        "X": { "id": "X", "always": always },
        "Y": { "id": "Y", "always": "X" },
    } })
}

fn can(puzzle: &Puzzle) -> Vec<(String, bool)> {
    let ada = handle("@Ada");
    let all = puzzle.actions_for(Doer { handle: Some(&ada), is_person_verified: false }, at(1));
    all.into_iter().map(|(action, can)| (action, can.is_ok())).collect()
}

#[test]
fn an_act_that_would_look_at_too_much_is_refused_by_name_and_changes_nothing() {
    let puzzle = puzzle(maze());
    let refusal = puzzle.refusal(&act("a8-0", "@Ada"), 1);
    assert_eq!(refusal.code(), "too_much_to_look_at");
    assert!(refusal.to_string().contains("more than 100000 looks"), "{refusal}");
    assert_eq!((puzzle.current(), puzzle.version()), ("s.s.s.s.s.s.s.s", 1));
}

#[test]
fn a_short_look_takes_for_possible_what_costs_too_much_to_tell() {
    let all = can(&puzzle(maze()));
    assert_eq!(all.len(), 400);
    assert!(all.iter().all(|(_, can)| *can), "none was walked to its end");
}

#[test]
fn a_short_look_tells_what_is_cheap_to_tell_of_many_actions() {
    let one = |number: usize| {
        let allowed = if number.is_multiple_of(2) { "@Ada" } else { "@Bob" };
        (format!("a{number:02}"), json!({ "targetState": "DRAFT", "allowed": allowed }))
    };
    let actions = (0..50).map(one).collect::<Map<_, _>>();
    let puzzle = puzzle(json!({ "initialState": "DRAFT", "states": { "DRAFT": { "actions": actions } } }));
    let all = can(&puzzle);
    assert_eq!(all.len(), 50);
    assert!(all.iter().enumerate().all(|(number, (_, can))| *can == number.is_multiple_of(2)), "{all:?}");
}

#[test]
fn constants_that_are_copied_in_each_step_count_too() {
    let much = "x".repeat(60_000);
    let puzzle = puzzle(json!({ "initialState": "A", "states": {
        "A": { "actions": { "go": { "targetState": "B" } } },
        "B": { "always": { "targetState": "C", "set": { "much": much } } },
        "C": { "always": "B" },
    } }));
    assert_eq!(puzzle.refusal(&act("go", "@Ada"), 1).code(), "too_much_to_look_at");
}

#[test]
fn a_refusal_tells_the_beginning_of_a_long_rule() {
    let long = json!({ "rule": { "any": vec![json!({ "context": "n", "is": "x".repeat(1_000) }); 50] } });
    let submit = json!({ "states": { "DRAFT": { "actions": { "SUBMIT": { "guard": long } } } } });
    let told = puzzle(document(submit)).refusal(&act("SUBMIT", "@Ada"), 1).to_string();
    assert!(told.contains("it wants that (`n` of the context is \"xxx") && told.ends_with('…'), "{told}");
    assert!(told.chars().count() < 600, "{told}");
}

#[test]
fn very_many_deadlines_that_are_due_happen_in_parts() {
    let never = json!({ "targetState": "B", "guard": { "rule": { "context": "n", "is": 1 } } });
    let timers = (1..=40).map(|ms| (ms.to_string(), never.clone())).collect::<Map<_, _>>();
    let mut puzzle = puzzle(json!({ "initialState": "A", "states": {
        "A": { "after": timers, "actions": { "go": { "targetState": "B" } } },
        "B": { "final": true },
    } }));
    let parts: Vec<_> = std::iter::from_fn(|| Some(puzzle.wait(10).len()).filter(|many| *many > 0)).collect();
    assert_eq!(parts, [16, 16, 8]);
    assert_eq!(puzzle.due(), None);
}
