//! The wall clock is set forward and back: nothing is decided by it.

use std::time::Duration;

use chrono::TimeDelta;

use super::Table;
use super::support::{settle, words};
use crate::clock::set_wall_clock;
use crate::hub::TurnStatus;
use crate::hub::request::Init;

const YEARS: TimeDelta = TimeDelta::days(365 * 20);

/// Id and phase of each room, the newest first.
async fn rooms(table: &Table) -> Vec<(String, &'static str)> {
    table.hub.rooms().await.unwrap().into_iter().map(|room| (room.room, room.phase)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_forward_archives_no_room() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    set_wall_clock(YEARS);
    assert_eq!(rooms(&table).await, [("talk".to_owned(), "open")]);
    let again =
        Init { filepath: "talk.md".to_owned(), participants: vec!["@Alice".to_owned()], ..Init::default() };
    assert_eq!(table.client("maker").init(again).await.unwrap_err().code(), "room_exists");
    // A stranger's session finds the room of its handle all the same.
    table.room(&["@Carol", "@Dora"], |init| init.filepath = "other.md".to_owned()).await;
    assert_eq!(words(&table.client("b2").look("@Bob").await.turn), ["one @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn a_day_of_silence_archives_a_room_whatever_the_clock_does() {
    let table = Table::new().await;
    table.two().await;
    for hours in 0..24 {
        set_wall_clock(if hours % 2 == 0 { -YEARS } else { YEARS });
        assert_eq!(rooms(&table).await, [("talk".to_owned(), "open")], "after {hours} hours");
        tokio::time::advance(Duration::from_hours(1)).await;
        settle().await;
    }
    // The two were found to be away in the first hours: that broke the silence.
    tokio::time::advance(Duration::from_hours(3)).await;
    assert_eq!(rooms(&table).await, [("talk".to_owned(), "archived")]);
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_the_clock_tells_how_long_a_room_was_silent() {
    let mut table = Table::new().await;
    table.two().await;
    set_wall_clock(TimeDelta::hours(-48));
    table.restart().await;
    assert_eq!(rooms(&table).await, [("talk".to_owned(), "open")], "its last word lies in the future");
    set_wall_clock(TimeDelta::hours(48 + 25));
    table.restart().await;
    assert_eq!(rooms(&table).await, [("talk".to_owned(), "archived")]);
}

#[tokio::test(start_paused = true)]
async fn the_room_made_last_is_the_newest_also_after_the_clock_was_set_back() {
    let mut table = Table::new().await;
    table.two().await;
    set_wall_clock(-YEARS);
    table.room(&["@Carol", "@Dora"], |init| init.filepath = "other.md".to_owned()).await;
    let newest_first = [("other".to_owned(), "gathering"), ("talk".to_owned(), "open")];
    assert_eq!(rooms(&table).await, newest_first);
    assert_eq!(table.hub.room_state(&table.client("s").caller, None).await.unwrap().room, "other");
    table.restart().await;
    assert_eq!(rooms(&table).await[0].0, "other");
}

/// The same conversation, with the clock set before each step.
#[tokio::test(start_paused = true)]
async fn waits_leases_and_order_do_not_feel_the_clock() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    set_wall_clock(-YEARS);
    alice.say("@Alice", "one @Bob").await;
    let turn = waiting.await.unwrap().unwrap().turn;
    assert_eq!((turn.status, words(&turn)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
    assert!(turn.waited < Duration::from_secs(1), "{:?}", turn.waited);
    set_wall_clock(YEARS + YEARS);
    bob.say("@Bob", "two @Alice").await;
    set_wall_clock(-YEARS);
    let page = table.hub.room_state(&alice.caller, None).await.unwrap();
    assert_eq!((page.last_seq_id, page.active_turn.unwrap().as_str()), (4, "@Alice"));
    let begun = tokio::time::Instant::now();
    let late = bob.wait_for("@Bob", Duration::from_mins(10)).await.turn;
    assert_eq!((late.status, begun.elapsed().as_secs()), (TurnStatus::Timeout, 600));
    tokio::time::advance(Duration::from_secs(301)).await;
    settle().await;
    let state = table.hub.room_state(&alice.caller, None).await.unwrap();
    assert_ne!(
        state.active_turn.map(|turn| turn.to_string()).as_deref(),
        Some("@Alice"),
        "her lease is over"
    );
}
