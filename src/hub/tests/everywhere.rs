//! Waiting in all rooms at once.

use std::time::Duration;

use super::Table;
use super::support::{Client, settle, words};
use crate::hub::request::Wait;
use crate::hub::{Answer, HubError, TurnStatus};

async fn two_rooms(table: &Table) -> [Client; 2] {
    let (alice, bob) = (table.client("a"), table.client("b"));
    for room in ["talk", "other"] {
        table.room(&["@Alice", "@Bob"], |init| init.filepath = format!("{room}.md")).await;
        for (client, handle) in [(&alice, "@Alice"), (&bob, "@Bob")] {
            let wait = Wait { room: Some(room.to_owned()), timeout: Some(Duration::ZERO), ..of(handle) };
            client.hub.wait(&client.caller, wait).await.unwrap();
        }
    }
    [alice, bob]
}

fn of(handle: &str) -> Wait {
    Wait { handle: handle.to_owned(), ..Wait::default() }
}

async fn everywhere(client: &Client, handle: &str) -> Result<Answer, HubError> {
    client.hub.wait(&client.caller, Wait { room: Some("*".to_owned()), ..of(handle) }).await
}

async fn say(client: &Client, room: &str, sender: &str, content: &str) {
    let posted = client.send(sender, content, |send| {
        (send.room, send.block) = (Some(room.to_owned()), Some(false));
    });
    assert!(posted.await.unwrap().turn.posted.is_some());
}

#[tokio::test(start_paused = true)]
async fn the_first_room_with_news_ends_a_wait_in_all_and_others_are_named() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    everywhere(&bob, "@Bob").await.unwrap();
    let waiting = tokio::spawn({
        let bob = bob.clone();
        async move { everywhere(&bob, "@Bob").await }
    });
    settle().await;
    say(&alice, "other", "@Alice", "one @Bob").await;
    let first = waiting.await.unwrap().unwrap().turn;
    assert_eq!((first.room.as_str(), words(&first)), ("other", vec!["one @Bob".to_owned()]));
    say(&bob, "other", "@Bob", "done @Alice").await;
    say(&alice, "talk", "@Alice", "two @Bob").await;
    let second = everywhere(&bob, "@Bob").await.unwrap().turn;
    assert_eq!((second.room.as_str(), words(&second)), ("talk", vec!["two @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn the_newest_of_two_waits_in_all_rooms_wins() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    everywhere(&bob, "@Bob").await.unwrap();
    let spawn = || {
        let bob = bob.clone();
        tokio::spawn(async move { everywhere(&bob, "@Bob").await })
    };
    let first = spawn();
    settle().await;
    let second = spawn();
    assert_eq!(first.await.unwrap().unwrap().turn.status, TurnStatus::Replaced);
    settle().await;
    assert!(!second.is_finished());
    say(&alice, "talk", "@Alice", "one @Bob").await;
    assert_eq!(words(&second.await.unwrap().unwrap().turn), ["one @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn a_number_of_one_room_means_nothing_in_all_rooms() {
    let table = Table::new().await;
    let [_, bob] = two_rooms(&table).await;
    let wait = Wait { room: Some("*".to_owned()), after_seq_id: Some(1), ..of("@Bob") };
    assert_eq!(bob.hub.wait(&bob.caller, wait).await.unwrap_err().code(), "invalid_argument");
}

#[tokio::test(start_paused = true)]
async fn a_room_that_refuses_the_caller_keeps_it_from_no_other() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    table
        .room(&["@Bob", "@Dora"], |init| {
            init.filepath = "third.md".to_owned();
            init.policy.identity = Some("session".to_owned());
        })
        .await;
    let owner = table.client("owner");
    let wait = Wait { room: Some("third".to_owned()), timeout: Some(Duration::ZERO), ..of("@Bob") };
    owner.hub.wait(&owner.caller, wait).await.unwrap();
    say(&alice, "talk", "@Alice", "one @Bob").await;
    assert_eq!(words(&everywhere(&bob, "@Bob").await.unwrap().turn), ["one @Bob"]);
}

/// What an agent answers, without naming a room, belongs to the room whose turn it was given.
#[tokio::test(start_paused = true)]
async fn an_answer_goes_to_the_room_whose_turn_was_given() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    everywhere(&bob, "@Bob").await.unwrap();
    for (room, other) in [("talk", "other"), ("other", "talk")] {
        say(&alice, room, "@Alice", "a question, @Bob").await;
        let given = everywhere(&bob, "@Bob").await.unwrap().turn;
        assert_eq!((given.room.as_str(), given.status), (room, TurnStatus::YourTurn));
        // A second question comes in the other room while the first one is worked on.
        say(&alice, other, "@Alice", "a second question, @Bob").await;
        let answer = bob.say("@Bob", "the answer, @Alice").await;
        assert_eq!(answer.room, room);
        assert!(answer.posted.is_some());
        assert_eq!(everywhere(&bob, "@Bob").await.unwrap().turn.room, other);
        say(&bob, other, "@Bob", "the second answer, @Alice").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_in_all_rooms_without_news_changes_no_room_that_was_named() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    for (client, handle, room) in [(&alice, "@Alice", "talk"), (&bob, "@Bob", "other")] {
        let wait = Wait { room: Some(room.to_owned()), timeout: Some(Duration::ZERO), ..of(handle) };
        client.hub.wait(&client.caller, wait).await.unwrap();
    }
    everywhere(&bob, "@Bob").await.unwrap();
    assert_eq!(everywhere(&bob, "@Bob").await.unwrap().turn.status, TurnStatus::Timeout);
    assert_eq!(bob.look("@Bob").await.turn.room, "other");
}

#[tokio::test(start_paused = true)]
async fn every_room_with_news_is_named_in_one_answer_and_keeps_its_own() {
    let table = Table::new().await;
    let [alice, bob] = two_rooms(&table).await;
    everywhere(&bob, "@Bob").await.unwrap();
    for room in ["talk", "other"] {
        say(&alice, room, "@Alice", &format!("{room}? @Bob")).await;
    }
    let first = everywhere(&bob, "@Bob").await.unwrap().turn;
    let [other] = first.other_rooms.as_slice() else { panic!("{:?}", first.other_rooms) };
    assert_eq!(words(&first), [format!("{}? @Bob", first.room)]);
    let wait = Wait { room: Some(other.clone()), ..of("@Bob") };
    let second = bob.hub.wait(&bob.caller, wait).await.unwrap().turn;
    assert_eq!(words(&second), [format!("{other}? @Bob")]);
}
