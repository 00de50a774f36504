//! The seed's JSON: what is accepted, and what is told of what is not.

use serde_json::{Value, json};

use super::support::{act, document, puzzle, refused};
use crate::puzzle::{Add, Machine, Refusal, add};

/// The faults of a machine, as `path: problem`.
fn faults(config: Value) -> Vec<String> {
    match refused(config) {
        Refusal::Invalid(faults) | Refusal::LimitExceeded(faults) => {
            faults.iter().map(ToString::to_string).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn one_fault(config: Value) -> String {
    let mut faults = faults(config);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}

#[test]
fn every_fault_is_told_with_its_place() {
    let faults = faults(json!({ "initialState": "Z", "stats": 1, "states": {
        "A": { "name": "Alpha", "actions": {
            "x": { "name": "y" },
            "go": { "targetState": "GHOST" },
            "far": { "targetState": 7 },
            "": { "targetState": "A" },
        } },
        "B": { "action": {}, "who": "nobody", "final": "yes" },
        "C": [],
    } }));
    for place in [
        "`config.stats`: there is no such field; did you mean `states`?",
        "`config.states.A.name`: it is `Alpha`; leave it out, or write its key, `A`",
        "`config.states.A.actions.x.name`: it is `y`",
        "`config.states.A.actions.x.targetState`: it is missing; name one of `A`, `B`",
        "`config.states.A.actions.go.targetState`: there is no state `GHOST`; there are `A`, `B`",
        "`config.states.A.actions.far.targetState`: it is a number; it must be a text",
        "`config.states.A.actions.`: a name is blank",
        "`config.states.B.action`: there is no such field; did you mean `actions`?",
        "`config.states.B.who`: there is no role `nobody`",
        "`config.states.B.final`: it is a text; it must be true or false",
        "`config.states.C`: it is a list; it must be an object",
        "`config.initialState`: there is no state `Z`; there are `A`, `B`",
    ] {
        assert!(faults.iter().any(|fault| fault.starts_with(place)), "{place} is not among {faults:#?}");
    }
    assert_eq!(faults.len(), 12);
}

#[test]
fn what_is_no_machine_is_refused() {
    assert!(one_fault(json!(null)).starts_with("`config`: it is null"));
    assert!(one_fault(json!({ "initialState": "A" })).starts_with("`config.states`: it is missing"));
    assert!(
        one_fault(json!({ "initialState": "A", "states": [] })).starts_with("`config.states`: it is a list")
    );
    let missing = one_fault(json!({ "states": { "A": { "actions": {} } } }));
    assert!(missing.starts_with("`config.initialState`: it is missing"));
    assert!(
        faults(json!({ "initialState": "A", "states": {} }))[0].starts_with("`config.states`: it is empty")
    );
}

#[test]
fn names_may_stand_beside_their_keys_and_null_is_nothing() {
    let config = document(json!({ "name": "Document", "id": null, "states": {
        "DRAFT": { "name": "DRAFT", "exitGuard": null, "actions": { "SUBMIT": { "name": "SUBMIT" } } },
    } }));
    let puzzle = puzzle(config);
    assert_eq!((puzzle.snapshot().name.as_str(), puzzle.current()), ("Document", "DRAFT"));
}

#[test]
fn a_machine_may_come_as_text() {
    let mut puzzle = puzzle(json!(document(json!({})).to_string()));
    assert_eq!(puzzle.go(&act("SUBMIT", ""), 1), "REVIEW");
    assert!(one_fault(json!("{")).starts_with("`config`: it is a text"));
}

#[test]
fn what_nothing_leads_to_or_out_of_is_a_warning() {
    let config = document(json!({ "states": {
        "LOST": { "actions": { "stay": { "targetState": "LOST" } } },
        "END": { "final": true },
        "REVIEW": { "actions": { "STOP": { "targetState": "END" } } },
    } }));
    let (_, warnings) = Machine::parse(&config).unwrap();
    let told: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`config.states.LOST`: nothing leads to this state",
            "`config.states.LOST`: nothing leads out of this state; if it is the end, say `final`",
        ]
    );
}

#[test]
fn an_end_does_not_go_on() {
    let fault = one_fault(document(json!({ "states": { "DRAFT": { "final": true } } })));
    assert_eq!(fault, "`config.states.DRAFT`: a final state has no actions, no `always` and no `after`");
}

#[test]
fn a_guard_is_told_what_is_wrong_with_it() {
    let fault = |guard: Value| one_fault(document(json!({ "states": { "DRAFT": { "exitGuard": guard } } })));
    for (guard, told) in [
        (json!(7), "exitGuard`: it is a number; a guard is a question"),
        (json!(" "), "exitGuard`: it is blank"),
        (json!({}), "exitGuard`: it is no guard: it has none of `rule`"),
        (json!({ "paticipant": "@Bob" }), "did you mean `participant`?"),
        (json!({ "form": "a", "sampling": "b" }), "one has `form` and `sampling`"),
        (json!({ "participant": "@Bob" }), "exitGuard.question`: it is missing"),
        (json!({ "participant": "@B ob", "question": "?" }), "exitGuard.participant`: `@B ob` is no handle"),
        (json!({ "participant": "@Bob", "question": "?", "quorum": 2 }), "quorum`: it is 2; 1 are asked"),
        (json!({ "participant": "@Bob", "question": "?", "expiresMinutes": 0 }), "expiresMinutes`: it is 0"),
        (json!({ "ref": "tests" }), "`guards` has no `tests`"),
        (json!({ "rule": { "visited": "GHOST" } }), "rule.visited`: there is no state `GHOST`"),
        (json!({ "rule": { "all": [] } }), "rule.all`: the list is empty"),
        (json!({ "rule": { "actor": "@Bob", "not": {} } }), "a rule is of one kind; put `not` and `actor`"),
        (json!({ "rule": { "context": "x" } }), "rule`: it must have `is`, or `oneOf`"),
        (
            json!({ "rule": { "time": { "after": "noon" } } }),
            "time.after`: it is `\"noon\"`; it must be a time",
        ),
        (json!({ "rule": { "secondsInState": { "atLeast": -1 } } }), "it must be a whole number"),
        (json!({ "rule": { "done": "x", "atLeast": 2, "atMost": 1 } }), "`atLeast` is more than `atMost`"),
    ] {
        let fault = fault(guard);
        assert!(fault.contains(told), "{told} is not in {fault}");
    }
}

#[test]
fn who_is_asked_stands_only_where_nothing_else_is_chosen_from() {
    let participant = json!({ "participant": "@Bob", "question": "?" });
    let first = json!([{ "targetState": "REVIEW", "guard": participant }, { "targetState": "PUBLISHED" }]);
    let fault = one_fault(json!({ "initialState": "REVIEW", "states": {
        "REVIEW": { "actions": { "go": first } },
        "PUBLISHED": { "final": true },
    } }));
    assert!(fault.starts_with("`config.states.REVIEW.actions.go.0.guard`: only a `rule` can stand here"));
    let always = json!({ "targetState": "REVIEW", "guard": participant });
    let fault = one_fault(document(json!({ "states": { "DRAFT": { "always": always } } })));
    assert!(fault.contains("`always` asks nobody"), "{fault}");
}

#[test]
fn named_guards_are_shared_take_parameters_and_are_checked_though_unused() {
    let config = document(json!({
        "context": { "passed": 4 },
        "guards": { "tests": { "rule": { "context": "passed", "atLeast": { "param": "least" } } } },
        "states": { "DRAFT": { "actions": {
            "SUBMIT": { "guard": { "ref": "tests", "params": { "least": 4 } } },
            "SHIP": { "targetState": "PUBLISHED", "guard": { "ref": "tests", "params": { "least": 5 } } },
        } } },
    }));
    let mut guarded = puzzle(config);
    assert_eq!(guarded.refusal(&act("SHIP", ""), 1).code(), "guard_refused");
    assert_eq!(guarded.go(&act("SUBMIT", ""), 1), "REVIEW");
    let unused = one_fault(document(json!({ "guards": { "bad": { "rule": {} } } })));
    assert!(unused.starts_with("`config.guards.bad.rule`: it is no rule"), "{unused}");
    let circle = json!({ "guards": { "a": { "ref": "a" } } });
    assert!(one_fault(document(circle)).contains("a named guard may name no other one"));
    let unfilled = json!({ "guards": { "a": { "form": { "param": "x" } } },
        "states": { "DRAFT": { "exitGuard": { "ref": "a" } } } });
    assert!(faults(document(unfilled))[0].contains("it wants the parameter `x`"));
}

#[test]
fn a_puzzle_is_called_as_its_maker_or_its_machine_says() {
    let name = |name: Option<&str>, more: Value| {
        let (puzzle, name, config) = ("p1".to_owned(), name.map(str::to_owned), document(more));
        add(Add { puzzle, name, config, ..Add::default() }, super::support::at(0))
    };
    let told = |made: Result<(crate::puzzle::Event, _), Refusal>| match made.unwrap().0 {
        crate::puzzle::Event::PuzzleAdded(added) => added.about.name,
        other => panic!("{other:?}"),
    };
    assert_eq!(told(name(Some("Mine"), json!({ "name": "Its" }))), "Mine");
    assert_eq!(told(name(None, json!({ "name": "Its", "id": "its-id" }))), "Its");
    assert_eq!(told(name(None, json!({ "id": "its-id" }))), "its-id");
    assert_eq!(told(name(None, json!({}))), "p1");
    assert_eq!(name(Some("two\nlines"), json!({})).unwrap_err().code(), "validation_error");
}

#[test]
fn the_machine_of_the_guide_is_one() {
    let guide = include_str!("../../../docs/machines.md");
    let written = guide.split("```").nth(1).and_then(|block| block.strip_prefix("json")).unwrap();
    let (machine, warnings) = Machine::parse(&serde_json::from_str(written).unwrap()).unwrap();
    assert_eq!((machine.states().count(), warnings), (3, Vec::new()));
}
