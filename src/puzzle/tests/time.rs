//! Timers of states.

use serde_json::json;

use super::support::{act, answer, at, puzzle, refused};
use crate::puzzle::{Event, Puzzle};

/// WAITING goes to LATE after a minute, if nobody answers.
fn timed(late: &serde_json::Value) -> Puzzle {
    puzzle(json!({ "initialState": "WAITING", "context": { "open": true }, "states": {
        "WAITING": {
            "actions": { "answer": { "targetState": "DONE" }, "again": { "targetState": "WAITING" } },
            "after": { "60000": late },
        },
        "LATE": { "after": { "1000": "DONE" }, "actions": { "answer": { "targetState": "DONE" } } },
        "DONE": { "final": true },
    } }))
}

#[test]
fn a_timer_moves_the_puzzle_at_its_deadline_and_not_before() {
    let mut puzzle = timed(&json!("LATE"));
    assert_eq!(puzzle.due(), Some(at(60)));
    assert!(puzzle.wait(59).is_empty());
    assert_eq!(puzzle.wait(60), ["puzzle_moved"]);
    assert_eq!((puzzle.current(), puzzle.due()), ("LATE", Some(at(61))));
}

#[test]
fn a_late_timer_fires_at_once_and_the_next_counts_from_then() {
    let mut puzzle = timed(&json!("LATE"));
    assert_eq!(puzzle.wait(10_000), ["puzzle_moved"]);
    assert_eq!((puzzle.current(), puzzle.due()), ("LATE", Some(at(10_001))));
    assert_eq!(puzzle.wait(10_001), ["puzzle_moved"]);
    assert_eq!((puzzle.current(), puzzle.due()), ("DONE", None));
}

#[test]
fn a_state_that_is_entered_anew_starts_its_timers_anew() {
    let mut puzzle = timed(&json!("LATE"));
    puzzle.go(&act("again", ""), 30);
    assert_eq!(puzzle.due(), Some(at(90)));
    puzzle.go(&act("answer", ""), 40);
    assert_eq!(puzzle.due(), None);
}

#[test]
fn a_timer_that_is_refused_is_told_once_and_spent() {
    let late = json!({ "targetState": "LATE", "guard": { "rule": { "context": "open", "is": false } } });
    let mut puzzle = timed(&late);
    let events = puzzle.tick(at(61));
    let Event::ActionRefused(refused) = &events[0] else { panic!("{events:?}") };
    assert_eq!(refused.guard, "the guard of `after 60000 ms` in `WAITING`");
    puzzle.take(&events);
    assert_eq!((puzzle.due(), puzzle.wait(1_000).len()), (None, 0));
    puzzle.go(&act("again", ""), 2_000);
    assert_eq!(puzzle.due(), Some(at(2_060)), "entered anew, it runs anew");
}

#[test]
fn a_timer_may_wait_for_a_reviewer() {
    let late = json!({ "targetState": "LATE", "guard": { "participant": "@Bob", "question": "Give up?" } });
    let mut puzzle = timed(&late);
    assert_eq!(puzzle.wait(60), ["guard_asked"]);
    assert_eq!(puzzle.due(), None);
    let pending = puzzle.pendings()[0].clone();
    assert_eq!((pending.actor.as_ref(), pending.target.as_str()), (None, "LATE"));
    let mut refused = puzzle.clone();
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 61), ["verdict_given", "puzzle_moved"]);
    assert_eq!(refused.hear(&answer(&pending, "@Bob", false), 61), ["verdict_given", "action_refused"]);
    assert_eq!((refused.current(), refused.due()), ("WAITING", None));
}

#[test]
fn a_timer_has_no_client_that_could_be_asked() {
    for guard in [json!({ "form": "Give up?" }), json!({ "sampling": "Give up?" })] {
        let late = json!({ "targetState": "B", "guard": guard });
        let fault = refused(json!({ "initialState": "A", "states": {
            "A": { "after": { "60000": late }, "actions": { "go": { "targetState": "B" } } },
            "B": { "final": true },
        } }));
        assert!(
            fault.to_string().starts_with("`config.states.A.after.60000.guard`: a timer has no client"),
            "{fault}"
        );
    }
}

#[test]
fn late_timers_and_expiries_happen_in_the_order_of_their_deadlines() {
    let mut puzzle = puzzle(json!({ "initialState": "A", "states": {
        "A": {
            "actions": { "go": { "targetState": "B", "guard": { "participant": "@Bob", "question": "?", "expiresMinutes": 1 } } },
            "after": {
                "30000": { "targetState": "B", "guard": { "rule": { "context": "x", "is": 1 } } },
                "90000": "B",
            },
        },
        "B": { "final": true },
    } }));
    puzzle.ask(&act("go", "@Ada"), 10);
    assert_eq!(puzzle.wait(1_000), ["action_refused", "action_refused", "puzzle_moved"]);
    assert_eq!(puzzle.version(), 5);
}
