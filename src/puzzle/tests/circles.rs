//! Machines that go round without anybody, and guards that nobody can answer: what is told of them when they are added.

use serde_json::{Value, json};

use super::support::{act, puzzle, refused};
use crate::puzzle::Machine;

fn warnings(states: &Value) -> Vec<String> {
    let (_, warnings) = Machine::parse(&json!({ "initialState": "A", "states": states })).unwrap();
    warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_circle_of_timers_is_a_warning() {
    let told = warnings(&json!({
        "A": { "actions": { "go": { "targetState": "B" } } },
        "B": { "always": "C" },
        "C": { "after": { "1000": "D" } },
        "D": { "after": { "2000": "B", "3000": "A" } },
    }));
    assert_eq!(
        told,
        [
            "`config.states.C.after`: nobody acts in the circle of `B`, `C`, `D`: it goes round for ever, unless somebody \
          acts or a rule ends it"
        ]
    );
}

#[test]
fn a_timer_after_which_somebody_has_to_act_is_none() {
    let none = warnings(&json!({
        "A": { "after": { "1": "B" } },
        "B": { "actions": { "go": { "targetState": "A" }, "end": { "targetState": "C" } } },
        "C": { "final": true },
    }));
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn a_timer_of_a_circle_has_a_least_time() {
    let blink = |on: &str, off: &str| {
        json!({ "initialState": "A", "states": {
        "A": { "after": { (on): "B" } },
        "B": { "after": { (off): { "targetState": "A" } } },
    } })
    };
    let refusal = refused(blink("1", "1000"));
    assert_eq!(refusal.code(), "limit_exceeded");
    assert_eq!(
        refusal.to_string(),
        "`config.states.A.after.1`: it leads round in a circle in which nobody acts, so it must run for at least 1000 \
         milliseconds"
    );
    assert!(refused(blink("1", "999")).to_string().contains("config.states.B.after.999"));
    assert!(Machine::parse(&blink("1000", "1000")).is_ok());
    let itself = json!({ "initialState": "A", "states": { "A": { "after": { "10": "A" } } } });
    assert!(refused(itself).to_string().contains("config.states.A.after.10"));
}

#[test]
fn a_timer_of_an_outer_state_that_is_not_left_runs_out_once() {
    let machine = |reenter: bool| {
        json!({ "initial": "P", "states": { "P": {
        "initial": "a",
        "after": { "500": { "target": ".b", "reenter": reenter } },
        "states": { "a": {}, "b": { "on": { "back": "a" } } },
    } } })
    };
    assert!(Machine::parse(&machine(false)).is_ok());
    assert!(refused(machine(true)).to_string().contains("config.states.P.after.500"));
}

#[test]
fn a_way_back_by_history_may_close_a_circle() {
    let machine = json!({ "initial": "P", "states": {
        "P": { "initial": "a", "states": {
            "a": { "after": { "300": "#out" } },
            "h": { "type": "history" },
        } },
        "out": { "id": "out", "always": "P.h" },
    } });
    assert!(refused(machine).to_string().contains("config.states.P.states.a.after.300"));
}

#[test]
fn a_circle_of_always_is_a_warning() {
    let circle = json!({
        "A": { "actions": { "go": { "targetState": "B" } } },
        "B": { "always": "C" },
        "C": { "always": "B" },
    });
    assert_eq!(
        warnings(&circle)[0],
        "`config.states.B.always`: nobody acts in the circle of `B`, `C`: an action that gets there is refused, unless a \
         rule ends it"
    );
    let outer = json!({ "initial": "a", "on": { "go": ".b" }, "always": { "target": ".b", "guard": "ready" },
        "guards": { "ready": { "rule": { "visited": "b" } } },
        "states": { "a": {}, "b": {} } });
    let (_, told) = Machine::parse(&outer).unwrap();
    assert!(told[1].to_string().starts_with("`config.always`: nobody acts in the circle"), "{told:?}");
    assert_eq!(puzzle(outer).refusal(&act("go", "@Ada"), 1).code(), "too_many_steps");
}

#[test]
fn guards_that_nobody_can_answer_are_warnings() {
    let asks = json!("Is it done?");
    let machine = json!({ "initialState": "A", "policy": { "questionBy": "participant" }, "states": {
        "A": { "exitGuard": asks, "actions": { "go": { "targetState": "B", "guard": asks } } },
        "B": { "final": true },
    } });
    let (_, told) = Machine::parse(&machine).unwrap();
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    let nobody = "`policy` names no `reviewer`, and `questionBy` nobody else";
    assert_eq!(
        told,
        [
            format!("`config.states.A`: nobody can answer `exitGuard`: {nobody}"),
            format!("`config.states.A`: nobody can answer the guard of `go`: {nobody}"),
        ]
    );
}

#[test]
fn a_timer_that_never_passes_the_guard_of_a_state_is_a_warning() {
    let timed = |exit: Value, enter: Value| {
        warnings(&json!({
            "A": { "exitGuard": exit, "after": { "5000": "B" }, "actions": { "go": { "targetState": "B" } } },
            "B": { "enterGuard": enter, "final": true },
        }))
    };
    let client = "a timer has no client that could be asked; ask a `participant`, or name a `command`";
    assert_eq!(
        timed(json!({ "form": "Sure?" }), Value::Null),
        [format!("`config.states.A`: `after` 5000 never passes the exitGuard of `A`: {client}")]
    );
    assert_eq!(
        timed(Value::Null, json!("Sure?")),
        [format!("`config.states.A`: `after` 5000 never passes the enterGuard of `B`: {client}")]
    );
    assert!(
        timed(json!({ "command": "lint" }), json!({ "participant": "@Bob", "question": "?" })).is_empty()
    );
}
