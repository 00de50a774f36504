//! Which notes are taken, and that what is not taken changes nothing.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::mcp::asking::tests::house::{House, SECRET, forms, going};

async fn guarded() -> House {
    House::guarded(json!({ "form": "May it go out?" })).await
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[tokio::test]
async fn an_answer_counts_once() {
    for (verdict, came) in [("pass", None), ("refuse", Some("guard_refused"))] {
        let house = guarded().await;
        let client = house.new_client(&forms(), &[]).await;
        let state = client.asked().await;
        let first = client.back(going(), &state, verdict).await;
        assert_eq!(first["error"]["code"].as_str(), came, "{first}");
        let again = client.back(going(), &state, "pass").await;
        assert_eq!(code(&again), "request_state_used");
        assert_eq!(house.history().await.len(), 1);
    }
}

#[tokio::test]
async fn what_was_changed_or_belongs_to_something_else_is_refused() {
    let house = guarded().await;
    let client = house.new_client(&forms(), &[]).await;
    let state = client.asked().await;
    let other = |field: &str, value: Value| {
        let mut arguments = going();
        arguments[field] = value;
        arguments
    };
    let (half, cut) = (state.len() / 2, state.len() - 1);
    let flipped = format!(
        "{}{}{}",
        &state[..half],
        if &state[half..=half] == "A" { "B" } else { "A" },
        &state[half + 1..]
    );
    for (arguments, state) in [
        (going(), flipped.as_str()),
        (going(), &state[..cut]),
        (going(), ""),
        (going(), "rs2.x.y.z"),
        (other("actionName", json!("flee")), &state),
        (other("actor", json!("@Bob")), &state),
        (other("puzzleId", json!("q")), &state),
        (other("expected_version", json!(1)), &state),
        (other("request_id", json!("r")), &state),
    ] {
        assert_eq!(code(&client.back(arguments, state, "pass").await), "request_state_invalid", "{state}");
    }
    let stranger = house.client("2026-07-28", "stranger", &forms(), &[]).await;
    assert_eq!(code(&stranger.back(going(), &state, "pass").await), "request_state_invalid");
    assert!(house.history().await.is_empty());
    let mut waiting = going();
    waiting["wait_seconds"] = json!(1);
    assert_eq!(client.back(waiting, &state, "pass").await["currentState"], "B", "it is still good");
}

#[tokio::test]
async fn an_old_note_and_one_of_an_earlier_hub_are_refused() {
    let mut house = guarded().await;
    let client = house.new_client(&forms(), &[]).await;
    let state = client.asked().await;
    house.seals = Arc::new(Seals::new("later", SECRET));
    let later = house.new_client(&forms(), &[]).await.back(going(), &state, "pass").await;
    assert_eq!(code(&later), "request_state_invalid");
    assert!(later["error"]["message"].as_str().unwrap().contains("started anew"), "{later}");

    house.seals = Arc::new(Seals::living(Duration::ZERO, "short", SECRET));
    let client = house.new_client(&forms(), &[]).await;
    let state = client.asked().await;
    // It lives for the rest of a millisecond.
    while house.seals.codec.open_json::<Value>(&state).is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(code(&client.back(going(), &state, "pass").await), "request_state_expired");
    assert!(house.history().await.is_empty());
}

#[tokio::test]
async fn a_puzzle_that_has_moved_refuses_the_answer_and_says_where_it_is() {
    let house = guarded().await;
    let (first, second) =
        (house.new_client(&forms(), &[]).await, house.client("2026-07-28", "2", &forms(), &[]).await);
    let states = [first.asked().await, second.asked().await];
    assert_eq!(first.back(going(), &states[0], "pass").await["currentState"], "B");
    let lost = second.back(going(), &states[1], "pass").await;
    assert_eq!(
        (code(&lost), &lost["currentState"], &lost["version"]),
        ("version_conflict", &json!("B"), &json!(2))
    );
    assert_eq!(code(&second.back(going(), &states[1], "pass").await), "request_state_used");
}

#[test]
fn when_many_were_used_the_oldest_count_as_used() {
    let mut notes = Notes::default();
    let (unused, first) = (notes.issue(), notes.issue());
    assert!(notes.take(first) && !notes.take(first));
    for _ in 0..REMEMBERED {
        let number = notes.issue();
        assert!(notes.take(number));
    }
    assert_eq!(notes.used.len(), REMEMBERED);
    assert!(!notes.take(first) && !notes.take(unused));
    assert!(notes.is_used(notes.next - 1) && !notes.is_used(notes.next));
}
