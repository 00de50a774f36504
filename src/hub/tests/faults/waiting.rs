//! Waits that die, are cut short, wake nobody or wake for nothing.

use std::time::Duration;

use tokio::time::Instant;

use super::{Table, settle, words};
use crate::hub::TurnStatus;

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test(start_paused = true)]
async fn a_wait_ends_before_its_client_gives_up_and_the_next_one_has_the_message() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    let ended = bob.spawn_wait("@Bob").await.unwrap().unwrap().turn;
    assert_eq!(ended.status, TurnStatus::Timeout);
    assert!(ended.waited < MINUTE, "many clients allow no more than 60 seconds");
    alice.say("@Alice", "one @Bob").await;
    let next = bob.look("@Bob").await.turn;
    assert_eq!((next.status, words(&next)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn an_idle_room_wakes_nobody_before_its_time() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@Carol", "@user"], |_| ()).await;
    let handles = ["@Alice", "@Bob", "@Carol"];
    let clients = table.seated(handles).await;
    clients[0].say("@Alice", "which one, @user?").await;
    for (client, handle) in clients.iter().zip(handles) {
        client.look(handle).await;
    }
    let begun = Instant::now();
    let idle = clients.iter().zip(handles).map(|(client, handle)| async move {
        let mut answers = 0;
        while begun.elapsed() < 10 * MINUTE {
            let turn = client.wait_for(handle, 5 * MINUTE).await.turn;
            assert_eq!((turn.status, turn.new_messages.len()), (TurnStatus::Timeout, 0));
            answers += 1;
        }
        answers
    });
    assert_eq!(futures::future::join_all(idle).await, [2, 2, 2], "one for each time the caller chose");
}

#[tokio::test(start_paused = true)]
async fn a_wait_lasts_as_long_as_its_caller_says() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.pass("@Alice").await;
    bob.look("@Bob").await;
    for time in [15 * MINUTE, Duration::from_hours(24)] {
        let ended = bob.wait_for("@Bob", time).await.turn;
        assert_eq!((ended.status, ended.waited), (TurnStatus::Timeout, time));
    }
}

#[tokio::test(start_paused = true)]
async fn when_two_wait_for_each_other_one_of_them_knows_that_it_must_act() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "your view, @Bob?").await;
    let begun = Instant::now();
    let mut waited_for = None;
    let told = loop {
        let (alice, bob) = tokio::join!(alice.wait("@Alice"), bob.wait("@Bob"));
        if alice.turn.active_turn.is_none() {
            break alice.turn;
        }
        assert_eq!(bob.turn.status, TurnStatus::YourTurn, "the holder is told again and again");
        waited_for = alice.turn.waiting_for.map(|waiting| waiting.handle.to_string()).or(waited_for);
    };
    assert_eq!(waited_for.as_deref(), Some("@Bob"), "the other one learns who is waited for");
    assert!(told.next.contains("nobody has the floor"), "{}", told.next);
    assert!(begun.elapsed() <= 16 * MINUTE, "after a lease the turn goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_that_comes_at_once_wakes_who_asked_each_of_a_thousand_times() {
    const ROUNDS: usize = 500;
    let table = Table::new().await;
    let rules = |init: &mut crate::hub::request::Init| {
        init.policy.max_agent_turns = Some(0);
        init.policy.first_speaker = Some("@Alice".to_owned());
    };
    table.room(&["@Alice", "@Bob"], rules).await;
    let [alice, bob] = table.seated(["@Alice", "@Bob"]).await;
    let answering = tokio::spawn(async move {
        let mut turn = bob.wait_for("@Bob", MINUTE).await.turn;
        for round in 0..ROUNDS {
            assert_eq!(words(&turn), [format!("{round} @Bob")], "{:?}", turn.status);
            let is_last = round + 1 == ROUNDS;
            let timeout = Some(if is_last { Duration::ZERO } else { MINUTE });
            let words = format!("{round} @Alice");
            turn = bob.send("@Bob", &words, |send| send.timeout = timeout).await.unwrap().turn;
        }
    });
    for round in 0..ROUNDS {
        let question = format!("{round} @Bob");
        let asked = alice.send("@Alice", &question, |send| send.timeout = Some(MINUTE));
        let turn = asked.await.unwrap().turn;
        assert_eq!(turn.status, TurnStatus::YourTurn);
        assert_eq!(words(&turn), [format!("{round} @Alice")]);
    }
    answering.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_is_said_between_two_waits_comes_with_the_next_in_order() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    alice.say("@Alice", "one @Bob").await;
    assert_eq!(words(&waiting.await.unwrap().unwrap().turn), ["one @Bob"]);
    let user = table.client("u");
    user.say("@user", "two").await;
    user.say("@user", "three").await;
    assert_eq!(words(&bob.wait("@Bob").await.turn), ["two", "three"]);
}
