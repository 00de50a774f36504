//! Acting on a puzzle, and waiting for what those say who are asked first.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::support::{Client, settle};
use super::*;
use crate::hub::{ActOnPuzzle, Acted, AddPuzzle, AnswerGuard, HubError};

/// How an action ends that waits for its guards.
type Ending = JoinHandle<Result<Acted, HubError>>;

/// A puzzle that goes from A to B once `guard` lets it, and to C at once.
async fn puzzle(table: &Table, guard: Value) -> Client {
    let client = table.client("a");
    let config = json!({
        "id": "p",
        "initialState": "A",
        "states": {
            "A": { "actions": { "go": { "targetState": "B", "guard": guard }, "flee": { "targetState": "C" } } },
            "B": { "final": true },
            "C": { "final": true },
        },
    });
    client.hub.add_puzzle(&client.caller, AddPuzzle { config, ..AddPuzzle::default() }).await.unwrap();
    client
}

fn question(who: &str) -> Value {
    json!({ "participant": who, "question": "May it?" })
}

fn act(action: &str) -> ActOnPuzzle {
    let actor = Some("@Ada".to_owned());
    ActOnPuzzle { puzzle: "p".to_owned(), action: action.to_owned(), actor, ..ActOnPuzzle::default() }
}

/// Starts to act, and comes back when it waits.
async fn acting(client: &Client, seconds: u64) -> Ending {
    let acting = client.clone();
    let ending = tokio::spawn(async move {
        let limit = Duration::from_secs(seconds);
        acting.hub.act_on_puzzle_and_wait(&acting.caller, act("go"), limit).await
    });
    settle().await;
    ending
}

async fn say(client: &Client, by: &str, pass: bool) {
    let guard = client.hub.puzzle("p").await.unwrap().snapshot.pending[0].guard_id.clone();
    let answer =
        AnswerGuard { puzzle: "p".to_owned(), guard, pass, by: by.to_owned(), ..AnswerGuard::default() };
    client.hub.answer_guard(&client.caller, answer).await.unwrap();
}

async fn end(ending: Ending) -> Result<String, &'static str> {
    match ending.await.unwrap() {
        Ok(Acted::Done(state)) => Ok(state.snapshot.current_state),
        Ok(Acted::Pending(..)) => Ok("pending".to_owned()),
        Ok(Acted::Ask(_)) => Ok("ask".to_owned()),
        Err(error) => Err(error.code()),
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_guard_learns_what_came_of_it() {
    for (pass, came) in [(true, Ok("B".to_owned())), (false, Err("guard_refused"))] {
        let table = Table::new().await;
        let client = puzzle(&table, question("@Bob")).await;
        let ending = acting(&client, 60).await;
        say(&client, "@Bob", pass).await;
        assert_eq!(end(ending).await, came);
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_guard_waits_for_the_next_one_too() {
    let table = Table::new().await;
    let client = puzzle(&table, json!([question("@Bob"), question("@Carol")])).await;
    let ending = acting(&client, 60).await;
    say(&client, "@Bob", true).await;
    settle().await;
    assert!(!ending.is_finished());
    say(&client, "@Carol", true).await;
    assert_eq!(end(ending).await, Ok("B".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_guard_of_a_puzzle_that_moves_on_is_answered_by_nobody() {
    let table = Table::new().await;
    let client = puzzle(&table, question("@Bob")).await;
    let ending = acting(&client, 60).await;
    client.hub.act_on_puzzle(&client.caller, act("flee")).await.unwrap();
    assert_eq!(end(ending).await, Err("version_conflict"));

    let table = Table::new().await;
    let client = puzzle(&table, question("@Bob")).await;
    let ending = acting(&client, 60).await;
    client.hub.remove_puzzle(&client.caller, "p", None).await.unwrap();
    assert_eq!(end(ending).await, Err("puzzle_removed"));
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_nobody_answers_in_time_stays_pending() {
    let table = Table::new().await;
    let client = puzzle(&table, question("@Bob")).await;
    let ending = acting(&client, 60).await;
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(end(ending).await, Ok("pending".to_owned()));
    assert_eq!(client.hub.puzzle("p").await.unwrap().snapshot.version, 2, "it is asked once");
    let ending = acting(&client, 60).await;
    client.caller.cancelled.cancel();
    assert_eq!(end(ending).await, Err("cancelled"));
    assert_eq!(client.hub.puzzle("p").await.unwrap().snapshot.pending.len(), 1, "the question stays");
}

#[tokio::test(start_paused = true)]
async fn a_list_goes_on_after_a_puzzle_that_was_removed() {
    let table = Table::new().await;
    let client = table.client("a");
    for id in ["a", "c", "b", "d"] {
        let config = json!({ "id": id, "initialState": "A", "states": { "A": { "final": true } } });
        client.hub.add_puzzle(&client.caller, AddPuzzle { config, ..AddPuzzle::default() }).await.unwrap();
    }
    let (ids, has_more) = client.hub.puzzle_ids_after(None, 2).await.unwrap();
    assert_eq!((ids, has_more), (vec!["a".to_owned(), "c".to_owned()], true));
    client.hub.remove_puzzle(&client.caller, "c", None).await.unwrap();
    let (ids, has_more) = client.hub.puzzle_ids_after(Some("c"), 2).await.unwrap();
    assert_eq!((ids, has_more), (vec!["b".to_owned(), "d".to_owned()], false));
    assert!(client.hub.puzzle_ids_after(Some("x"), 2).await.is_err());
}
