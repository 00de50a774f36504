//! A conversation: turns, waits, answers that arrive or do not.

use std::time::Duration;

use super::Table;
use super::support::{settle, words};
use crate::hub::request::Send;
use crate::hub::{DeliveryState, TurnStatus};

#[tokio::test(start_paused = true)]
async fn a_room_opens_when_two_have_joined_and_the_first_has_the_floor() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |_| ()).await;
    let alice = table.client("a").spawn_join("@Alice");
    settle().await;
    assert!(!alice.is_finished());
    let bob = table.client("b").join("@Bob").await;
    assert_eq!(bob.status, TurnStatus::Joined);
    let alice = alice.await.unwrap().unwrap().turn;
    assert_eq!(alice.status, TurnStatus::YourTurn);
    assert!(alice.system_notice.unwrap().contains("You are @Alice"));
}

#[tokio::test(start_paused = true)]
async fn a_join_whose_time_is_over_stays_joined_and_waits() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |_| ()).await;
    let alice = table.client("a").join("@Alice").await;
    assert_eq!(alice.status, TurnStatus::Waiting);
    assert!(alice.next.contains("@Bob"), "{}", alice.next);
}

#[tokio::test(start_paused = true)]
async fn a_post_wakes_whom_it_mentions() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    let posted = alice.say("@Alice", "hello @Bob").await.posted.unwrap();
    assert_eq!(posted.delivery[0].state, DeliveryState::Woken);
    let woken = waiting.await.unwrap().unwrap().turn;
    assert_eq!((woken.status, words(&woken)), (TurnStatus::YourTurn, vec!["hello @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_acknowledged_by_the_next_call_of_the_same_session() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    assert_eq!(words(&bob.look("@Bob").await.turn), ["one @Bob"]);
    let again = bob.look("@Bob").await.turn;
    assert_eq!(words(&again), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_new_session_is_given_what_was_not_acknowledged_and_is_told_so() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    bob.look("@Bob").await;
    let again = table.client("b2").look("@Bob").await.turn;
    assert_eq!(words(&again), ["one @Bob"]);
    assert!(again.new_messages.iter().all(|given| given.redelivered));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_taken_back_is_given_again() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let lost = bob.look("@Bob").await;
    table.hub.take_back(lost.receipt);
    let again = bob.look("@Bob").await;
    assert_eq!((again.turn.status, words(&again.turn)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
    bob.look("@Bob").await;
    table.hub.take_back(again.receipt);
    settle().await;
    assert_eq!(words(&bob.look("@Bob").await.turn), ["one @Bob"], "also when it had been acknowledged");
}

#[tokio::test(start_paused = true)]
async fn what_is_given_again_after_a_lost_answer_is_acknowledged_as_usual() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.hub.take_back(bob.look("@Bob").await.receipt);
    assert_eq!(words(&bob.look("@Bob").await.turn), ["one @Bob"]);
    settle().await;
    assert_eq!(words(&bob.look("@Bob").await.turn), [""; 0], "it is not given a third time");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wait_consumes_nothing_and_leaves_nothing_behind() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    bob.caller.cancelled.cancel();
    assert!(waiting.await.unwrap().is_err());
    let posted = alice.say("@Alice", "one @Bob").await.posted.unwrap();
    assert_eq!(posted.delivery[0].state, DeliveryState::Queued);
    assert_eq!(words(&table.client("b").look("@Bob").await.turn), ["one @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn the_newest_wait_of_an_agent_wins() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let first = bob.spawn_wait("@Bob");
    settle().await;
    let second = table.client("b2").spawn_wait("@Bob");
    assert_eq!(first.await.unwrap().unwrap().turn.status, TurnStatus::Replaced);
    alice.say("@Alice", "one @Bob").await;
    assert_eq!(second.await.unwrap().unwrap().turn.status, TurnStatus::YourTurn);
}

#[tokio::test(start_paused = true)]
async fn a_holder_that_waits_again_without_speaking_waits_longer_each_time() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let mut waited = Vec::new();
    for _ in 0..4 {
        let turn = alice.wait("@Alice").await.turn;
        assert_eq!(turn.status, TurnStatus::YourTurn);
        waited.push(turn.waited.as_secs());
    }
    assert_eq!(waited, [0, 1, 5, 15]);
}

#[tokio::test(start_paused = true)]
async fn out_of_turn_nothing_is_posted_and_what_is_unread_comes_along() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    bob.say("@Bob", "two @Alice").await;
    let refused = bob.say("@Bob", "three @Alice").await;
    assert_eq!(refused.status, TurnStatus::NotYourTurn);
    assert!(refused.posted.is_none());
    assert!(refused.next.contains("@Alice has the floor"), "{}", refused.next);
}

#[tokio::test(start_paused = true)]
async fn the_same_words_after_a_lost_answer_are_a_retry() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let first = alice.send("@Alice", "go on @Bob", |send| send.block = Some(false)).await.unwrap();
    table.hub.take_back(first.receipt);
    bob.say("@Bob", "done @Alice").await;
    let retry = alice.say("@Alice", "go on @Bob").await;
    assert!(retry.posted.as_ref().unwrap().repeated);
    assert_eq!(words(&retry).len(), 1);
    let again = alice.say("@Alice", "go on @Bob").await.posted.unwrap();
    assert!(!again.repeated, "an answer with news has arrived since");
}

#[tokio::test(start_paused = true)]
async fn the_same_words_after_a_cancelled_post_are_a_retry() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.look("@Alice").await;
    for attempt in 1..=3 {
        let call = alice.send("@Alice", "go on @Bob", |_| ());
        let cut = tokio::time::timeout(Duration::from_secs(5), call).await;
        assert!(cut.is_err(), "nobody answers; the client gives up");
        let state = alice.hub.room_state(&alice.caller, None).await.unwrap();
        assert_eq!(state.message_count, 1, "attempt {attempt}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_a_wait_that_began_before_a_post_does_not_settle_it() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.look("@Alice").await;
    alice.look("@Alice").await;
    let waiting = alice.spawn_wait("@Alice");
    settle().await;
    let cut = tokio::time::timeout(Duration::from_secs(5), alice.send("@Alice", "go on @Bob", |_| ())).await;
    assert!(cut.is_err());
    assert_eq!(waiting.await.unwrap().unwrap().turn.status, TurnStatus::Replaced);
    let again = alice.say("@Alice", "go on @Bob").await.posted.unwrap();
    assert!(again.repeated);
}

#[tokio::test(start_paused = true)]
async fn a_silent_holder_lapses_and_may_still_post_once() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@Carol"], |init| init.policy.turn_lease_seconds = Some(30)).await;
    let (alice, bob, carol) = (table.client("a"), table.client("b"), table.client("c"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    carol.join("@Carol").await;
    alice.say("@Alice", "your views, @Bob @Carol?").await;
    bob.look("@Bob").await;
    let waiting = carol.wait_for("@Carol", Duration::from_mins(1)).await.turn;
    assert_eq!(waiting.status, TurnStatus::MessageReceived);
    let turn = carol.wait_for("@Carol", Duration::from_mins(1)).await.turn;
    assert_eq!(turn.status, TurnStatus::YourTurn, "{}", turn.next);
    let late = bob.say("@Bob", "sorry @Alice").await;
    assert!(late.posted.is_some());
    assert_eq!(late.active_turn.unwrap().as_str(), "@Carol");
}

#[tokio::test(start_paused = true)]
async fn everything_is_there_after_a_restart() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.restart().await;
    let turn = table.client("b").look("@Bob").await.turn;
    assert_eq!((turn.status, words(&turn)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn what_a_dead_hub_gave_can_be_acknowledged_to_the_next_one() {
    let mut table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let given = bob.look("@Bob").await.turn.last_seq_id;
    table.restart().await;
    let after = |seq: u64| move |send: &mut Send| send.after_seq_id = Some(i64::try_from(seq).unwrap());
    let refused = table.client("b").send("@Bob", "two @Alice", after(given + 1)).await;
    assert!(refused.unwrap_err().to_string().contains("never given"), "there is no such message");
    let answer = table.client("b").send("@Bob", "two @Alice", after(given)).await.unwrap().turn;
    assert_eq!(answer.posted.unwrap().seq_id, given + 1);
    assert!(words(&table.client("b").look("@Bob").await.turn).is_empty());
}

#[tokio::test(start_paused = true)]
async fn closing_ends_every_wait() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    table.client("maker").close("@user").await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().turn.status, TurnStatus::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_every_wait() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    table.hub.stop();
    assert_eq!(waiting.await.unwrap().unwrap().turn.status, TurnStatus::Stopping);
}

#[tokio::test(start_paused = true)]
async fn a_persons_words_from_another_place_reach_who_waits_for_the_person() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "which one, @user?").await;
    let supervisor = table.client("s");
    assert_eq!(words(&supervisor.look("@user").await.turn), ["which one, @user?"]);
    let waiting = supervisor.spawn_wait("@user");
    settle().await;
    table.client("page").say("@user", "the second").await;
    settle().await;
    let told = waiting.await.unwrap().unwrap().turn;
    assert_eq!(words(&told), ["the second"]);
}

#[tokio::test(start_paused = true)]
async fn passing_moves_the_turn_on() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    let passed = alice.pass("@Alice").await;
    assert_eq!(passed.active_turn, None);
    let told = waiting.await.unwrap().unwrap().turn;
    assert!(told.next.contains("nobody has the floor"), "{}", told.next);
}
