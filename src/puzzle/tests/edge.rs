//! Guards that only the edge can put: forms, models, programs.

use serde_json::{Value, json};

use super::support::{act, answer, at, document, puzzle, verdict};
use crate::puzzle::{Act, Event, May, Puzzle, Step, Verdict, Whom};

fn guarded(exit: &Value, more: Value) -> Puzzle {
    let mut config = document(json!({ "states": { "DRAFT": { "exitGuard": exit } } }));
    super::support::merge(&mut config, more);
    puzzle(config)
}

/// Nobody can be asked.
fn alone(action: &str) -> Act {
    Act { may: May::default(), ..act(action, "@Ada") }
}

#[test]
fn the_edge_asks_one_guard_after_the_other_and_then_the_puzzle_moves() {
    let guards =
        json!([{ "form": "done?" }, { "sampling": "good?" }, { "command": "lint", "question": "clean?" }]);
    let mut puzzle = guarded(&guards, json!({}));
    let mut submit = act("SUBMIT", "@Ada");
    for whom in [Whom::Form, Whom::Sampling, Whom::Command("lint".to_owned())] {
        let demand = puzzle.demand(&submit, 1);
        assert_eq!((&demand.whom, demand.state.as_str(), demand.target.as_str()), (&whom, "DRAFT", "REVIEW"));
        submit.verdicts.push(verdict(&demand, true));
    }
    assert_eq!((puzzle.go(&submit, 2), puzzle.version()), ("REVIEW".to_owned(), 2));
}

#[test]
fn nobody_speaks_for_a_program_nor_for_a_model_that_there_is_not() {
    let program = guarded(&json!({ "command": "lint" }), json!({}));
    let demand = program.demand(&act("SUBMIT", "@Ada"), 1);
    let forged = Verdict { is_of_program: false, ..verdict(&demand, true) };
    let submit = Act { verdicts: vec![forged], ..act("SUBMIT", "@Ada") };
    assert_eq!(program.demand(&submit, 1), demand, "it is asked all the same");

    let model = guarded(&json!({ "sampling": "good?" }), json!({}));
    let demand = model.demand(&act("SUBMIT", "@Ada"), 1);
    let submit = Act { verdicts: vec![verdict(&demand, true)], ..alone("SUBMIT") };
    assert_eq!(model.refusal(&submit, 1).code(), "guard_unavailable");
}

#[test]
fn a_no_is_kept_and_says_why() {
    let mut puzzle = guarded(&json!({ "form": "done?" }), json!({}));
    let demand = puzzle.demand(&act("SUBMIT", "@Ada"), 1);
    let no = Act { verdicts: vec![verdict(&demand, false)], ..act("SUBMIT", "@Ada") };
    let Ok(Step::Refused { events, refusal }) = puzzle.act(&no, at(2)) else { panic!() };
    assert_eq!(refusal.code(), "guard_refused");
    assert!(
        refusal.to_string().contains("exitGuard of `DRAFT`")
            && refusal.to_string().contains("not good enough")
    );
    puzzle.take(&events);
    assert_eq!((puzzle.current(), puzzle.version()), ("DRAFT", 2));
}

#[test]
fn a_verdict_counts_for_its_actor_its_action_and_its_version_only() {
    let mut puzzle = guarded(
        &json!({ "form": "done?" }),
        json!({ "states": { "DRAFT": { "actions": {
        "SKIP": { "targetState": "PUBLISHED" },
        "STAY": { "targetState": "DRAFT" },
    } } } }),
    );
    let demand = puzzle.demand(&act("SUBMIT", "@Ada"), 1);
    let verdicts = vec![verdict(&demand, true)];
    for other in [act("SUBMIT", "@Bob"), act("SKIP", "@Ada")] {
        let stolen = Act { verdicts: verdicts.clone(), ..other };
        assert_ne!(puzzle.demand(&stolen, 1).id, demand.id);
    }
    let stay = act("STAY", "@Bob");
    let again = Act { verdicts: vec![verdict(&puzzle.demand(&stay, 1), true)], ..stay };
    puzzle.go(&again, 1);
    let late = Act { verdicts, ..act("SUBMIT", "@Ada") };
    let refusal = puzzle.refusal(&late, 2);
    assert_eq!(refusal.code(), "version_conflict");
    assert!(
        refusal.to_string().starts_with("what was asked before `SUBMIT` counts no more"),
        "she has expected no version: {refusal}"
    );
}

