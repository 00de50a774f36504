//! Rooms that leave memory when nothing goes on in them, and come back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::DateTime;

use super::Table;
use super::support::{settle, words};
use crate::hub::request::Wait;
use crate::hub::rest::REST_AFTER;
use crate::hub::{RoomState, TurnStatus};

/// By then every lease is over.
const LONG: Duration = Duration::from_hours(2);
const MINUTE: Duration = Duration::from_mins(1);

async fn left_alone() {
    tokio::time::sleep(LONG + REST_AFTER).await;
    settle().await;
}

async fn state(table: &Table) -> RoomState {
    let caller = table.client("s").caller;
    table.hub.room_state(&caller, Some("talk")).await.unwrap()
}

fn is_awake(table: &Table) -> bool {
    table.hub.shared.rooms_seen().iter().any(|live| live.is_awake.load(Ordering::SeqCst))
}

async fn is_loaded(table: &Table) -> bool {
    let mut is_loaded = false;
    for live in table.hub.shared.rooms_seen() {
        is_loaded |= live.lock_as_it_is(&table.hub.shared).await.is_loaded();
    }
    is_loaded
}

#[tokio::test(start_paused = true)]
async fn a_room_that_is_left_alone_leaves_memory_and_comes_back_the_same() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    bob.say("@Bob", "two @Alice @user").await;
    tokio::time::sleep(LONG).await;
    let before = state(&table).await;
    assert!(is_awake(&table));
    left_alone().await;
    assert!(!is_awake(&table) && !is_loaded(&table).await);
    let after = state(&table).await;
    let before = RoomState { at: after.at, ..before };
    assert_eq!(format!("{after:?}"), format!("{before:?}"));
    assert_eq!(words(&alice.look("@Alice").await.turn), ["two @Alice @user"]);
}

#[tokio::test(start_paused = true)]
async fn nobody_waiting_is_forgotten() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |_| ()).await;
    let alice = table.client("a");
    alice.join("@Alice").await;
    let waiting = tokio::spawn({
        let alice = alice.clone();
        async move { alice.wait_for("@Alice", Duration::from_hours(20)).await }
    });
    left_alone().await;
    assert!(is_awake(&table));
    table.client("b").join("@Bob").await;
    assert_eq!(waiting.await.unwrap().turn.status, TurnStatus::YourTurn);
}

#[tokio::test(start_paused = true)]
async fn a_room_that_somebody_is_subscribed_to_stays_in_memory() {
    let table = Table::new().await;
    table.two().await;
    let changes = table.hub.changes("talk").await.unwrap();
    left_alone().await;
    assert!(is_awake(&table));
    drop(changes);
    left_alone().await;
    assert!(!is_awake(&table) && !is_loaded(&table).await, "nobody is subscribed any more");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_comes_back_to_a_room_at_rest_leaves_it_at_rest_in_the_end() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let given = bob.look("@Bob").await;
    left_alone().await;
    table.hub.take_back(given.receipt);
    settle().await;
    assert!(is_awake(&table), "somebody looks after what is loaded");
    left_alone().await;
    assert!(!is_awake(&table) && !is_loaded(&table).await);
}

#[tokio::test(start_paused = true)]
async fn storing_what_was_read_does_not_put_off_the_archive() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    bob.look("@Bob").await;
    tokio::time::sleep(MINUTE).await;
    let shared = &table.hub.shared;
    let live = shared.named_room("talk").await.unwrap();
    live.lock(shared).await.unwrap().store_cursors().await.unwrap();
    assert!(live.silence(DateTime::UNIX_EPOCH, shared.clock.now()) >= MINUTE);
}

#[tokio::test(start_paused = true)]
async fn a_room_that_has_come_back_has_its_deadlines_again() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    left_alone().await;
    bob.look("@Bob").await;
    alice.say("@Alice", "one @Bob").await;
    assert_eq!(state(&table).await.active_turn.unwrap().as_str(), "@Bob");
    tokio::time::sleep(Duration::from_mins(16)).await;
    settle().await;
    assert_eq!(state(&table).await.active_turn, None, "the lease is over");
}

#[tokio::test(start_paused = true)]
async fn what_a_session_was_given_before_a_rest_is_not_given_again_unless_it_was_lost() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let given = bob.look("@Bob").await;
    assert_eq!(words(&given.turn), ["one @Bob"]);
    left_alone().await;
    table.hub.take_back(given.receipt);
    let again = bob.look("@Bob").await;
    assert_eq!(words(&again.turn), ["one @Bob"], "the answer was lost");
    left_alone().await;
    assert!(words(&bob.look("@Bob").await.turn).is_empty(), "it has arrived");
}

#[tokio::test(start_paused = true)]
async fn the_note_goes_on_after_a_rest() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "before @Bob").await;
    left_alone().await;
    bob.say("@Bob", "after @Alice").await;
    let note = std::fs::read_to_string(state(&table).await.filepath).unwrap();
    assert!(note.contains("before @Bob") && note.contains("after @Alice"), "{note}");
}

#[tokio::test(start_paused = true)]
async fn rooms_are_listed_and_found_without_loading_them() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let before = format!("{:?}", table.hub.rooms().await.unwrap());
    table.hub.shared.save_briefs().await;
    table.restart().await;
    assert_eq!(format!("{:?}", table.hub.rooms().await.unwrap()), before);
    assert!(!is_loaded(&table).await);
    let bob = table.client("b");
    let wait = Wait { handle: "@bob".to_owned(), timeout: Some(Duration::ZERO), ..Wait::default() };
    assert_eq!(words(&bob.hub.wait(&bob.caller, wait).await.unwrap().turn), ["one @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn a_brief_that_is_older_than_the_log_does_not_count() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    table.hub.shared.save_briefs().await;
    alice.say("@Alice", "one @Bob").await;
    table.restart().await;
    assert_eq!(table.hub.rooms().await.unwrap()[0].message_count, 1);
}
