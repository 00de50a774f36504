//! What a client is asked, what its answers come to, and what ends a question.

pub(super) mod house;

use serde_json::json;
use tokio::task::JoinHandle;

use super::*;
use house::{Client, House, filled, forms, models, words};

fn question() -> Value {
    json!({ "form": "May it go out?" })
}

#[tokio::test]
async fn a_form_is_shown_within_the_call_or_between_two_and_its_yes_does_the_action() {
    for is_old in [true, false] {
        let house = House::guarded(question()).await;
        let answers = [filled("pass")];
        let client = if is_old {
            house.old_client(&forms(), &answers).await
        } else {
            house.new_client(&forms(), &answers).await
        };
        let done = client.go().await;
        assert_eq!((&done["success"], &done["currentState"]), (&json!(true), &json!("B")), "{done}");
        let asked = client.hears().await;
        assert!(
            asked.starts_with("May it go out?\n\n@Ada wants to do `go` in puzzle `p`: `A` → `B`"),
            "{asked}"
        );
        let [moved] = &house.history().await[..] else { panic!("one event") };
        let verdict = &moved["verdicts"][0];
        assert_eq!(
            (&verdict["asked"], &verdict["by"], &verdict["verified"], &verdict["reason"]),
            (&json!("form"), &json!("@Ada"), &json!(false), &json!("I looked")),
            "{moved}"
        );
    }
}

#[tokio::test]
async fn a_no_is_kept_and_what_is_neither_changes_nothing() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        for (answer, code, reason, events) in [
            (filled("refuse"), "guard_refused", "I looked", 1),
            (json!({ "action": "decline" }), "guard_refused", "the form was declined", 1),
            (json!({ "action": "cancel" }), "no_verdict", "closed without an answer", 0),
            (json!({ "action": "accept", "content": {} }), "no_verdict", "`verdict` is neither", 0),
        ] {
            let house = House::guarded(question()).await;
            let refused = house.client(revision, "c", &forms(), &[answer]).await.go().await;
            assert_eq!(refused["error"]["code"], code, "{revision}: {refused}");
            assert!(refused["reason"].as_str().unwrap().contains(reason), "{refused}");
            assert_eq!((&refused["success"], &refused["currentState"]), (&json!(false), &json!("A")));
            assert_eq!(house.history().await.len(), events, "{revision}, {code}");
        }
    }
}

#[tokio::test]
async fn a_model_is_asked_with_the_document_and_its_words_are_judged_by_a_strict_rule() {
    for is_old in [true, false] {
        for (said, came) in [
            ("PASS\nAll is well.", Ok("B")),
            ("REFUSE: nothing is well", Err("guard_refused")),
            ("It seems to pass.", Err("no_verdict")),
        ] {
            let house = House::guarded(json!({ "sampling": "Is all well?" })).await;
            let answers = [words(said)];
            let client = if is_old {
                house.old_client(&models(), &answers).await
            } else {
                house.new_client(&models(), &answers).await
            };
            let done = client.go().await;
            match came {
                Ok(state) => assert_eq!(done["currentState"], state, "{done}"),
                Err(code) => assert_eq!(done["error"]["code"], code, "{done}"),
            }
            let asked = client.hears().await;
            assert!(asked.contains("Is all well?") && asked.contains("`A`:\\n\\nAll is well."), "{asked}");
        }
    }
}

#[tokio::test]
async fn a_plain_question_goes_to_whom_the_policy_names_as_far_as_they_can_be_asked() {
    let both = json!({ "elicitation": { "form": {} }, "sampling": {} });
    let (yes, pass) = (filled("pass"), words("PASS"));
    for (order, can, answers, asked) in [
        (json!(["participant", "form", "sampling"]), &both, [&yes], "form"),
        (json!(["sampling", "form"]), &both, [&pass], "sampling"),
        (json!(["sampling", "form"]), &forms(), [&yes], "form"),
        (json!(["form", "sampling"]), &models(), [&pass], "sampling"),
    ] {
        let house = House::with(json!({
            "initialState": "A", "policy": { "questionBy": order },
            "states": { "A": { "actions": { "go": { "targetState": "B" } }, "exitGuard": "Ready?" }, "B": {} },
        }))
        .await;
        let answers: Vec<Value> = answers.into_iter().cloned().collect();
        assert_eq!(house.old_client(can, &answers).await.go().await["currentState"], "B");
        assert_eq!(house.history().await[0]["verdicts"][0]["asked"], asked, "{order}");
    }
}

