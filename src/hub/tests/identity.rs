//! Who may speak as whom, and who has read what.

use std::time::Duration;

use super::Table;
use super::support::{settle, words};
use crate::hub::request::{Join, Wait};
use crate::hub::{Caller, Session, TurnStatus};

#[tokio::test(start_paused = true)]
async fn a_handle_belongs_to_the_session_that_joined_it_until_that_is_over() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.identity = Some("session".to_owned())).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    let thief = table.client("thief");
    let refused = thief.send("@Alice", "hello @Bob", |_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "handle_taken");
    table.hub.session_ended(&alice.caller.session);
    settle().await;
    assert_eq!(thief.look("@Alice").await.turn.status, TurnStatus::YourTurn);
    let notices = bob.look("@Bob").await.turn.new_messages;
    assert!(notices.iter().any(|given| given.message.content.contains("@Alice goes on in another session")));
}

#[tokio::test(start_paused = true)]
async fn a_refused_call_takes_no_handle() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.identity = Some("session".to_owned())).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    table.hub.session_ended(&alice.caller.session);
    settle().await;
    let other = table.client("other");
    assert_eq!(other.send("@Alice", " ", |_| ()).await.unwrap_err().code(), "message_empty");
    assert_eq!(other.send("@Nobody", "hello @Bob", |_| ()).await.unwrap_err().code(), "not_joined");
    let notices = bob.look("@Bob").await.turn.new_messages;
    assert!(!notices.iter().any(|given| given.message.content.contains("another session")), "{notices:?}");
    // The handle is still free, and so is the one that nobody has.
    alice.look("@Alice").await;
    let refused = other.send("@Alice", "hello @Bob", |_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "handle_taken");
}

#[tokio::test(start_paused = true)]
async fn calls_without_a_session_take_a_free_handle_over_with_one_notice() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.identity = Some("session".to_owned())).await;
    let alice = table.client("a");
    alice.look("@Alice").await;
    table.hub.session_ended(&alice.caller.session);
    settle().await;
    let mut alone = table.client("x");
    alone.caller = Caller { session: Session::Alone, ..alone.caller };
    alone.look("@Alice").await;
    let before = alone.look("@Alice").await.turn.last_seq_id;
    assert_eq!(alone.look("@Alice").await.turn.last_seq_id, before, "each call adds no notice");
}

#[tokio::test(start_paused = true)]
async fn in_a_keyed_room_an_invite_becomes_a_key_that_every_call_shows() {
    let table = Table::new().await;
    let init = crate::hub::request::Init {
        filepath: "talk.md".to_owned(),
        participants: vec!["@Alice".to_owned(), "@Bob".to_owned()],
        policy: crate::hub::request::PolicyRequest {
            identity: Some("keyed".to_owned()),
            ..Default::default()
        },
        ..Default::default()
    };
    let maker = table.client("maker");
    let invite = maker.hub.init(&maker.caller, init).await.unwrap().invites[0].1.clone();
    let alice = table.client("a");
    let join = |key: &str| {
        let (handle, key) = ("@Alice".to_owned(), Some(key.to_owned()));
        let timeout = Some(Duration::ZERO);
        alice.hub.join(&alice.caller, Join { handle, key, timeout, ..Join::default() })
    };
    let wait = |key: Option<String>| {
        let (handle, timeout) = ("@Alice".to_owned(), Some(Duration::ZERO));
        alice.hub.wait(&alice.caller, Wait { handle, key, timeout, ..Wait::default() })
    };
    join(&invite).await.unwrap();
    let key = join(&invite).await.unwrap().turn.key.unwrap();
    assert_eq!(wait(None).await.unwrap_err().code(), "key_required");
    assert_eq!(wait(Some("wrong".to_owned())).await.unwrap_err().code(), "wrong_key");
    wait(Some(key)).await.unwrap();
    assert_eq!(join(&invite).await.unwrap_err().code(), "wrong_key", "a key that was used ends its invite");
}

#[tokio::test(start_paused = true)]
async fn each_session_of_a_person_has_its_own_cursor() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let (page, phone) = (table.client("page"), table.client("phone"));
    phone.look("@user").await;
    alice.say("@Alice", "which one, @user?").await;
    page.look("@user").await;
    page.look("@user").await;
    assert_eq!(words(&phone.look("@user").await.turn), ["which one, @user?"]);
}

#[tokio::test(start_paused = true)]
async fn after_seq_id_acknowledges_exactly() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let first = bob.look("@Bob").await.turn;
    let wait = |after: u64| Wait {
        handle: "@Bob".to_owned(),
        after_seq_id: Some(i64::try_from(after).unwrap()),
        timeout: Some(Duration::ZERO),
        ..Wait::default()
    };
    let again = bob.hub.wait(&bob.caller, wait(first.last_seq_id - 1)).await.unwrap().turn;
    assert_eq!(words(&again), ["one @Bob"]);
    assert!(again.new_messages[0].redelivered);
    assert_eq!(words(&bob.hub.wait(&bob.caller, wait(first.last_seq_id)).await.unwrap().turn), [""; 0]);
    let refused = bob.hub.wait(&bob.caller, wait(first.last_seq_id + 1)).await.unwrap_err();
    assert_eq!(refused.code(), "invalid_argument");
}
