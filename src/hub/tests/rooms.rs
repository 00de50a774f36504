//! Which room a call means, and rooms that are over.

use super::Table;
use super::support::words;
use crate::hub::request::{Close, Init, Read, Send, Wait};
use crate::hub::{HubError, TurnStatus};

#[tokio::test(start_paused = true)]
async fn who_names_no_room_learns_that_its_own_is_over() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.client("maker").close("@user").await.unwrap();
    let told = bob.look("@Bob").await.turn;
    assert_eq!((told.status, words(&told)), (TurnStatus::Closed, vec!["one @Bob".to_owned()]));
    let reborn = table.client("b2").look("@Bob").await.turn;
    assert_eq!((reborn.status, words(&reborn)), (TurnStatus::Closed, vec!["one @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn who_names_no_room_is_not_sent_into_a_room_of_others_when_its_own_is_over() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    table.client("maker").close("@user").await.unwrap();
    table.room(&["@Bob", "@Dora"], |init| init.filepath = "other.md".to_owned()).await;
    let refused = bob.send("@Bob", "hello @all", |_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "room_closed");
    assert!(refused.next().contains("wait_for_turn"), "{}", refused.next());
    let told = bob.look("@Bob").await;
    assert_eq!((told.turn.status, told.turn.room.as_str()), (TurnStatus::Closed, "talk"));
    table.hub.take_back(told.receipt);
    assert_eq!(bob.look("@Bob").await.turn.room, "talk", "the answer was lost");
    assert_eq!(bob.look("@Bob").await.turn.room, "other", "it has learned that the first one is over");
}

#[tokio::test(start_paused = true)]
async fn a_stranger_learns_that_a_room_is_over_and_nothing_else() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.client("maker").close("@user").await.unwrap();
    let stranger = table.client("s");
    let (handle, room) = ("@Stranger".to_owned(), Some("talk".to_owned()));
    let told =
        stranger.hub.wait(&stranger.caller, Wait { handle, room, ..Wait::default() }).await.unwrap().turn;
    assert_eq!((told.status, told.new_messages.len()), (TurnStatus::Closed, 0));
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_room_means_the_one_that_its_session_named_last() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |_| ()).await;
    table.room(&["@Alice", "@Bob"], |init| init.filepath = "other.md".to_owned()).await;
    let alice = table.client("a");
    let hub = |room: Option<&str>| {
        let send = Send {
            sender: "@alice".to_owned(),
            content: "hello @Bob".to_owned(),
            room: room.map(ToOwned::to_owned),
            ..Send::default()
        };
        alice.hub.send(&alice.caller, send)
    };
    match hub(None).await.unwrap_err() {
        HubError::RoomAmbiguous { rooms, .. } => assert_eq!(rooms, ["other", "talk"]),
        other => panic!("{other}"),
    }
    assert_eq!(hub(Some("talk")).await.unwrap().turn.room, "talk");
    assert_eq!(hub(None).await.unwrap().turn.room, "talk");
}