#[tokio::test]
async fn who_declares_nothing_that_would_do_is_refused_and_not_asked() {
    let only_links = json!({ "elicitation": { "url": {} } });
    for (guard, can) in [
        (question(), json!({})),
        (question(), models()),
        (question(), only_links),
        (json!({ "sampling": "?" }), forms()),
        (json!("?"), json!({})),
    ] {
        let house = House::guarded(guard).await;
        for client in [house.old_client(&can, &[]).await, house.new_client(&can, &[]).await] {
            let refused = client.go().await;
            assert_eq!(refused["error"]["code"], "guard_unavailable", "{can}: {refused}");
        }
    }
}

#[tokio::test]
async fn one_question_after_the_other_is_asked_and_each_answer_is_kept() {
    let guards = json!([{ "form": "first?" }, { "sampling": "second?" }, { "form": "third?" }]);
    let can = json!({ "elicitation": {}, "sampling": {} });
    for is_old in [true, false] {
        let house = House::guarded(guards.clone()).await;
        let answers = [filled("pass"), words("PASS"), filled("pass")];
        let client = if is_old {
            house.old_client(&can, &answers).await
        } else {
            house.new_client(&can, &answers).await
        };
        assert_eq!(client.go().await["currentState"], "B");
        assert_eq!(house.history().await[0]["verdicts"].as_array().unwrap().len(), 3);
    }
}

#[tokio::test]
async fn a_form_is_closed_when_the_puzzle_moves_on_and_the_loser_learns_where_it_is() {
    let house = House::guarded(question()).await;
    let (client, going) = begun(&house).await;
    let flee = json!({ "puzzleId": "p", "actionName": "flee" });
    house.old_client(&json!({}), &[]).await.call("perform_action_on_puzzle", flee).await;
    assert_eq!(client.hears().await, "cancelled");
    let lost = going.await.unwrap();
    assert_eq!(
        (&lost["error"]["code"], &lost["currentState"], &lost["version"], &lost["availableActions"]),
        (&json!("version_conflict"), &json!("C"), &json!(2), &json!(["return"])),
        "{lost}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_form_waits_for_ten_minutes() {
    let house = House::guarded(question()).await;
    let late = house.old_client(&forms(), &[]).await;
    let refused = late.go().await;
    assert_eq!(refused["error"]["code"], "no_verdict", "{refused}");
    assert!(refused["reason"].as_str().unwrap().contains("10 minutes"), "{refused}");
    assert!(late.hears().await.starts_with("May it go out?"));
    assert_eq!(late.hears().await, "cancelled");
}

#[tokio::test]
async fn a_form_is_open_no_longer_than_its_puzzle_and_the_hub() {
    for (is_hub, code) in [(false, "puzzle_removed"), (true, "stopping")] {
        let house = House::guarded(question()).await;
        let (client, going) = begun(&house).await;
        if is_hub {
            house.hub.stop();
        } else {
            let other = house.old_client(&json!({}), &[]).await;
            assert_eq!(other.call("remove_puzzle", json!({ "puzzleId": "p" })).await["success"], true);
        }
        assert_eq!(going.await.unwrap()["error"]["code"], code);
        assert_eq!(client.hears().await, "cancelled");
    }
}

/// A client of an older revision that acts, and at which a form is open.
async fn begun(house: &House) -> (Client, JoinHandle<Value>) {
    let client = house.old_client(&forms(), &[]).await;
    let acting = client.clone();
    let going = tokio::spawn(async move { acting.go().await });
    assert!(client.hears().await.starts_with("May it go out?"));
    (client, going)
}

#[tokio::test]
async fn a_call_that_is_cancelled_closes_its_form() {
    let house = House::guarded(question()).await;
    let (client, going) = begun(&house).await;
    // Whoever drops a call cancels it.
    going.abort();
    assert_eq!(client.hears().await, "cancelled");
    assert!(house.history().await.is_empty());
}

#[tokio::test]
async fn a_call_that_comes_back_without_an_answer_may_come_back_with_one() {
    let house = House::guarded(question()).await;
    let client = house.new_client(&forms(), &[]).await;
    let state = client.asked().await;
    let empty = house::params("perform_action_on_puzzle", house::going()).with_request_state(&state);
    let refused = client.once(empty).await.unwrap();
    assert_eq!(refused["error"]["code"], "no_verdict", "{refused}");
    assert_eq!(client.back(house::going(), &state, "pass").await["currentState"], "B");
}

#[tokio::test]
async fn a_client_that_cannot_ask_after_all_is_told_why_nothing_was_done() {
    let house = House::guarded(question()).await;
    let refused = house.old_client(&forms(), &[json!("no window is open")]).await.go().await;
    assert_eq!(refused["error"]["code"], "no_verdict");
    assert!(refused["reason"].as_str().unwrap().contains("no window is open"), "{refused}");
}
