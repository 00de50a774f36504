//! What an outsider cannot make grow without end.

use std::collections::BTreeMap;

use super::Table;
use crate::hub::HubError;
use crate::hub::request::{Init, PolicyRequest, Wait};

fn limit(error: &HubError) -> String {
    assert_eq!(error.code(), "limit_reached");
    assert!(error.next().contains("[limits] of config.toml"), "{}", error.next());
    error.to_string()
}

fn init(change: impl FnOnce(&mut Init)) -> Init {
    let mut init = Init {
        filepath: "many.md".to_owned(),
        participants: vec!["@Alice".to_owned(), "@Bob".to_owned()],
        ..Init::default()
    };
    change(&mut init);
    init
}

#[tokio::test(start_paused = true)]
async fn a_room_with_too_many_participants_or_aliases_is_refused_before_they_are_read() {
    let table = Table::new().await;
    let maker = table.client("maker");
    let many = init(|init| init.participants = (0..100_000).map(|n| format!("@a{n}")).collect());
    assert_eq!(limit(&maker.init(many).await.unwrap_err()), "participants of a room: at most 2000");
    let names = (0..100_000).map(|n| format!("other{n}")).collect();
    let many = init(|init| {
        init.policy =
            PolicyRequest { aliases: BTreeMap::from([("@Alice".to_owned(), names)]), ..init.policy.clone() };
    });
    assert_eq!(limit(&maker.init(many).await.unwrap_err()), "aliases of a room: at most 1000");
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_more_often_than_the_limit_at_once() {
    let table = Table::new().await;
    table.two().await;
    let waits: Vec<_> = (0..64).map(|n| table.client(&format!("place {n}")).spawn_wait("@user")).collect();
    super::support::settle().await;
    let one_more = table.client("one more").spawn_wait("@user").await.unwrap().unwrap_err();
    assert_eq!(limit(&one_more), "waits under one handle in a room: at most 64");
    table.hub.stop();
    for wait in waits {
        wait.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn handles_that_nobody_has_and_sessions_of_a_person_leave_nothing_behind() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let live = table.hub.shared.loaded().pop().unwrap();
    for n in 0..4_000 {
        let client = table.client(&format!("session {n}"));
        let look =
            |handle: String| Wait { handle, timeout: Some(std::time::Duration::ZERO), ..Wait::default() };
        assert!(client.hub.wait(&client.caller, look(format!("@u{n}"))).await.is_err());
        client.hub.wait(&client.caller, look("@user".to_owned())).await.unwrap();
    }
    let room = live.lock(&table.hub.shared).await.unwrap();
    assert!(room.inside.desks.len() <= 3_001, "{}", room.inside.desks.len());
    drop(room);
    // Who takes part is not forgotten meanwhile: its last answer still counts.
    alice.say("@Alice", "hello @Bob").await;
}

#[tokio::test(start_paused = true)]
async fn a_request_id_is_short_because_it_is_kept() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let long = alice.send("@Alice", "hello @Bob", |send| send.request_id = Some("x".repeat(201))).await;
    let error = long.unwrap_err();
    assert_eq!((error.code(), error.allowed()), ("invalid_argument", vec!["at most 200 bytes".to_owned()]));
}
