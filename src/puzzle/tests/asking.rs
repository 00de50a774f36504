//! Guards that ask participants.

use serde_json::{Value, json};

use super::support::{act, answer, at, by_person, document, handle, puzzle, verdict};
use crate::puzzle::{Act, Answer, Event, May, Outcome, Puzzle, Refusal, Step};

/// DRAFT is left only if this guard agrees.
fn guarded(guard: &Value) -> Puzzle {
    puzzle(document(json!({
        "roles": { "reviewers": ["@Bob", "@Alice", "@Ada"] },
        "states": { "DRAFT": { "exitGuard": guard } },
    })))
}

fn reviewed() -> Puzzle {
    guarded(&json!({ "participant": "@Bob", "question": "Is it done?", "expiresMinutes": 10 }))
}

#[test]
fn an_action_waits_for_its_reviewer_and_his_yes_moves_the_puzzle() {
    let mut puzzle = reviewed();
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!((pending.id.as_str(), puzzle.current(), puzzle.version()), ("g2", "DRAFT", 2));
    assert_eq!((pending.state.as_str(), pending.target.as_str()), ("DRAFT", "REVIEW"));
    let shown = &puzzle.snapshot().pending[0];
    assert_eq!((shown.question.as_str(), shown.asks.as_slice()), ("Is it done?", &[handle("@Bob")][..]));
    assert_eq!(puzzle.hear(&answer(&pending, "@bob", true), 2), ["verdict_given", "puzzle_moved"]);
    assert_eq!((puzzle.current(), puzzle.snapshot().pending.len()), ("REVIEW", 0));
}

#[test]
fn a_no_leaves_the_state_and_says_who_and_why() {
    let mut puzzle = reviewed();
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    let events = puzzle.answer(&answer(&pending, "@Bob", false), at(2)).unwrap();
    puzzle.take(&events);
    let Event::ActionRefused(refused) = &events[1] else { panic!("{events:?}") };
    assert_eq!(refused.guard, "the exitGuard of `DRAFT`");
    assert_eq!((refused.by.as_ref(), refused.why.as_str()), (Some(&handle("@Bob")), "not good enough"));
    assert_eq!((puzzle.current(), puzzle.pendings().len()), ("DRAFT", 0));
    let again = puzzle.ask(&act("SUBMIT", "@Ada"), 3);
    assert_ne!(again.id, pending.id, "he is asked anew");
}

#[test]
fn the_same_action_of_the_same_actor_waits_once() {
    let mut puzzle = reviewed();
    let first = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    let Ok(Step::Pending { events, pending }) = puzzle.act(&act("SUBMIT", "@ada"), at(2)) else { panic!() };
    assert!(events.is_empty() && *pending == first);
    let other = puzzle.ask(&act("SUBMIT", "@Alice"), 2);
    assert_ne!(other.id, first.id, "another actor is another question");
    puzzle.hear(&answer(&other, "@Bob", true), 3);
    let late = puzzle.answer(&answer(&first, "@Bob", true), at(4)).unwrap_err();
    assert_eq!(late.code(), "already_settled", "the move has dropped it");
}

#[test]
fn only_who_is_asked_answers_and_nobody_judges_his_own_act() {
    let mut puzzle = guarded(&json!({ "participant": "reviewers", "question": "ok?" }));
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(pending.asks, [handle("@Bob"), handle("@Alice")]);
    for stranger in ["@Ada", "@Dave"] {
        let refusal = puzzle.answer(&answer(&pending, stranger, true), at(2)).unwrap_err();
        assert_eq!((refusal.code(), refusal.allowed().len()), ("not_asked", 2), "{stranger}");
    }
    let unknown = Answer { guard: "g9".to_owned(), ..answer(&pending, "@Bob", true) };
    let refusal = puzzle.answer(&unknown, at(2)).unwrap_err();
    assert_eq!((refusal.code(), refusal.allowed()), ("unknown_guard", vec!["g2".to_owned()]));
}

