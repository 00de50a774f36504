//! What ends a wait, and what does not.

use std::time::Duration;

use super::Table;
use super::support::{settle, words};
use crate::hub::TurnStatus;
use crate::hub::request::Wait;

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test(start_paused = true)]
async fn a_free_floor_ends_each_wait_once() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    alice.pass("@Alice").await;
    assert!(waiting.await.unwrap().unwrap().turn.next.contains("nobody has the floor"));
    assert_eq!(bob.wait("@Bob").await.turn.status, TurnStatus::Timeout);
}

#[tokio::test(start_paused = true)]
async fn who_is_woken_finds_the_message_in_the_note() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.max_agent_turns = Some(0)).await;
    let (alice, bob) = table.seat_two().await;
    for round in 0..20 {
        let waiting = bob.spawn_wait("@Bob");
        settle().await;
        // Its sender gives up as soon as others have read it.
        let text = format!("round {round}, @Bob");
        let sending = {
            let (alice, text) = (alice.clone(), text.clone());
            tokio::spawn(async move { alice.send("@Alice", &text, |_| ()).await })
        };
        let woken = waiting.await.unwrap().unwrap().turn;
        sending.abort();
        let note = std::fs::read_to_string(table.folder().join("talk.md")).unwrap();
        assert_eq!(words(&woken), [text.as_str()]);
        assert!(note.contains(&text), "{note}");
        bob.say("@Bob", "read, @Alice").await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_number_of_a_post_is_acknowledged_also_if_its_call_was_replaced() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let posting = {
        let alice = alice.clone();
        tokio::spawn(async move { alice.send("@Alice", "one @Bob", |_| ()).await })
    };
    assert_eq!(words(&bob.wait("@Bob").await.turn), ["one @Bob"]);
    let newer = alice.spawn_wait("@Alice");
    let replaced = posting.await.unwrap().unwrap().turn;
    assert_eq!(replaced.status, TurnStatus::Replaced);
    let after = |seq: u64| Wait {
        handle: "@Alice".to_owned(),
        timeout: Some(Duration::ZERO),
        after_seq_id: i64::try_from(seq).ok(),
        ..Wait::default()
    };
    let own = replaced.posted.unwrap().seq_id;
    alice.hub.wait(&alice.caller, after(own)).await.unwrap();
    assert_eq!(alice.hub.wait(&alice.caller, after(own + 1)).await.unwrap_err().code(), "invalid_argument");
    newer.abort();
}

#[tokio::test(start_paused = true)]
async fn a_free_floor_is_told_again_when_the_answer_was_lost() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.pass("@Alice").await;
    let lost = bob.wait("@Bob").await;
    assert_eq!(lost.turn.status, TurnStatus::MessageReceived);
    table.hub.take_back(lost.receipt);
    assert_eq!(bob.wait("@Bob").await.turn.waited, Duration::ZERO);
    assert_eq!(table.client("b2").wait("@Bob").await.turn.waited, Duration::ZERO, "and in a new session");
}

#[tokio::test(start_paused = true)]
async fn the_opening_ends_a_wait_that_began_before_it() {
    let table = Table::new().await;
    table
        .room(&["@Alice", "@Bob", "@Carol"], |init| {
            init.policy.barrier = Some(crate::hub::request::BarrierRequest::All);
        })
        .await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    for (client, handle) in [(&alice, "@Alice"), (&bob, "@Bob")] {
        assert_eq!(client.join(handle).await.status, TurnStatus::Waiting);
    }
    let (first, second) = (alice.spawn_wait("@Alice"), bob.spawn_wait("@Bob"));
    settle().await;
    table.client("c").join("@Carol").await;
    assert_eq!(first.await.unwrap().unwrap().turn.status, TurnStatus::YourTurn);
    assert_eq!(second.await.unwrap().unwrap().turn.status, TurnStatus::Joined);
}

