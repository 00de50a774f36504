//! What a verdict is bound to, and who is who: where the action leads, whether a person vouches for the actor, and whose
//! request it is.

use serde_json::{Value, json};

use super::support::{act, answer, at, by_person, document, handle, puzzle, verdict};
use crate::puzzle::{Act, Answer, Doer, Event, Outcome, Pending, Puzzle, Step};

/// `go` leads to the first of these until second 100, and to the other one then; `guard` is asked before.
fn turning(first: &Value, then: &Value, guard: &Value) -> Puzzle {
    let mut until = first.clone();
    until["guard"] = json!({ "rule": { "time": { "before": "1970-01-01T00:01:40Z" } } });
    puzzle(json!({ "initialState": "built", "states": {
        "built": { "exitGuard": guard, "actions": { "go": [until, then] } },
        "staging": { "final": true },
        "production": { "final": true },
    } }))
}

fn bob() -> Value {
    json!({ "participant": "@Bob", "question": "May it?" })
}

fn to(state: &str) -> Value {
    json!({ "targetState": state })
}

fn joined(puzzle: &mut Puzzle, act: &Act, seconds: i64) -> Vec<&'static str> {
    let Ok(Step::Pending { events, .. }) = puzzle.act(act, at(seconds)) else { panic!("it waits") };
    puzzle.take(&events);
    events.iter().map(Event::kind).collect()
}

#[test]
fn a_yes_to_one_target_is_none_to_another_one() {
    let mut puzzle = turning(&to("staging"), &to("production"), &bob());
    let pending = puzzle.ask(&act("go", "@Ada"), 1);
    assert_eq!(pending.target, "staging");
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 100), ["verdict_given", "guard_asked"]);
    assert_eq!((puzzle.current(), puzzle.pendings().len()), ("built", 1));
    let anew = puzzle.pendings()[0].clone();
    assert_eq!(anew.target, "production");
    let events = puzzle.answer(&answer(&anew, "@Bob", true), at(101)).unwrap();
    let Event::PuzzleMoved(moved) = &events[1] else { panic!("{events:?}") };
    assert_eq!((moved.to.as_str(), moved.verdicts.len()), ("production", 1), "the first yes does not count");
}

#[test]
fn a_yes_counts_for_one_candidate_also_where_both_lead_to_the_same_state() {
    let set = |place: &str| json!({ "targetState": "production", "set": { "place": place } });
    let mut puzzle = turning(&set("eu"), &set("us"), &bob());
    let pending = puzzle.ask(&act("go", "@Ada"), 1);
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 100), ["verdict_given", "guard_asked"]);
}

#[test]
fn whoever_acts_again_when_the_action_leads_elsewhere_has_it_asked_anew() {
    let mut puzzle = turning(&to("staging"), &to("production"), &bob());
    let first = puzzle.ask(&act("go", "@Ada"), 1);
    let anew = puzzle.ask(&act("go", "@Ada"), 100);
    assert_eq!((anew.target.as_str(), puzzle.pendings().len()), ("production", 1));
    let late = puzzle.answer(&answer(&first, "@Bob", true), at(101)).unwrap_err();
    assert_eq!(late.code(), "already_settled");
}

#[test]
fn the_verdict_of_a_client_is_bound_to_the_target_too() {
    let puzzle = turning(&to("staging"), &to("production"), &json!({ "form": "May it?" }));
    let demand = puzzle.demand(&act("go", "@Ada"), 1);
    let yes = Act { verdicts: vec![verdict(&demand, true)], ..act("go", "@Ada") };
    let anew = puzzle.demand(&yes, 100);
    assert_eq!((demand.target.as_str(), anew.target.as_str()), ("staging", "production"));
}

#[test]
fn an_action_of_somebody_who_only_says_that_he_is_the_person_is_not_the_persons() {
    let guard = json!({ "participant": ["@user", "@Bob"], "question": "ok?" });
    let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "exitGuard": guard } } })));
    let forged = puzzle.ask(&act("SUBMIT", "@user"), 1);
    assert_eq!(forged.asks, [handle("@Bob")]);
    assert_eq!(puzzle.go(&by_person("SUBMIT"), 2), "REVIEW", "he is his own judge, and waits for nobody");
}

#[test]
fn what_waits_for_the_person_to_go_on_is_not_finished_by_another_one() {
    let guards = json!([bob(), { "form": "Sure?" }]);
    let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "exitGuard": guards } } })));
    let pending = puzzle.ask(&by_person("SUBMIT"), 1);
    puzzle.hear(&answer(&pending, "@Bob", true), 2);
    let his = puzzle.demand(&by_person("SUBMIT"), 3);
    let stolen = Act { verdicts: vec![verdict(&his, true)], ..act("SUBMIT", "@user") };
    let forged = puzzle.ask(&stolen, 3);
    assert_eq!((forged.verified, puzzle.pendings().len()), (false, 2), "Bob is asked for it anew");
    let own = Act { verdicts: vec![verdict(&his, true)], ..by_person("SUBMIT") };
    assert_eq!(puzzle.go(&own, 4), "REVIEW");
}