#[test]
fn a_quorum_settles_once_enough_agree_or_too_few_can() {
    let guard = json!({ "participant": ["@Bob", "@Alice", "@Carol"], "question": "ok?", "quorum": 2 });
    let mut passed = guarded(&guard);
    let pending = passed.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(passed.hear(&answer(&pending, "@Bob", true), 2), ["verdict_given"]);
    let twice = passed.answer(&answer(&pending, "@Bob", true), at(2)).unwrap_err();
    assert_eq!(twice.code(), "not_asked");
    assert_eq!(passed.hear(&answer(&pending, "@Carol", false), 2), ["verdict_given"]);
    assert_eq!(passed.hear(&answer(&pending, "@Alice", true), 2), ["verdict_given", "puzzle_moved"]);

    let mut failed = guarded(&guard);
    let pending = failed.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(failed.hear(&answer(&pending, "@Bob", false), 2), ["verdict_given"]);
    assert_eq!(failed.hear(&answer(&pending, "@Carol", false), 2), ["verdict_given", "action_refused"]);
}

#[test]
fn the_person_answers_verified_only_and_may_judge_what_he_does_himself() {
    let mut puzzle = guarded(&json!({ "participant": "@user", "question": "ok?" }));
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    let forged = Answer { is_person_verified: false, ..answer(&pending, "@user", true) };
    assert_eq!(puzzle.answer(&forged, at(2)).unwrap_err().code(), "needs_person");
    let mut own = puzzle.clone();
    assert_eq!(own.go(&by_person("SUBMIT"), 2), "REVIEW", "he need not ask himself");
    assert_eq!(puzzle.refusal(&act("SUBMIT", "@user"), 2).code(), "guard_unavailable");
    assert_eq!(puzzle.hear(&answer(&pending, "@user", true), 2), ["verdict_given", "puzzle_moved"]);
}

#[test]
fn a_question_that_nobody_answers_expires() {
    let mut puzzle = reviewed();
    puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(puzzle.due(), Some(at(601)));
    assert!(puzzle.wait(600).is_empty());
    assert_eq!(puzzle.wait(601), ["action_refused"]);
    assert_eq!((puzzle.due(), puzzle.pendings().len()), (None, 0));
}

#[test]
fn guards_are_asked_one_after_the_other_exit_before_enter() {
    let mut puzzle = puzzle(document(json!({ "states": {
        "DRAFT": { "exitGuard": [
            { "participant": "@Bob", "question": "done?" },
            { "participant": "@Alice", "question": "really?" },
        ] },
        "REVIEW": { "enterGuard": { "participant": "@Carol", "question": "ready?" } },
    } })));
    let mut pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    for (by, question) in [("@Bob", "really?"), ("@Alice", "ready?")] {
        assert_eq!(puzzle.hear(&answer(&pending, by, true), 2), ["verdict_given", "guard_asked"]);
        pending = puzzle.pendings()[0].clone();
        assert_eq!((pending.question.as_str(), puzzle.pendings().len()), (question, 1));
    }
    let events = puzzle.answer(&answer(&pending, "@Carol", true), at(3)).unwrap();
    let Event::PuzzleMoved(moved) = &events[1] else { panic!("{events:?}") };
    let by: Vec<_> = moved.verdicts.iter().filter_map(|finding| finding.by.clone()).collect();
    assert_eq!(by, [handle("@Bob"), handle("@Alice"), handle("@Carol")]);
}

#[test]
fn rules_are_looked_at_again_when_the_last_answer_comes() {
    let mut puzzle = puzzle(document(json!({ "states": {
        "DRAFT": {
            "exitGuard": { "participant": "@Bob", "question": "done?" },
            "actions": { "SUBMIT": { "guard": { "rule": { "secondsInState": { "atMost": 60 } } } } },
        },
    } })));
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 100), ["verdict_given", "action_refused"]);
    assert_eq!((puzzle.current(), puzzle.pendings().len()), ("DRAFT", 0));
}

#[test]
fn a_request_learns_later_what_became_of_it() {
    let mut puzzle = reviewed();
    let submit = Act { request_id: Some("r1".to_owned()), ..act("SUBMIT", "@Ada") };
    let pending = puzzle.ask(&submit, 1);
    let mut refused = puzzle.clone();
    let yes = Answer { request_id: Some("a1".to_owned()), ..answer(&pending, "@Bob", true) };
    puzzle.hear(&yes, 2);
    assert!(puzzle.hear(&yes, 3).is_empty(), "an answer counts once");
    let another = Answer { pass: false, ..yes };
    assert_eq!(puzzle.answer(&another, at(3)).unwrap_err().code(), "request_id_reused");
    let Ok(Step::Same(past)) = puzzle.act(&submit, at(4)) else { panic!() };
    assert_eq!(past.outcome, Outcome::Moved("REVIEW".to_owned()));
    refused.hear(&answer(&pending, "@Bob", false), 2);
    let Ok(Step::Same(past)) = refused.act(&submit, at(4)) else { panic!() };
    assert!(matches!(past.outcome, Outcome::Refused { by: Some(by), .. } if by == handle("@Bob")));
}

