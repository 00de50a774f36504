//! Rules: what the hub looks at by itself.

use serde_json::{Value, json};

use super::support::{act, at, by_person, document, puzzle};
use crate::puzzle::Puzzle;

/// A puzzle whose SUBMIT has this rule.
fn ruled(rule: &Value, more: Value) -> Puzzle {
    let submit = json!({ "states": { "DRAFT": { "actions": { "SUBMIT": { "guard": { "rule": rule } } } } } });
    let mut config = document(submit);
    super::support::merge(&mut config, more);
    puzzle(config)
}

#[test]
fn a_rule_over_the_context_holds_or_says_what_it_wants() {
    let context = json!({ "context": { "tests": { "passed": 12 }, "mode": "fast", "null": null } });
    let holds = |rule: &Value| ruled(rule, context.clone()).act(&act("SUBMIT", ""), at(1)).is_ok();
    for rule in [
        json!({ "context": "tests.passed", "is": 12 }),
        json!({ "context": "tests.passed", "is": 12.0 }),
        json!({ "context": "tests.passed", "atLeast": 12, "atMost": 12 }),
        json!({ "context": "mode", "oneOf": ["slow", "fast"] }),
        json!({ "context": "nothing", "is": null }),
        json!({ "not": { "context": "mode", "is": "slow" } }),
        json!({ "any": [{ "context": "mode", "is": "slow" }, { "context": "mode", "is": "fast" }] }),
    ] {
        assert!(holds(&rule), "{rule}");
    }
    for rule in [
        json!({ "context": "tests.passed", "is": "12" }),
        json!({ "context": "tests.passed", "atLeast": 13 }),
        json!({ "context": "mode", "atLeast": 0 }),
        json!({ "context": "tests.failed", "atMost": 0 }),
        json!({ "all": [{ "context": "mode", "is": "fast" }, { "context": "mode", "is": "slow" }] }),
    ] {
        assert!(!holds(&rule), "{rule}");
    }
    let refusal =
        ruled(&json!({ "context": "tests.passed", "atLeast": 13 }), context).refusal(&act("SUBMIT", ""), 1);
    assert_eq!(
        refusal.to_string(),
        "the guard of `SUBMIT` in `DRAFT` has refused `SUBMIT`: it wants that `tests.passed` of the context is at least 13"
    );
}

#[test]
fn a_rule_that_refuses_leaves_no_event() {
    let puzzle = ruled(&json!({ "context": "x", "is": 1 }), json!({}));
    assert!(puzzle.act(&act("SUBMIT", ""), at(1)).is_err());
    assert_eq!(puzzle.version(), 1);
}

#[test]
fn a_rule_over_the_actor_knows_roles_and_takes_the_person_only_if_verified() {
    let puzzle = ruled(&json!({ "actor": ["team", "@user"] }), json!({ "roles": { "team": ["@Ada"] } }));
    assert!(puzzle.act(&act("SUBMIT", "@ada"), at(1)).is_ok());
    assert!(puzzle.act(&by_person("SUBMIT"), at(1)).is_ok());
    for stranger in ["@Bob", "@user", ""] {
        assert_eq!(puzzle.refusal(&act("SUBMIT", stranger), 1).code(), "guard_refused", "{stranger}");
    }
}

#[test]
fn rules_over_the_past_count_states_and_actions() {
    let reopen = json!({ "states": { "PUBLISHED": { "actions": { "REOPEN": { "guard": [
        { "rule": { "visited": "REVIEW", "atMost": 2 } },
        { "rule": { "done": "SUBMIT", "by": "@Ada" } },
        { "rule": { "done": "REOPEN", "by": ["@Bob"], "atMost": 0 } },
    ] } } } } });
    let mut puzzle = puzzle(document(reopen));
    puzzle.go(&act("SUBMIT", "@Ada"), 1);
    puzzle.go(&act("APPROVE", "@Bob"), 1);
    assert_eq!(puzzle.go(&act("REOPEN", "@Alice"), 1), "REVIEW");
    puzzle.go(&act("APPROVE", "@Bob"), 1);
    assert_eq!(puzzle.go(&act("REOPEN", "@Bob"), 1), "REVIEW");
    puzzle.go(&act("APPROVE", "@Bob"), 1);
    assert!(
        puzzle
            .refusal(&act("REOPEN", "@Alice"), 1)
            .to_string()
            .contains("`REVIEW` was entered at most 2 times")
    );
}

