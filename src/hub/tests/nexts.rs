//! What `next` tells: some models read nothing else.

use serde_json::json;

use super::Table;
use super::support::{settle, words};
use crate::hub::request::Join;
use crate::hub::{AddPuzzle, TurnStatus};

#[tokio::test(start_paused = true)]
async fn a_message_that_is_not_posted_is_told_in_next_whatever_the_reason() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.max_agent_turns = Some(1)).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let early = alice.say("@Alice", "hello @Bob").await;
    assert_eq!(early.next, "nothing was posted until @Bob joins; call wait_for_turn");
    bob.join("@Bob").await;
    let out_of_turn = bob.say("@Bob", "hello @Alice").await;
    assert_eq!(out_of_turn.next, "nothing was posted: @Alice has the floor; call wait_for_turn");
    alice.say("@Alice", "hello @Bob").await;
    let paused = bob.say("@Bob", "hello @Alice").await;
    assert_eq!(paused.status, TurnStatus::Paused);
    assert!(paused.next.starts_with("nothing was posted: paused"), "{}", paused.next);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_not_posted_is_told_in_next_also_when_there_is_more_to_read() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    for n in 0..3 {
        table.client("u").say("@user", &format!("{} {n}", "x".repeat(40 << 10))).await;
    }
    let refused = bob.say("@Bob", "me too @Alice").await;
    assert!(refused.remaining_unread > 0);
    assert!(refused.next.starts_with("nothing was posted"), "{}", refused.next);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_long_conversation_is_told_to_its_last_word() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let person = table.client("u");
    for n in 0..3 {
        person.say("@user", &format!("{} {n}", "x".repeat(40 << 10))).await;
    }
    person.close("@user").await.unwrap();
    let (mut heard, mut nexts) = (0, Vec::new());
    for _ in 0..3 {
        let turn = bob.look("@Bob").await.turn;
        assert_eq!(turn.status, TurnStatus::Closed);
        heard += words(&turn).len();
        nexts.push(turn.next);
    }
    assert_eq!(heard, 3);
    assert!(nexts[0].contains("wait_for_turn"), "{nexts:?}");
    assert_eq!(nexts[2], "the conversation is over; stop");
}

#[tokio::test(start_paused = true)]
async fn when_only_a_person_can_move_the_room_next_names_the_call_that_waits() {
    let table = Table::new().await;
    let (alice, bob) = table.two_and(&["@user"]).await;
    alice.say("@Alice", "which one, @user?").await;
    settle().await;
    bob.wait("@Bob").await;
    let mut next = String::new();
    for _ in 0..3 {
        next = bob.wait("@Bob").await.turn.next;
    }
    assert!(next.contains("only a person") && next.contains("wait_for_turn"), "{next}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_comes_with_news_still_asks_for_an_answer() {
    let table = Table::new().await;
    let (alice, bob) = table.two_and(&["@Carol"]).await;
    let carol = table.client("c");
    carol.join("@Carol").await;
    alice.say("@Alice", "your views, @Bob @Carol?").await;
    bob.look("@Bob").await;
    bob.say("@Bob", "mine is no, @Alice").await;
    let turn = carol.wait("@Carol").await.turn;
    assert_eq!(turn.status, TurnStatus::YourTurn);
    assert_eq!(words(&turn), ["your views, @Bob @Carol?", "mine is no, @Alice"]);
    assert_eq!(turn.next, "your turn: call send_message and mention who must answer, or call pass_turn");
}

#[tokio::test(start_paused = true)]
async fn each_answer_tells_how_many_turns_are_left_before_the_pause_when_few_are() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.max_agent_turns = Some(12)).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    alice.look("@Alice").await;
    bob.join("@Bob").await;
    let mut left = Vec::new();
    for _ in 0..2 {
        left.push(alice.say("@Alice", "go on, @Bob").await.agent_turns_until_pause);
        left.push(bob.say("@Bob", "no, you go on, @Alice").await.agent_turns_until_pause);
    }
    assert_eq!(left, [None, Some(10), Some(9), Some(8)]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_over_and_carries_words_does_not_say_that_there_is_no_news() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    let states = json!({ "A": { "actions": { "go": { "targetState": "A" } } } });
    let config = json!({ "id": "p", "room": "talk", "initialState": "A", "states": states });
    let add = AddPuzzle { config, ..AddPuzzle::default() };
    alice.hub.add_puzzle(&alice.caller, add).await.unwrap();
    let heard = bob.look("@Bob").await.turn;
    assert_eq!((heard.status, heard.new_messages.len()), (TurnStatus::Timeout, 1));
    assert_eq!(heard.next, "not your turn; read new_messages, then call wait_for_turn again");
    assert!(bob.look("@Bob").await.turn.next.starts_with("no news"));
}

#[tokio::test(start_paused = true)]
async fn whoever_has_the_floor_for_a_puzzle_is_told_so() {
    let table = Table::new().await;
    let client = table.client("a");
    let config = json!({
        "id": "p",
        "initialState": "A",
        "states": { "A": { "who": "@Ada", "actions": { "go": { "targetState": "B" } } }, "B": {} },
    });
    let add = AddPuzzle { config, ..AddPuzzle::default() };
    let room = client.hub.add_puzzle(&client.caller, add).await.unwrap().state.room.map(|room| room.id);
    let join = Join { handle: "@Ada".to_owned(), room, ..Join::default() };
    let turn = client.hub.join(&client.caller, join).await.unwrap().turn;
    assert_eq!(
        turn.next,
        "your turn in a puzzle of this room: get_puzzle_snapshot, then act or answer_guard"
    );
}
