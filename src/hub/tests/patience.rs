//! What calls that are given up, and calls that end well, do to the waits of a client.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Table;
use super::support::{Client, settle};
use crate::hub;
use crate::hub::TurnStatus;
use crate::hub::request::Wait;

/// A session of a client that gives every call up after so many seconds.
fn impatient(table: &Table) -> Client {
    let mut client = table.client("b");
    client.caller.client = Some(hub::Client { name: "somebody".to_owned(), version: "1".to_owned() });
    client
}

async fn given_up_after(client: &Client, seconds: u64) {
    let mut client = client.clone();
    client.caller.cancelled = CancellationToken::new();
    let waiting = client.spawn_wait("@Bob");
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    client.caller.cancelled.cancel();
    assert!(waiting.await.unwrap().is_err());
}

/// How long a wait lasts in which nothing happens.
async fn waited(client: &Client) -> u64 {
    let answer = client.hub.wait(&client.caller, Wait { handle: "@Bob".to_owned(), ..Wait::default() }).await;
    let turn = answer.unwrap().turn;
    assert_eq!(turn.status, TurnStatus::Timeout);
    turn.waited.as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_client_that_gives_up_twice_at_the_same_age_is_answered_before() {
    let table = Table::new().await;
    table.two().await;
    let bob = impatient(&table);
    given_up_after(&bob, 30).await;
    assert_eq!(waited(&bob).await, 45);
    given_up_after(&bob, 30).await;
    assert_eq!(waited(&bob).await, 27);
    let known = table.hub.safe_waits();
    assert!(known[0].is_learned && known[0].client == "somebody 1" && known[0].wait.as_secs() == 27);
}

#[tokio::test(start_paused = true)]
async fn waits_whose_answers_arrive_get_longer_again() {
    let table = Table::new().await;
    table.two().await;
    let bob = impatient(&table);
    for _ in 0..2 {
        given_up_after(&bob, 30).await;
    }
    let mut lengths = Vec::new();
    for _ in 0..7 {
        lengths.push(waited(&bob).await);
    }
    assert_eq!(lengths, [27, 27, 27, 27, 27, 33, 33], "the next call tells that the last answer arrived");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_came_too_late_counts_as_a_call_given_up() {
    let table = Table::new().await;
    table.two().await;
    let bob = impatient(&table);
    for _ in 0..2 {
        let wait = Wait { handle: "@Bob".to_owned(), ..Wait::default() };
        let late = bob.hub.wait(&bob.caller, wait).await.unwrap();
        table.hub.take_back(late.receipt);
        settle().await;
    }
    assert_eq!(waited(&bob).await, 40, "nine tenths of 45 seconds");
}

#[tokio::test(start_paused = true)]
async fn a_given_time_teaches_nothing() {
    let table = Table::new().await;
    table.two().await;
    let bob = impatient(&table);
    for _ in 0..2 {
        let mut client = bob.clone();
        client.caller.cancelled = CancellationToken::new();
        let cancelled = client.caller.cancelled.clone();
        let waiting = tokio::spawn(async move {
            let timeout = Some(Duration::from_mins(10));
            client
                .hub
                .wait(&client.caller, Wait { handle: "@Bob".to_owned(), timeout, ..Wait::default() })
                .await
        });
        tokio::time::sleep(Duration::from_secs(30)).await;
        cancelled.cancel();
        assert!(waiting.await.unwrap().is_err());
    }
    assert_eq!(waited(&bob).await, 45);
}
