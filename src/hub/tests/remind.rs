//! What hooks are told, and what they leave as it is.

use std::time::Duration;

use super::Table;
use super::support::{Client, settle, words};
use crate::hub::{HubError, Reminded, TurnStatus};

const MINUTE: Duration = Duration::from_mins(1);

/// `review: turn, 2 of @Bob`, one for each room.
async fn reminded(client: &Client, handle: &str) -> Vec<String> {
    shown(client.hub.remind(&client.caller, handle, None).await.unwrap())
}

fn shown(reminded: Reminded) -> Vec<String> {
    let Reminded::News(reminders) = reminded else { return Vec::new() };
    let shown = reminders.into_iter().map(|reminder| {
        let turn = if reminder.is_turn { "turn, " } else { "" };
        let senders: Vec<_> = reminder.senders.iter().map(ToString::to_string).collect();
        format!("{}: {turn}{} of {}", reminder.room, reminder.unread, senders.join(" "))
    });
    shown.collect()
}

fn watching(client: &Client, handle: &str) -> tokio::task::JoinHandle<Result<Reminded, HubError>> {
    let (client, handle) = (client.clone(), handle.to_owned());
    tokio::spawn(async move { client.hub.remind_later(&client.caller, &handle, None, MINUTE * 60).await })
}

#[tokio::test(start_paused = true)]
async fn a_hook_tells_what_waits_once() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "@Bob what do you think?").await;
    assert_eq!(reminded(&bob, "bob").await, ["talk: turn, 1 of @Alice"]);
    assert!(reminded(&bob, "@Bob").await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_hook_counts_only_what_was_not_given() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "@Bob what do you think?").await;
    bob.look("@Bob").await;
    bob.say("@Bob", "@Alice I like it.").await;
    alice.look("@Alice").await;
    alice.say("@Alice", "@user we are done.").await;
    let given = bob.look("@Bob").await;
    assert_eq!(words(&given.turn), ["@user we are done."]);
    assert!(reminded(&bob, "@Bob").await.is_empty(), "read, if not acknowledged yet");
    table.hub.take_back(given.receipt);
    settle().await;
    assert_eq!(reminded(&bob, "@Bob").await, ["talk: 1 of @Alice"], "the answer was lost");
}

#[tokio::test(start_paused = true)]
async fn a_hook_acknowledges_nothing_and_takes_no_turn() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "@Bob what do you think?").await;
    reminded(&bob, "@Bob").await;
    let given = bob.look("@Bob").await.turn;
    assert_eq!(given.status, TurnStatus::YourTurn);
    assert_eq!(words(&given), ["@Bob what do you think?"]);
    assert!(!given.new_messages.iter().any(|given| given.redelivered));
}

#[tokio::test(start_paused = true)]
async fn who_is_nowhere_is_told_nothing() {
    let table = Table::new().await;
    let (alice, _) = table.two_and(&["@Carol"]).await;
    alice.say("@Alice", "@Carol what do you think?").await;
    for handle in ["@Carol", "@Mallory"] {
        assert!(reminded(&alice, handle).await.is_empty(), "{handle}");
    }
    let elsewhere = alice.hub.remind(&alice.caller, "@Alice", Some("nowhere")).await.unwrap();
    assert_eq!(elsewhere, Reminded::Nothing);
    assert!(alice.hub.remind(&alice.caller, "no handle", None).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_hook_in_the_background_wakes_when_something_comes() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let watch = watching(&bob, "@Bob");
    settle().await;
    tokio::time::sleep(MINUTE * 30).await;
    alice.say("@Alice", "@Bob what do you think?").await;
    assert_eq!(shown(watch.await.unwrap().unwrap()), ["talk: turn, 1 of @Alice"]);
}

#[tokio::test(start_paused = true)]
async fn a_hook_in_the_background_gives_way_to_every_call_and_to_a_newer_hook() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let first = watching(&bob, "@Bob");
    settle().await;
    let second = watching(&bob, "@Bob");
    assert_eq!(first.await.unwrap().unwrap(), Reminded::Replaced);
    let call = bob.spawn_wait("@Bob");
    assert_eq!(second.await.unwrap().unwrap(), Reminded::Replaced);
    let third = watching(&bob, "@Bob");
    assert_eq!(third.await.unwrap().unwrap(), Reminded::Nothing, "the call wakes the agent");
    assert_eq!(call.await.unwrap().unwrap().turn.status, TurnStatus::Timeout, "nothing replaced the call");
}

#[tokio::test(start_paused = true)]
async fn an_agent_whose_hook_watches_is_here() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let watch = watching(&bob, "@Bob");
    settle().await;
    tokio::time::sleep(MINUTE * 40).await;
    let posted = alice.say("@Alice", "@Bob what do you think?").await.posted.unwrap();
    assert_eq!(posted.delivery[0].state, crate::hub::DeliveryState::Woken);
    assert_eq!(shown(watch.await.unwrap().unwrap()).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_goes_away_leaves_nothing_behind() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let watch = watching(&bob, "@Bob");
    settle().await;
    bob.caller.cancelled.cancel();
    assert!(matches!(watch.await.unwrap(), Err(HubError::Cancelled)));
    let state = alice.hub.room_state(&alice.caller, None).await.unwrap();
    assert!(state.participants.iter().all(|member| !member.is_waiting));
    table.hub.stop();
    assert!(matches!(alice.hub.remind(&alice.caller, "@Alice", None).await, Err(HubError::Stopping)));
}