#[test]
fn rules_over_time_know_the_hour_and_how_long_a_state_lasts() {
    let lasting = ruled(&json!({ "secondsInState": { "atLeast": 60 } }), json!({}));
    assert!(lasting.act(&act("SUBMIT", ""), at(59)).is_err());
    assert!(lasting.act(&act("SUBMIT", ""), at(60)).is_ok());
    let hours = json!({ "after": "1970-01-01T00:01:00Z", "before": "1970-01-01T00:02:00+00:00" });
    let timed = ruled(&json!({ "time": hours }), json!({}));
    for (second, is_open) in [(59, false), (60, true), (119, true), (120, false)] {
        assert_eq!(timed.act(&act("SUBMIT", ""), at(second)).is_ok(), is_open, "{second}");
    }
    assert_eq!(timed.can("@Ada", 60), ["SUBMIT"]);
    assert!(timed.can("@Ada", 0).is_empty());
}

#[test]
fn candidates_are_taken_in_order_and_always_goes_on_by_itself() {
    let config = json!({ "initialState": "VOTE", "context": { "fast": false }, "states": {
        "VOTE": {
            "actions": {
                "vote": { "targetState": "VOTE" },
                "end": [
                    { "targetState": "LOST", "guard": { "rule": { "not": { "done": "vote" } } } },
                    { "targetState": "OPEN" },
                ],
            },
            "always": { "targetState": "WON", "guard": { "rule": { "done": "vote", "atLeast": 3 } }, "set": { "fast": true } },
        },
        "WON": { "always": [{ "targetState": "DONE", "guard": { "rule": { "context": "fast", "is": true } } }] },
        "OPEN": { "final": true }, "LOST": { "final": true }, "DONE": { "final": true },
    } });
    assert_eq!(puzzle(config.clone()).go(&act("end", ""), 1), "LOST");
    let mut voted = puzzle(config);
    assert_eq!(voted.go(&act("vote", "@Ada"), 1), "VOTE");
    assert_eq!(voted.clone().go(&act("end", ""), 1), "OPEN");
    assert_eq!(voted.go(&act("vote", "@Ada"), 1), "VOTE");
    assert_eq!(voted.go(&act("vote", "@Bob"), 1), "DONE", "the third vote goes through WON");
    assert!(voted.snapshot().is_final);
    assert_eq!(voted.refusal(&act("vote", ""), 1).code(), "unknown_action");
}

#[test]
fn a_circle_of_always_is_refused_and_nothing_changes() {
    let puzzle = puzzle(json!({ "initialState": "A", "states": {
        "A": { "actions": { "go": { "targetState": "B" } } },
        "B": { "always": "C" },
        "C": { "always": "B" },
    } }));
    let refusal = puzzle.refusal(&act("go", ""), 1);
    assert_eq!(refusal.code(), "too_many_steps");
    assert_eq!((puzzle.current(), puzzle.version()), ("A", 1));
}

#[test]
fn constants_of_a_transition_are_put_into_the_context() {
    let config = document(json!({ "states": {
        "DRAFT": { "actions": { "SUBMIT": { "set": { "by": "team" } } } },
        "REVIEW": { "actions": { "APPROVE": { "guard": { "rule": { "context": "by", "is": "team" } } } } },
    } }));
    let mut puzzle = puzzle(config);
    puzzle.go(&act("SUBMIT", ""), 1);
    assert_eq!(puzzle.go(&act("APPROVE", ""), 1), "PUBLISHED");
}
