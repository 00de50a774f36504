//! Whose turn it is in the room of a puzzle while guards are asked, and what people have to vouch for.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::Table;
use super::puzzles::guarded;
use super::support::{Client, settle};
use super::twisted::{NoRooms, Twisted};
use crate::hub::{ActOnPuzzle, Acted, HubError, PuzzleState, WaitPuzzle};
use crate::journal::{Journal, Version};

const MINUTE: Duration = Duration::from_mins(1);

/// A state that `who` must agree to leave, of a team; then it is another's.
fn relay(who: &Value) -> Value {
    json!({
        "id": "release",
        "initialState": "SPECIFICATION",
        "states": {
            "SPECIFICATION": {
                "who": ["@Ada", "@Bob"],
                "exitGuard": who,
                "actions": { "hand on": { "targetState": "DESIGN" } },
            },
            "DESIGN": { "who": "@Dana" },
        },
    })
}

impl Table {
    /// Somebody joins a room and waits there for its turn; then it gives what it was told.
    fn waiting(&self, room: &str, handle: &'static str) -> JoinHandle<String> {
        let (client, room) = (self.client(handle), room.to_owned());
        tokio::spawn(async move { client.join_in(&room, handle).await })
    }

    pub(super) async fn asked(&self, puzzle: &str) -> String {
        self.hub.puzzle(puzzle).await.unwrap().snapshot.pending[0].guard_id.clone()
    }
}

impl Client {
    /// Acts, and waits for what comes of it.
    pub(super) fn acting(&self, action: &str, actor: &str) -> JoinHandle<Result<Acted, HubError>> {
        let (client, request) = (self.clone(), act(action, actor));
        tokio::spawn(async move { client.hub.act_on_puzzle_and_wait(&client.caller, request, MINUTE).await })
    }
}

/// An action of the puzzle `release` as it was added.
fn act(action: &str, actor: &str) -> ActOnPuzzle {
    ActOnPuzzle {
        puzzle: "release".to_owned(),
        action: action.to_owned(),
        actor: Some(actor.to_owned()),
        expected_version: Some(1),
        ..ActOnPuzzle::default()
    }
}