#[test]
fn only_sixteen_questions_wait() {
    let mut puzzle = reviewed();
    (0..16).for_each(|number| drop(puzzle.ask(&act("SUBMIT", &format!("@Ada{number}")), 1)));
    let refusal = puzzle.refusal(&act("SUBMIT", "@Ada"), 1);
    assert!(matches!(refusal, Refusal::LimitExceeded(_)), "{refusal}");
}

#[test]
fn a_plain_question_goes_to_the_reviewer_of_the_policy() {
    let config = |more: Value| {
        let mut config = document(json!({ "states": { "DRAFT": { "exitGuard": "Is it done?" } } }));
        super::support::merge(&mut config, more);
        config
    };
    let mut reviewed = puzzle(config(json!({ "policy": { "reviewer": "@Bob" } })));
    assert_eq!(reviewed.ask(&act("SUBMIT", "@Ada"), 1).asks, [handle("@Bob")]);
    for by in [json!(["participant"]), json!(["participant", "form", "sampling"])] {
        let strict = puzzle(config(json!({ "policy": { "reviewer": "@Bob", "questionBy": by } })));
        let refusal = strict.refusal(&act("SUBMIT", "@Bob"), 1);
        assert_eq!(refusal.code(), "guard_unavailable", "he gets past his own review by no other way");
    }
    let form =
        puzzle(config(json!({ "policy": { "reviewer": "@Bob", "questionBy": ["form", "participant"] } })));
    assert_eq!(form.demand(&act("SUBMIT", "@Bob"), 1).question, "Is it done?");
}

#[test]
fn a_no_at_the_client_counts_whatever_was_said_before() {
    for edge in [json!({ "form": "ok?" }), json!({ "sampling": "ok?" }), json!("ok?")] {
        for policy in ["refuse", "allow"] {
            let guards = json!([edge, { "participant": "@Bob", "question": "Whole?" }]);
            let mut puzzle = puzzle(document(json!({
                "policy": { "unavailableGuard": policy },
                "states": { "DRAFT": { "exitGuard": guards } },
            })));
            let demand = puzzle.demand(&act("SUBMIT", "@Ada"), 1);
            let said = |pass| Act { verdicts: vec![verdict(&demand, pass)], ..act("SUBMIT", "@Ada") };
            // Two calls have asked; one was answered with yes, and `@Bob` is asked.
            let asked = puzzle.ask(&said(true), 2);
            let no = Act { may: May::default(), ..said(false) };
            let Ok(Step::Refused { events, refusal }) = puzzle.act(&no, at(3)) else {
                panic!("it is refused")
            };
            assert_eq!(refusal.code(), "guard_refused");
            puzzle.take(&events);
            assert!(puzzle.pendings().is_empty(), "nobody is asked any more");
            let late = puzzle.answer(&answer(&asked, "@Bob", true), at(4)).unwrap_err();
            assert_eq!(late.code(), "already_settled");
        }
    }
}

#[test]
fn nobody_is_asked_where_a_program_behind_is_not_there() {
    let guards = json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": "lint" }]);
    let policy = |unavailable: &str| {
        let states = json!({ "DRAFT": { "exitGuard": guards } });
        puzzle(document(json!({ "policy": { "unavailableGuard": unavailable }, "states": states })))
    };
    let with = |commands: &[&str]| {
        let commands = commands.iter().map(|name| (*name).to_owned()).collect();
        Act { may: May { commands, ..May::default() }, ..act("SUBMIT", "@Ada") }
    };
    assert_eq!(policy("refuse").refusal(&with(&[]), 1).code(), "guard_unavailable");
    for (mut puzzle, act) in [(policy("refuse"), with(&["lint"])), (policy("allow"), with(&[]))] {
        assert_eq!(puzzle.ask(&act, 1).asks, [handle("@Bob")]);
    }
}