#[test]
fn who_cannot_be_asked_is_named_and_nothing_is_done() {
    for (guard, needs) in [
        (json!({ "form": "done?" }), "a client that shows forms"),
        (json!({ "sampling": "done?" }), "a client with a model"),
        (json!({ "command": "lint" }), "the command `lint`"),
        (json!("done?"), "a reviewer in `policy`, or a client that shows forms"),
    ] {
        let puzzle = guarded(&guard, json!({}));
        let refusal = puzzle.refusal(&alone("SUBMIT"), 1);
        assert_eq!(refusal.code(), "guard_unavailable");
        assert!(refusal.to_string().contains(needs), "{refusal}");
        assert_eq!(puzzle.version(), 1);
    }
}

#[test]
fn a_policy_may_let_pass_what_cannot_be_asked_and_the_event_says_so() {
    let policy = json!({ "policy": { "unavailableGuard": "allow" } });
    let puzzle = guarded(&json!([{ "form": "done?" }, "really?"]), policy);
    let Ok(Step::Done(events)) = puzzle.act(&alone("SUBMIT"), at(1)) else { panic!() };
    let Event::PuzzleMoved(moved) = &events[0] else { panic!("{events:?}") };
    assert_eq!(moved.unguarded, ["the exitGuard of `DRAFT`", "the exitGuard (2) of `DRAFT`"]);
    assert!(moved.verdicts.is_empty());
    assert!(
        matches!(puzzle.act(&act("SUBMIT", "@Ada"), at(1)), Ok(Step::Ask(_))),
        "who can be asked is asked"
    );
}

#[test]
fn no_policy_lets_somebody_past_those_who_are_asked_by_acting_himself() {
    let policy = json!({ "policy": { "unavailableGuard": "allow", "reviewer": "@Bob" } });
    for guard in [json!({ "participant": "@Bob", "question": "done?" }), json!("done?")] {
        let puzzle = guarded(&guard, policy.clone());
        let by_bob = Act { may: May::default(), ..act("SUBMIT", "@Bob") };
        assert_eq!(puzzle.refusal(&by_bob, 1).code(), "guard_unavailable", "{guard}");
        assert!(matches!(puzzle.act(&alone("SUBMIT"), at(1)), Ok(Step::Pending { .. })), "{guard}");
    }
}

#[test]
fn who_asks_participants_says_who_he_is() {
    for policy in [json!({}), json!({ "policy": { "unavailableGuard": "allow" } })] {
        let puzzle = guarded(&json!({ "participant": "@Bob", "question": "done?" }), policy);
        let refusal = puzzle.refusal(&act("SUBMIT", ""), 1);
        assert_eq!(refusal.code(), "guard_unavailable");
        assert!(refusal.to_string().contains("say it in `actor`"), "{refusal}");
    }
}

#[test]
fn the_order_of_the_policy_says_who_is_asked_a_plain_question() {
    let policy = json!({ "policy": { "questionBy": ["sampling", "form"] } });
    let puzzle = guarded(&json!("done?"), policy);
    assert_eq!(puzzle.demand(&act("SUBMIT", "@Ada"), 1).whom, Whom::Sampling);
    let may = May { form: true, ..May::default() };
    assert_eq!(puzzle.demand(&Act { may, ..act("SUBMIT", "@Ada") }, 1).whom, Whom::Form);
}

