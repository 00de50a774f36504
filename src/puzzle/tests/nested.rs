//! States in states: what is left, what is entered, and the way back.

use serde_json::{Value, json};

use super::support::{act, at, puzzle};
use crate::puzzle::{Event, Puzzle, Step};

/// Work has two phases, and can be paused from outside.
fn work() -> Value {
    json!({
        "initial": "work",
        "states": {
            "work": {
                "initial": "plan",
                "on": { "pause": "paused", "restart": { "target": "work", "reenter": true }, "note": {} },
                "after": { "60000": "late" },
                "states": {
                    "plan": { "on": { "next": "build" } },
                    "build": {
                        "initial": "write",
                        "states": { "write": { "on": { "next": "test" } }, "test": {} },
                    },
                    "last": { "type": "history" },
                    "deepest": { "type": "history", "history": "deep", "target": "build" },
                },
            },
            "paused": { "on": { "resume": "work.last", "resumeDeep": "work.deepest" } },
            "late": { "type": "final" },
        },
    })
}

fn walked(actions: &[&str]) -> Puzzle {
    let mut puzzle = puzzle(work());
    for action in actions {
        puzzle.go(&act(action, ""), 1);
    }
    puzzle
}

#[test]
fn states_are_shown_by_their_dotted_paths_and_outer_actions_count_too() {
    let puzzle = puzzle(work());
    assert_eq!(puzzle.current(), "work.plan");
    assert_eq!(puzzle.snapshot().available_actions, ["next", "note", "pause", "restart"]);
    assert_eq!(walked(&["next", "next"]).current(), "work.build.test");
}

#[test]
fn history_leads_back_to_where_the_state_was_left() {
    assert_eq!(walked(&["next", "next", "pause", "resume"]).current(), "work.build.write");
    assert_eq!(walked(&["next", "next", "pause", "resumeDeep"]).current(), "work.build.test");
    assert_eq!(walked(&["pause", "resumeDeep"]).current(), "work.plan");
}

#[test]
fn history_that_was_never_made_leads_to_its_target_or_the_beginning() {
    let mut config = work();
    config["initial"] = json!("paused");
    assert_eq!(puzzle(config.clone()).go(&act("resume", ""), 1), "work.plan");
    assert_eq!(puzzle(config).go(&act("resumeDeep", ""), 1), "work.build.write");
}

#[test]
fn the_timer_of_an_outer_state_runs_on_while_inner_ones_change() {
    let mut puzzle = puzzle(work());
    puzzle.go(&act("next", ""), 30);
    assert_eq!(puzzle.due(), Some(at(60)));
    puzzle.go(&act("note", ""), 31);
    assert_eq!((puzzle.current(), puzzle.due()), ("work.build.write", Some(at(60))), "a note leaves nothing");
    puzzle.go(&act("restart", ""), 40);
    assert_eq!((puzzle.current(), puzzle.due()), ("work.plan", Some(at(100))));
    puzzle.wait(100);
    assert_eq!((puzzle.current(), puzzle.snapshot().is_final), ("late", true));
}

#[test]
fn exit_guards_are_asked_from_within_and_enter_guards_from_without() {
    let guard = |name: &str| json!({ "rule": { "not": { "context": name, "is": true } } });
    let config = |broken: &str| {
        json!({
            "initial": "a",
            "context": { (broken): true },
            "states": {
                "a": {
                    "initial": "b",
                    "meta": { "turnroom": { "exitGuard": guard("exit a") } },
                    "states": { "b": { "on": { "go": "#d" }, "exitGuard": guard("exit b"), "enterGuard": guard("x") } },
                },
                "c": {
                    "initial": "d",
                    "enterGuard": guard("enter c"),
                    "exitGuard": guard("x"),
                    "states": { "d": { "id": "d", "enterGuard": guard("enter d") } },
                },
            },
        })
    };
    for (name, told) in [
        ("exit b", "the exitGuard of `a.b`"),
        ("exit a", "the exitGuard of `a`"),
        ("enter c", "the enterGuard of `c`"),
        ("enter d", "the enterGuard of `c.d`"),
    ] {
        let refusal = puzzle(config(name)).refusal(&act("go", ""), 1).to_string();
        assert!(refusal.starts_with(told), "{refusal}");
    }
    let mut all = config("exit b");
    all["context"] = json!({ "exit b": true, "exit a": true, "enter c": true, "enter d": true });
    assert!(puzzle(all).refusal(&act("go", ""), 1).to_string().starts_with("the exitGuard of `a.b`"));
    assert_eq!(puzzle(config("nothing")).go(&act("go", ""), 1), "c.d");
}

#[test]
fn an_inner_candidate_whose_rule_fails_leaves_the_action_to_the_outer_state() {
    let mut puzzle = puzzle(json!({
        "initial": "a",
        "on": { "go": ".outer" },
        "guards": { "ready": { "rule": { "context": "ready", "is": true } } },
        "states": {
            "a": { "on": { "go": { "target": "inner", "guard": "ready" } } },
            "inner": {},
            "outer": {},
        },
    }));
    assert_eq!(puzzle.go(&act("go", ""), 1), "outer");
}

#[test]
fn who_has_the_floor_is_said_by_the_nearest_state() {
    let mut config = work();
    config["states"]["work"]["meta"] = json!({ "turnroom": { "who": "@Ada" } });
    config["states"]["work"]["states"]["build"]["meta"] =
        json!({ "turnroom": { "who": ["@Bob", "@Alice"] } });
    let mut puzzle = puzzle(config);
    assert_eq!(puzzle.who().len(), 1);
    puzzle.go(&act("next", ""), 1);
    assert_eq!(puzzle.who().len(), 2);
    puzzle.go(&act("pause", ""), 1);
    assert!(puzzle.who().is_empty());
}

#[test]
fn the_steps_of_a_move_name_what_was_not_left() {
    let puzzle = puzzle(work());
    let Ok(Step::Done(events)) = puzzle.act(&act("next", ""), at(1)) else { panic!() };
    let Event::PuzzleMoved(moved) = &events[0] else { panic!() };
    assert_eq!(
        (moved.through[0].to.as_str(), moved.through[0].within.as_deref()),
        ("work.build.write", Some("work"))
    );
}