fn done(acted: Result<Acted, HubError>) -> PuzzleState {
    match acted {
        Ok(Acted::Done(state)) => state,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_reviewer_who_waits_is_woken_while_the_actor_waits_for_the_answer() {
    let table = Table::new().await;
    let guard = json!({ "participant": "@Carol", "question": "Is the specification whole?" });
    let room = table.client("a").add(relay(&guard)).await.room.unwrap().id;
    for name in ["@Ada", "@Bob"] {
        table.client(name).joined(&room, name).await;
    }
    let (carol, dana) = (table.waiting(&room, "@Carol"), table.waiting(&room, "@Dana"));
    settle().await;
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
    let acting = table.client("@Ada").acting("hand on", "@Ada");
    let told = carol.await.unwrap();
    assert!(told.contains("Is the specification whole?"), "{told}");
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Carol"));
    let guard = table.asked("release").await;
    table.client("@Carol").answer_guard(&guard, "@Carol", true).await.unwrap();
    assert_eq!(done(acting.await.unwrap()).snapshot.current_state, "DESIGN");
    let told = dana.await.unwrap();
    assert!(told.contains("@Carol lets `hand on` pass"), "{told}");
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Dana"));
}

#[tokio::test(start_paused = true)]
async fn each_of_a_quorum_is_woken_and_a_refusal_gives_the_floor_back() {
    let table = Table::new().await;
    let guard = json!({ "participant": ["@Carol", "@Dave"], "quorum": 2, "question": "Whole?" });
    let room = table.client("a").add(relay(&guard)).await.room.unwrap().id;
    table.client("@Ada").joined(&room, "@Ada").await;
    let (carol, dave) = (table.waiting(&room, "@Carol"), table.waiting(&room, "@Dave"));
    settle().await;
    table.client("@Ada").act("release", "hand on", "@Ada").await.unwrap();
    for asked in [carol, dave] {
        assert!(asked.await.unwrap().contains("Whole?"), "both hear that they are asked");
    }
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Carol"));
    let dave = table.waiting(&room, "@Dave");
    settle().await;
    let guard = table.asked("release").await;
    table.client("@Carol").answer_guard(&guard, "@Carol", true).await.unwrap();
    let told = dave.await.unwrap();
    assert!(told.contains("@Carol lets `hand on` pass"), "{told}");
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Dave"));
    table.client("@Dave").answer_guard(&guard, "@Dave", false).await.unwrap();
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
}

#[tokio::test(start_paused = true)]
async fn what_only_the_client_of_the_actor_can_be_asked_gives_the_floor_back_to_it() {
    let table = Table::new().await;
    let guards = json!([{ "participant": "@Carol", "question": "Whole?" }, { "form": "Sure?" }]);
    let room = table.client("a").add(relay(&guards)).await.room.unwrap().id;
    table.client("@Ada").joined(&room, "@Ada").await;
    let carol = table.waiting(&room, "@Carol");
    settle().await;
    let mut request = act("hand on", "@Ada");
    request.may.form = true;
    let ada = table.client("@Ada");
    let acted = ada.hub.act_on_puzzle(&ada.caller, request.clone()).await;
    assert!(matches!(acted, Ok(Acted::Pending(..))), "{acted:?}");
    carol.await.unwrap();
    let guard = table.asked("release").await;
    table.client("@Carol").answer_guard(&guard, "@Carol", true).await.unwrap();
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
    let state = table.hub.room_state(&ada.caller, Some(&room)).await.unwrap();
    assert!(!state.turn_queue.iter().any(|handle| handle.as_str() == "@Carol"));
    // What the actor knows from before is no conflict with what came of its own question.
    let acted = ada.hub.act_on_puzzle(&ada.caller, request).await;
    assert!(matches!(acted, Ok(Acted::Ask(_))), "{acted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn success_is_told_with_the_state_that_it_has_led_to() {
    let table = Table::new().await;
    let client = table.client("a");
    let mut config = guarded("@Rita");
    config["states"]["OUT"] = json!({ "actions": { "again": { "targetState": "DRAFT" } } });
    client.add(config).await;
    for _ in 0..200 {
        let request = ActOnPuzzle { expected_version: None, ..act("publish", "@Ada") };
        let acting = client.hub.act_on_puzzle_and_wait(&client.caller, request, MINUTE);
        let answering = async {
            let wait =
                WaitPuzzle { puzzle: "release".to_owned(), timeout: Some(MINUTE), ..WaitPuzzle::default() };
            while client.hub.puzzle("release").await.unwrap().snapshot.pending.is_empty() {
                let soon = WaitPuzzle { timeout: Some(Duration::from_millis(5)), ..wait.clone() };
                client.hub.wait_for_puzzle(&client.caller, &soon).await.unwrap();
            }
            client.answer_guard(&table.asked("release").await, "@Rita", true).await.unwrap();
        };
        let (acted, ()) = tokio::join!(acting, answering);
        assert_eq!(done(acted).snapshot.current_state, "OUT");
        client.act("release", "again", "@Ada").await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_declared_person_is_asked_in_the_inbox_and_is_believed_as_the_room_says() {
    for (only_verified, code) in [(true, Some("not_verified")), (false, None)] {
        let table = Table::new().await;
        let client = table.client("a");
        let change = |init: &mut crate::hub::request::Init| {
            init.humans = vec!["@Carol".to_owned()];
            init.policy.humans_verified_only = Some(only_verified);
        };
        table.room(&["@Ada", "@Carol"], change).await;
        let mut config = guarded("@Carol");
        config["room"] = json!("talk");
        client.add(config).await;
        client.act("release", "publish", "@Ada").await.unwrap();
        let inbox = table.hub.inbox().await;
        let item = inbox.iter().find(|item| item.want.kind() == "guard").expect("a person is asked");
        assert_eq!(item.to.as_str(), "@Carol");
        assert_eq!(item.title(), "@Ada wants to do publish on puzzle release and waits for @Carol");
        let guard = table.asked("release").await;
        assert_eq!(item.command(), format!("turnroom puzzle answer release {guard} pass --as @Carol"));
        let answered = client.answer_guard(&guard, "@Carol", true).await;
        assert_eq!(answered.as_ref().err().map(HubError::code), code);
        if only_verified {
            let acted = client.act("release", "publish", "@Carol").await.unwrap_err();
            assert_eq!(acted.code(), "not_verified");
            client.of_a_person().answer_guard(&guard, "@Carol", true).await.unwrap();
        }
        assert_eq!(table.stands("release").await, "OUT");
        assert!(table.hub.inbox().await.iter().all(|item| item.want.kind() != "guard"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_of_its_own_is_over_with_its_puzzle_and_another_is_not() {
    let ends = |room: Option<&str>| {
        let mut config = json!({
            "id": "release",
            "initialState": "A",
            "states": {
                "A": { "who": "@Ada", "actions": { "end": { "targetState": "B" } } },
                "B": { "final": true },
            },
        });
        if let Some(room) = room {
            config["room"] = json!(room);
        }
        config
    };
    let phase = async |table: &Table, room: &str| {
        table.hub.room_state(&table.client("looker").caller, Some(room)).await.unwrap().phase
    };
    for (is_removed, own) in [(false, true), (true, true), (false, false), (true, false)] {
        let table = Table::new().await;
        table.room(&["@Ada", "@Bob"], |_| ()).await;
        let client = table.client("a");
        let room = client.add(ends((!own).then_some("talk"))).await.room.unwrap().id;
        let before = phase(&table, &room).await;
        if is_removed {
            client.hub.remove_puzzle(&client.caller, "release", None).await.unwrap();
        } else {
            client.act("release", "end", "@Ada").await.unwrap();
        }
        let after = phase(&table, &room).await;
        assert_eq!(after == "closed", own, "{is_removed}");
        assert_eq!(after == before, !own);
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_that_has_missed_something_is_told_all_of_it_when_the_disk_works_again() {
    let journal = Arc::new(Twisted::<NoRooms>::default());
    let table = Table::over(journal.clone()).await;
    let room = table
        .client("a")
        .add(relay(&json!({ "participant": "@Carol", "question": "Whole?" })))
        .await
        .room
        .unwrap()
        .id;
    table.client("@Ada").joined(&room, "@Ada").await;
    table.client("@Carol").joined(&room, "@Carol").await;
    journal.0.store(true, std::sync::atomic::Ordering::SeqCst);
    table.client("@Ada").act("release", "hand on", "@Ada").await.unwrap();
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
    journal.0.store(false, std::sync::atomic::Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Carol"));
    let streams = journal.streams().await.unwrap();
    let log = streams.iter().find(|stream| stream.as_str().starts_with("room/")).unwrap();
    let events = journal.read(log, Version::EMPTY, 1_000).await.unwrap();
    assert_eq!(events.iter().filter(|event| event.kind == "puzzle_told").count(), 2);
}