#[test]
fn a_form_after_a_reviewer_waits_for_the_actor_to_act_again() {
    let enter = json!({ "states": { "REVIEW": { "enterGuard": { "form": "sure?" } } } });
    let mut puzzle = guarded(&json!({ "participant": "@Bob", "question": "done?" }), enter);
    let pending = puzzle.ask(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 2), ["verdict_given"]);
    assert!(puzzle.snapshot().pending[0].asks.is_empty(), "it waits for its actor");
    let late = puzzle.answer(&answer(&pending, "@Bob", true), at(2)).unwrap_err();
    assert_eq!(late.code(), "already_settled");
    let demand = puzzle.demand(&act("SUBMIT", "@Ada"), 3);
    assert_eq!(demand.question, "sure?");
    let mut refused = puzzle.clone();
    let sure = Act { verdicts: vec![verdict(&demand, true)], ..act("SUBMIT", "@Ada") };
    assert_eq!(puzzle.go(&sure, 4), "REVIEW");
    let unsure = Act { verdicts: vec![verdict(&demand, false)], ..act("SUBMIT", "@Ada") };
    let Ok(Step::Refused { events, .. }) = refused.act(&unsure, at(4)) else { panic!() };
    refused.take(&events);
    assert!(refused.pendings().is_empty(), "a no of the form drops the yes of the reviewer too");
}

#[test]
fn who_goes_on_after_a_reviewer_may_expect_the_version_with_which_he_began() {
    let more = json!({ "states": {
        "DRAFT": { "actions": { "STAY": { "targetState": "DRAFT", "guard": [] } }, "exitGuard": [] },
        "REVIEW": { "enterGuard": [{ "participant": "@Bob", "question": "done?" }, { "form": "sure?" }] },
    } });
    let mut puzzle = guarded(&json!([]), more);
    puzzle.go(&act("STAY", "@Ada"), 1);
    let expecting = |version| Act { expected_version: Some(version), ..act("SUBMIT", "@Ada") };
    let pending = puzzle.ask(&expecting(2), 2);
    puzzle.hear(&answer(&pending, "@Bob", true), 3);
    assert_eq!(puzzle.version(), 4);
    let demand = puzzle.demand(&expecting(2), 4);
    let sure = Act { verdicts: vec![verdict(&demand, true)], ..expecting(2) };
    assert_eq!(puzzle.refusal(&expecting(1), 4).code(), "version_conflict", "that was before the last move");
    let other = Act { expected_version: Some(2), ..act("SUBMIT", "@Carol") };
    assert_eq!(puzzle.refusal(&other, 4).code(), "version_conflict", "nobody was asked for her");
    assert_eq!(puzzle.go(&sure, 5), "REVIEW");
}

#[test]
fn a_verdict_counts_for_whom_was_asked_only() {
    let puzzle = guarded(&json!("done?"), json!({ "policy": { "questionBy": ["form", "sampling"] } }));
    let may = May { sampling: true, ..May::default() };
    let by_form = verdict(&puzzle.demand(&act("SUBMIT", "@Ada"), 1), true);
    let elsewhere = Act { verdicts: vec![by_form], may, ..act("SUBMIT", "@Ada") };
    assert_eq!(puzzle.demand(&elsewhere, 1).whom, Whom::Sampling);
}

#[test]
fn a_form_before_a_reviewer_is_not_asked_twice() {
    let enter =
        json!({ "states": { "REVIEW": { "enterGuard": { "participant": "@Bob", "question": "ok?" } } } });
    let mut puzzle = guarded(&json!({ "form": "sure?" }), enter);
    let demand = puzzle.demand(&act("SUBMIT", "@Ada"), 1);
    let sure = Act { verdicts: vec![verdict(&demand, true)], ..act("SUBMIT", "@Ada") };
    let pending = puzzle.ask(&sure, 2);
    assert_eq!(puzzle.hear(&answer(&pending, "@Bob", true), 3), ["verdict_given", "puzzle_moved"]);
}