#[test]
fn a_request_that_joins_a_question_is_done_once() {
    let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "exitGuard": bob() } } })));
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    let named = |id: &str| Act { request_id: Some(id.to_owned()), ..act("SUBMIT", "@Ada") };
    assert_eq!(joined(&mut puzzle, &named("r1"), 2), ["request_joined"]);
    assert!(joined(&mut puzzle, &named("r1"), 3).is_empty(), "it is kept once");
    assert_eq!(joined(&mut puzzle, &named("r2"), 3), ["request_joined"]);
    let other = Act { request_id: Some("r1".to_owned()), ..act("SKIP", "@Ada") };
    assert_eq!(puzzle.refusal(&other, 3).code(), "request_id_reused", "though nothing has come of it yet");
    let mut refused = puzzle.clone();
    puzzle.hear(&answer(&pending, "@Bob", true), 4);
    refused.hear(&answer(&pending, "@Bob", false), 4);
    for id in ["r1", "r2"] {
        let Ok(Step::Same(past)) = puzzle.act(&named(id), at(5)) else { panic!("it was done") };
        assert_eq!(past.outcome, Outcome::Moved("REVIEW".to_owned()));
        let Ok(Step::Same(past)) = refused.act(&named(id), at(5)) else { panic!("it was refused") };
        assert!(matches!(past.outcome, Outcome::Refused { .. }));
    }
}

#[test]
fn a_request_waits_for_the_next_question_too() {
    let second = json!({ "participant": "@Alice", "question": "Really?" });
    let guards = json!([bob(), second]);
    let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "exitGuard": guards } } })));
    let named = |id: &str| Act { request_id: Some(id.to_owned()), ..act("SUBMIT", "@Ada") };
    let pending = puzzle.ask(&named("r1"), 1);
    assert_eq!(joined(&mut puzzle, &named("r2"), 2), ["request_joined"]);
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 3), ["verdict_given", "guard_asked"]);
    let next: Pending = puzzle.pendings()[0].clone();
    puzzle.hear(&answer(&next, "@Alice", true), 4);
    for id in ["r1", "r2"] {
        assert!(matches!(puzzle.act(&named(id), at(5)), Ok(Step::Same(_))), "{id}");
    }
}

#[test]
fn everybody_has_request_ids_of_his_own() {
    let mut puzzle = puzzle(document(json!({})));
    let first = |act: Act| Act { request_id: Some("1".to_owned()), ..act };
    puzzle.go(&first(act("SUBMIT", "@Ada")), 1);
    assert_eq!(puzzle.go(&first(act("APPROVE", "@Bob")), 2), "PUBLISHED");
    assert_eq!(puzzle.go(&first(act("REOPEN", "@user")), 3), "REVIEW");
    assert_eq!(puzzle.go(&first(by_person("APPROVE")), 4), "PUBLISHED", "nobody takes the ids of the person");
    assert_eq!(puzzle.go(&first(act("REOPEN", "")), 5), "REVIEW");
    assert_eq!(puzzle.refusal(&first(act("APPROVE", "@Ada")), 6).code(), "request_id_reused");
}

#[test]
fn an_answer_has_the_request_ids_of_who_gives_it() {
    let guard = json!({ "participant": ["@Bob", "@Alice"], "question": "ok?", "quorum": 2 });
    let mut puzzle = puzzle(document(json!({ "states": { "DRAFT": { "exitGuard": guard } } })));
    let pending = puzzle.ask(&Act { request_id: Some("1".to_owned()), ..act("SUBMIT", "@Ada") }, 1);
    let first = |by: &str| Answer { request_id: Some("1".to_owned()), ..answer(&pending, by, true) };
    assert_eq!(puzzle.hear(&first("@Bob"), 2), ["verdict_given"]);
    assert_eq!(puzzle.hear(&first("@Alice"), 3), ["verdict_given", "puzzle_moved"]);
}

#[test]
fn the_past_tells_the_person_from_who_only_says_so() {
    let verified = |puzzle: &mut Puzzle, act: &Act| {
        let Ok(Step::Done(events)) = puzzle.act(act, at(1)) else { panic!("it is done") };
        puzzle.take(&events);
        let Event::PuzzleMoved(moved) = &events[0] else { panic!("{events:?}") };
        moved.verified
    };
    let mut puzzle = puzzle(document(json!({})));
    assert!(!verified(&mut puzzle, &act("SUBMIT", "@user")));
    assert!(verified(&mut puzzle, &by_person("APPROVE")));
    let user = handle("@user");
    for is_person_verified in [false, true] {
        let by = Doer { handle: Some(&user), is_person_verified };
        let Ok(Event::PuzzleRemoved { verified, .. }) = puzzle.remove(by, at(2)) else { panic!() };
        assert_eq!(verified, is_person_verified);
    }
}