#[tokio::test(start_paused = true)]
async fn an_alias_means_the_room_that_was_named_for_its_handle() {
    let table = Table::new().await;
    let with_alias = |path: &str| {
        let path = path.to_owned();
        move |init: &mut Init| {
            init.filepath = path;
            init.policy.aliases.insert("@Alice".to_owned(), vec!["@Ali".to_owned()]);
        }
    };
    table.room(&["@Alice", "@Bob"], with_alias("talk.md")).await;
    table.room(&["@Alice", "@Bob"], with_alias("other.md")).await;
    let alice = table.client("a");
    let named = alice.send("@Ali", "hello @Bob", |send| send.room = Some("talk".to_owned())).await.unwrap();
    assert_eq!(named.turn.room, "talk");
    for name in ["@Ali", "@Alice"] {
        assert_eq!(alice.look(name).await.turn.room, "talk", "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn rooms_with_the_same_names_share_nothing() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    table.room(&["@Alice", "@Bob"], |init| init.filepath = "deep/talk.md".to_owned()).await;
    alice.say("@Alice", "only here, @Bob").await;
    let wait = |room: &str| Wait {
        handle: "@Bob".to_owned(),
        room: Some(room.to_owned()),
        timeout: Some(std::time::Duration::ZERO),
        ..Wait::default()
    };
    let elsewhere = bob.hub.wait(&bob.caller, wait("talk-2")).await.unwrap().turn;
    assert_eq!((elsewhere.last_seq_id, words(&elsewhere).len()), (1, 0), "a notice of arrival, and no word");
    assert_eq!(words(&bob.hub.wait(&bob.caller, wait("talk")).await.unwrap().turn), ["only here, @Bob"]);
    bob.hub.close(&table.client("maker").caller, closing("talk-2")).await.unwrap();
    bob.say("@Bob", "it goes on, @Alice").await;
    assert_eq!(words(&alice.look("@Alice").await.turn), ["it goes on, @Alice"]);
}

#[tokio::test(start_paused = true)]
async fn a_mention_of_somebody_in_another_room_reaches_and_adds_nobody() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    table.room(&["@Dave", "@Eve"], |init| init.filepath = "other.md".to_owned()).await;
    let dave = table.client("d").spawn_join("@Dave");
    let posted = alice.say("@Alice", "@Bob, ask @Dave").await.posted.unwrap();
    assert_eq!(posted.unknown, ["@Dave"]);
    assert_eq!(posted.recipients.len(), 1);
    let state = alice.hub.room_state(&alice.caller, Some("talk")).await.unwrap();
    assert_eq!(state.participants.len(), 2);
    let waited = dave.await.unwrap().unwrap().turn;
    assert_eq!((waited.status, words(&waited).len()), (TurnStatus::Waiting, 0));
}

#[tokio::test(start_paused = true)]
async fn a_closed_room_keeps_its_history_after_a_restart() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.client("maker").close("@user").await.unwrap();
    table.restart().await;
    let bob = table.client("b");
    let read = Read { handle: "@Bob".to_owned(), room: Some("talk".to_owned()), ..Read::default() };
    let page = bob.hub.read(&bob.caller, read).await.unwrap();
    assert!(page.messages.iter().any(|message| message.content == "one @Bob"));
    assert!(page.messages.last().unwrap().content.contains("closed"));
}

fn closing(room: &str) -> Close {
    Close { handle: "@user".to_owned(), room: Some(room.to_owned()), ..Close::default() }
}

#[tokio::test]
async fn who_has_started_a_room_finds_its_note() {
    let table = Table::new().await;
    table.room(&["@Alice"], |_| ()).await;
    let note = table.hub.room_state(&table.client("a").caller, Some("talk")).await.unwrap().filepath;
    assert!(note.is_file(), "{}", note.display());
}

#[tokio::test]
async fn a_room_that_is_over_does_not_write_where_another_has_its_note_by_now() {
    let mut table = Table::new().await;
    let named = |room: &str| {
        let (room, topic) = (Some(room.to_owned()), Some(format!("topic {room}")));
        move |init: &mut Init| {
            init.room = room;
            init.topic = topic;
        }
    };
    table.room(&["@Alice"], named("one")).await;
    table.client("maker").close("@user").await.unwrap();
    table.room(&["@Alice"], named("two")).await;
    table.restart().await;
    let shared = &table.hub.shared;
    for room in ["two", "one", "two"] {
        let live = shared.named_room(room).await.unwrap();
        live.note.written(0).await;
        let note = std::fs::read_to_string(&live.path).unwrap();
        assert!(note.contains("topic two") && !note.contains("topic one"), "{room}: {note}");
    }
    let files = std::fs::read_dir(shared.folders().allowed[0].clone()).unwrap().flatten();
    let kept = files.filter(|file| file.file_name().to_string_lossy().starts_with("talk (edited"));
    assert_eq!(kept.count(), 1, "of two notes in one place the older one is kept aside");
}
