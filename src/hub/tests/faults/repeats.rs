//! Words that were posted twice, and words that were taken for a repeat.

use std::time::Duration;

use super::{Table, words};
use crate::hub::TurnStatus;
use crate::hub::request::{Init, Send};

fn with_id(id: &str) -> impl Fn(&mut Send) + '_ {
    move |send| (send.request_id, send.block) = (Some(id.to_owned()), Some(false))
}

#[tokio::test(start_paused = true)]
async fn a_retry_with_its_request_id_is_the_first_message_also_later_and_after_a_restart() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    let call = alice.send("@Alice", "go on @Bob", |send| send.request_id = Some("k".to_owned()));
    assert!(tokio::time::timeout(Duration::from_secs(5), call).await.is_err(), "its answer is lost");
    let seq = table.state().await.last_seq_id;
    for _ in 0..2 {
        let again = table.client("a").send("@Alice", "go on @Bob", with_id("k")).await.unwrap();
        let again = again.turn.posted.unwrap();
        assert_eq!((again.seq_id, again.repeated), (seq, true));
        let other = table.client("a").send("@Alice", "stop @Bob", with_id("k")).await.unwrap_err();
        assert_eq!(other.code(), "request_id_reused");
        table.client("b").say("@Bob", "I do, @Alice").await;
        tokio::time::sleep(Duration::from_mins(10)).await;
        table.restart().await;
    }
}

#[tokio::test(start_paused = true)]
async fn two_posts_at_once_with_one_request_id_are_one_message() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let (one, other) = tokio::join!(
        alice.send("@Alice", "go on @Bob", with_id("k")),
        alice.send("@Alice", "go on @Bob", with_id("k"))
    );
    let [one, other] = [one, other].map(|answer| answer.unwrap().turn.posted.unwrap());
    assert_eq!(one.seq_id, other.seq_id);
    assert!(one.repeated != other.repeated);
    assert_eq!(table.state().await.message_count, 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_id_counts_in_its_own_room_only() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.send("@Alice", "go on @Bob", with_id("k")).await.unwrap();
    let other = Init {
        filepath: "other.md".to_owned(),
        participants: vec!["@Alice".to_owned(), "@Bob".to_owned()],
        policy: crate::hub::request::PolicyRequest {
            barrier: Some(crate::hub::request::BarrierRequest::Count(0)),
            ..Default::default()
        },
        ..Init::default()
    };
    table.client("maker").init(other).await.unwrap();
    let there = |send: &mut Send| {
        with_id("k")(send);
        send.room = Some("other".to_owned());
    };
    let posted = alice.send("@Alice", "another matter @Bob", there).await.unwrap().turn.posted.unwrap();
    assert!(!posted.repeated);
}

#[tokio::test(start_paused = true)]
async fn the_same_words_are_one_message_in_a_turn_and_two_in_two_turns() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "tea, @Bob?").await;
    bob.look("@Bob").await;
    let first = bob.say("@Bob", "@Alice yes").await.posted.unwrap();
    tokio::time::sleep(Duration::from_millis(3_200)).await;
    let again = bob.say("@Bob", "@Alice yes").await.posted.unwrap();
    assert_eq!((again.seq_id, again.repeated), (first.seq_id, true));
    alice.say("@Alice", "now, @Bob?").await;
    assert_eq!(words(&bob.look("@Bob").await.turn), ["now, @Bob?"]);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let second = bob.say("@Bob", "@Alice yes").await.posted.unwrap();
    assert!(second.seq_id > first.seq_id && !second.repeated);
}

#[tokio::test(start_paused = true)]
async fn a_turn_takes_one_word_whoever_brings_it() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let first = alice.say("@Alice", "go on, @Bob").await.posted.unwrap();
    let supervisor = table.client("s");
    let same = supervisor.say("@Alice", "go on, @Bob").await.posted.unwrap();
    assert_eq!((same.seq_id, same.repeated), (first.seq_id, true));
    let other = supervisor.say("@Alice", "I told @Bob to go on").await;
    assert_eq!((other.status, other.posted.is_none()), (TurnStatus::NotYourTurn, true));
}
