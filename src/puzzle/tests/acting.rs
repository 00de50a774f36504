//! Actions without anybody to ask.

use serde_json::json;

use super::support::{act, at, by_person, document, handle, puzzle};
use crate::puzzle::{Act, Doer, Outcome, Refusal, Step};

#[test]
fn a_machine_is_walked_through_all_its_states() {
    let mut puzzle = puzzle(document(json!({})));
    assert_eq!((puzzle.current(), puzzle.version()), ("DRAFT", 1));
    for (action, state) in [("SUBMIT", "REVIEW"), ("APPROVE", "PUBLISHED"), ("REOPEN", "REVIEW")] {
        assert_eq!(puzzle.snapshot().available_actions, [action]);
        assert_eq!(puzzle.go(&act(action, ""), 1), state);
    }
    assert_eq!((puzzle.version(), puzzle.entered_version()), (4, 4));
    assert_eq!(puzzle.snapshot().since, at(1));
}

#[test]
fn an_unknown_action_is_told_with_those_there_are() {
    let puzzle = puzzle(document(json!({})));
    let refusal = puzzle.refusal(&act("APPROVE", ""), 1);
    assert_eq!((refusal.code(), refusal.allowed()), ("unknown_action", vec!["SUBMIT".to_owned()]));
}

#[test]
fn of_many_racers_one_wins_and_the_others_learn_the_state_they_lost_to() {
    let mut puzzle = puzzle(document(json!({})));
    let racer = |name| Act { expected_version: Some(1), ..act("SUBMIT", name) };
    assert_eq!(puzzle.go(&racer("@Ada"), 1), "REVIEW");
    let lost = puzzle.refusal(&racer("@Bob"), 1);
    let told = Refusal::VersionConflict {
        expected: 1,
        version: 2,
        state: "REVIEW".to_owned(),
        allowed: vec!["APPROVE".to_owned()],
    };
    assert_eq!(lost, told);
}

#[test]
fn an_action_that_is_allowed_to_some_is_refused_to_others() {
    let puzzle = puzzle(document(json!({
        "roles": { "authors": ["@Ada", "@Bob"] },
        "states": { "DRAFT": { "actions": { "SUBMIT": { "allowed": ["authors", "@user"] } } } },
    })));
    for stranger in [act("SUBMIT", "@Alice"), act("SUBMIT", "")] {
        let refusal = puzzle.refusal(&stranger, 1);
        assert_eq!((refusal.code(), refusal.allowed().len()), ("not_allowed", 3));
    }
    assert_eq!(puzzle.refusal(&act("SUBMIT", "@user"), 1).code(), "needs_person");
    for allowed in [act("SUBMIT", "@bob"), by_person("SUBMIT")] {
        assert!(matches!(puzzle.act(&allowed, at(1)), Ok(Step::Done(_))));
    }
    assert_eq!(puzzle.can("@Ada", 1), ["SUBMIT"]);
    assert!(puzzle.can("@Alice", 1).is_empty());
}

#[test]
fn a_request_is_done_once() {
    let mut puzzle = puzzle(document(json!({})));
    let submit = Act { request_id: Some("r1".to_owned()), ..act("SUBMIT", "@Ada") };
    puzzle.go(&submit, 1);
    puzzle.go(&act("APPROVE", "@Ada"), 2);
    let Ok(Step::Same(past)) = puzzle.act(&submit, at(3)) else { panic!("it was done before") };
    assert_eq!((past.version, past.outcome), (2, Outcome::Moved("REVIEW".to_owned())));
    let other = Act { request_id: Some("r1".to_owned()), ..act("REOPEN", "@Ada") };
    assert_eq!(puzzle.refusal(&other, 3).code(), "request_id_reused");
}

#[test]
fn a_puzzle_that_is_gone_takes_nothing() {
    let mut puzzle = puzzle(document(json!({})));
    let removed = puzzle.remove(Doer { handle: Some(&handle("@Ada")), ..Doer::default() }, at(1)).unwrap();
    puzzle.apply(&removed);
    assert_eq!(puzzle.refusal(&act("SUBMIT", ""), 2), Refusal::Removed);
    assert_eq!(puzzle.remove(Doer::default(), at(2)), Err(Refusal::Removed));
    assert!(puzzle.snapshot().is_removed && puzzle.can("@Ada", 2).is_empty());
    assert!(puzzle.snapshot().available_actions.is_empty());
    assert_eq!(puzzle.due(), None);
}
