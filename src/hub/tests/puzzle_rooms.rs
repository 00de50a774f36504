//! The room of a puzzle: what holds on when it is closed or deleted, and when a room of its own is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::time::sleep;

use super::Table;
use super::puzzles::guarded;
use super::support::{Client, settle};
use super::twisted::{Twist, Twisted};
use crate::hub::request::{Close, Delete, Init};
use crate::hub::{AddPuzzle, CreateTask, HubError};
use crate::journal::{StreamId, Version};
use crate::task::{Flow, Role};

fn in_room(mut config: Value, room: &str) -> Value {
    config["room"] = json!(room);
    config
}

/// A machine that ends with one action.
fn ends(id: &str) -> Value {
    json!({
        "id": id,
        "initialState": "A",
        "states": { "A": { "who": "@Ada", "actions": { "end": { "targetState": "B" } } }, "B": { "final": true } },
    })
}

fn code<T>(answer: Result<T, HubError>) -> Option<&'static str> {
    answer.err().map(|error| error.code())
}

impl Table {
    async fn phase(&self, room: &str) -> &'static str {
        self.hub.room_state(&self.client("looker").caller, Some(room)).await.unwrap().phase
    }

    fn delete(&self, room: &str) -> impl Future<Output = ()> {
        let (hub, caller) = (self.hub.clone(), self.client("person").of_a_person().caller);
        let request = Delete { room: room.to_owned(), force: true, with_transcript: false };
        async move { drop(hub.delete(&caller, request).await.unwrap()) }
    }
}

#[tokio::test(start_paused = true)]
async fn who_counts_only_verified_in_a_room_counts_only_so_when_it_is_over() {
    let change = |init: &mut Init| {
        init.humans = vec!["@Carol".to_owned()];
        init.policy.humans_verified_only = Some(true);
    };
    for is_deleted in [false, true] {
        let mut table = Table::new().await;
        table.room(&["@Ada", "@Carol"], change).await;
        let client = table.client("a");
        client.joined("talk", "@Ada").await;
        client.add(in_room(guarded("@Carol"), "talk")).await;
        client.act("release", "publish", "@Ada").await.unwrap();
        if is_deleted {
            table.delete("talk").await;
        } else {
            let close =
                Close { handle: "@Ada".to_owned(), room: Some("talk".to_owned()), ..Close::default() };
            client.hub.close(&client.caller, close).await.unwrap();
        }
        for _ in 0..2 {
            settle().await;
            let client = table.client("b");
            let guard = table.asked("release").await;
            assert_eq!(code(client.answer_guard(&guard, "@Carol", true).await), Some("not_verified"));
            assert_eq!(code(client.act("release", "publish", "@Carol").await), Some("not_verified"));
            assert_eq!(code(client.act("release", "publish", "@user").await), Some("not_verified"));
            let removed = client.hub.remove_puzzle(&client.caller, "release", Some("@user")).await;
            assert_eq!(code(removed), Some("not_verified"));
            assert_eq!(table.stands("release").await, "DRAFT");
            let inbox = table.hub.inbox().await;
            let asked = inbox.iter().filter(|item| item.want.kind() == "guard");
            assert_eq!(asked.map(|item| item.to.as_str()).collect::<Vec<_>>(), ["@Carol"]);
            table.restart().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_of_its_own_stays_while_something_else_lives_there() {
    let task = |client: &Client| {
        let request = CreateTask {
            title: "Guest".to_owned(),
            description: "d".to_owned(),
            creator: "@Ada".to_owned(),
            role: "architect".to_owned(),
            flow: Flow::Solo,
            cast: [Role::Architect, Role::Executor, Role::Reviewer]
                .map(|role| (role, "@Ada".to_owned()))
                .into(),
            room: Some("own".to_owned()),
            ..CreateTask::default()
        };
        let (hub, caller) = (client.hub.clone(), client.caller.clone());
        async move { drop(hub.create_task(&caller, request).await.unwrap()) }
    };
    for (is_removed, is_task) in [(false, false), (true, false), (false, true)] {
        let table = Table::new().await;
        let client = table.client("a");
        client.add(ends("own")).await;
        client.joined("own", "@Ada").await;
        if is_task {
            task(&client).await;
        } else {
            client.add(in_room(ends("guest"), "own")).await;
        }
        if is_removed {
            client.hub.remove_puzzle(&client.caller, "own", None).await.unwrap();
        } else {
            client.act("own", "end", "@Ada").await.unwrap();
        }
        assert_ne!(table.phase("own").await, "closed", "{is_removed} {is_task}");
        if !is_task {
            client.act("guest", "end", "@Ada").await.unwrap();
            let caller = table.client("person").caller;
            let delete = Delete { room: "own".to_owned(), force: false, with_transcript: false };
            let refused = table.hub.delete(&caller, delete).await.unwrap_err();
            assert_ne!(refused.code(), "room_in_use", "all that lived there is over");
        }
    }
}

/// Puzzles cannot be stored while this is set, nor what happens in a room.
#[derive(Debug, Default)]
struct NoPuzzles(AtomicBool);

impl Twist for NoPuzzles {
    fn refuses(&self, stream: &StreamId, stored: Version) -> bool {
        let is_room = stream.as_str().starts_with("room/");
        self.0.load(Ordering::SeqCst)
            && (stream.as_str().starts_with("puzzle-") || is_room && stored > Version::EMPTY)
    }
}

#[tokio::test(start_paused = true)]
async fn the_room_of_a_puzzle_that_could_not_be_stored_is_over_once_the_disk_works() {
    let journal = Arc::new(Twisted::<NoPuzzles>::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    journal.0.store(true, Ordering::SeqCst);
    let add = AddPuzzle { config: ends("own"), ..AddPuzzle::default() };
    let failed = client.hub.add_puzzle(&client.caller, add.clone()).await;
    assert_eq!(code(failed), Some("journal_unavailable"));
    settle().await;
    assert_ne!(table.phase("own").await, "closed");
    journal.0.store(false, Ordering::SeqCst);
    sleep(std::time::Duration::from_mins(1)).await;
    assert_eq!(table.phase("own").await, "closed");
    client.hub.add_puzzle(&client.caller, add).await.unwrap();
    assert_eq!(table.hub.puzzle_count().await.unwrap(), 1);
}