#[tokio::test(start_paused = true)]
async fn in_a_batched_room_other_messages_come_with_the_next_answer() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@Carol"], |init| init.policy.wake = Some("batched".to_owned())).await;
    let (alice, bob, carol) = (table.client("a"), table.client("b"), table.client("c"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    carol.join("@Carol").await;
    first.await.unwrap().unwrap();
    carol.look("@Carol").await;
    alice.say("@Alice", "one @Bob").await;
    let late = carol.wait_for("@Carol", MINUTE).await.turn;
    assert_eq!(late.waited, MINUTE, "it is not woken");
    assert_eq!((late.status, words(&late)), (TurnStatus::MessageReceived, vec!["one @Bob".to_owned()]));
    assert!(!late.next.contains("no news"), "{}", late.next);
    let waiting = carol.spawn_wait("@Carol");
    settle().await;
    bob.say("@Bob", "two @Carol").await;
    assert_eq!(waiting.await.unwrap().unwrap().turn.status, TurnStatus::YourTurn);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_or_is_removed_waits_no_longer() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    let person = table.client("u");
    person.hub.remove(&person.caller, None, "@Bob").await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(1), waiting).await.unwrap().unwrap();
    assert_eq!(ended.unwrap_err().code(), "not_joined");
}

#[tokio::test(start_paused = true)]
async fn who_stops_calling_is_away_after_a_lease_also_when_nothing_happens() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@user"], |init| init.policy.turn_lease_seconds = Some(100)).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    alice.say("@Alice", "which one, @user?").await;
    bob.wait_for("@Bob", MINUTE).await;
    bob.wait_for("@Bob", MINUTE * 10).await;
    tokio::time::sleep(MINUTE * 2).await;
    let state = bob.hub.room_state(&bob.caller, None).await.unwrap();
    let bob = state.participants.iter().find(|member| member.handle.as_str() == "@Bob").unwrap();
    assert_eq!(bob.status, crate::room::Status::Away);
}

#[tokio::test(start_paused = true)]
async fn a_join_renews_the_lease_of_the_holder() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.turn_lease_seconds = Some(100)).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    for _ in 0..3 {
        tokio::time::sleep(MINUTE).await;
        assert_eq!(alice.join("@Alice").await.status, TurnStatus::YourTurn);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_whose_time_is_over_leaves_its_caller_where_it_was() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    for _ in 0..3 {
        let over = bob.wait_for("@Bob", Duration::from_secs(1)).await.turn;
        assert_eq!(over.active_participants.len(), 2);
        tokio::time::sleep(Duration::from_secs(70)).await;
        alice.look("@Alice").await;
    }
    alice.say("@Alice", "still there, @Bob?").await;
    let turn = bob.wait("@Bob").await.turn;
    assert_eq!((turn.status, words(&turn)), (TurnStatus::YourTurn, vec!["still there, @Bob?".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn who_promises_a_report_and_waits_no_more_is_away_and_its_question_stays_open() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@user"], |init| init.policy.turn_lease_seconds = Some(60)).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    alice.look("@Alice").await;
    bob.join("@Bob").await;
    alice.say("@Alice", "I will report later, @user").await;
    for _ in 0..3 {
        bob.wait("@Bob").await;
    }
    let state = bob.hub.room_state(&bob.caller, None).await.unwrap();
    assert_eq!(state.participants[0].status, crate::room::Status::Away);
    assert_eq!(state.active_turn.unwrap().as_str(), "@user", "the person knows that it is asked");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_stays_open_and_no_answer_is_made_up() {
    let table = Table::new().await;
    let (alice, _) = table.two_and(&["@user"]).await;
    let asked = alice.send("@Alice", "which one, @user?", |send| {
        send.choices = vec!["red".to_owned(), "blue".to_owned()];
    });
    let asked = asked.await.unwrap().turn;
    assert_eq!((asked.status, words(&asked).len()), (TurnStatus::Posted, 0));
    for _ in 0..20 {
        let over = alice.wait("@Alice").await.turn;
        assert_eq!((over.status, words(&over).len()), (TurnStatus::Timeout, 0));
    }
    let state = alice.hub.room_state(&alice.caller, None).await.unwrap();
    assert_eq!((state.message_count, state.active_turn.unwrap().as_str()), (1, "@user"));
}
