//! Who only looks on slows nobody, and looks only at what has changed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::Semaphore;

use super::Table;
use super::support::settle;
use super::twisted::{Twist, Twisted};
use crate::hub::request::BarrierRequest;
use crate::hub::{AddPuzzle, Moment};
use crate::journal::{Journal, JournalError, MemoryJournal, Recorded, StreamId, Version};

const MOMENT: Duration = Duration::from_secs(1);

/// Reads wait while it is closed.
#[derive(Debug)]
struct Gate(Semaphore);

impl Default for Gate {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

#[async_trait]
impl Twist for Gate {
    async fn read(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        let _open = self.0.acquire().await.unwrap();
        inner.read(stream, after, limit).await
    }
}

/// A room `talk` with more messages than are kept in memory.
async fn long_room(journal: &Arc<Twisted<Gate>>) -> Table {
    let table = Table::over(Arc::<Twisted<Gate>>::clone(journal)).await;
    let change = |init: &mut crate::hub::request::Init| {
        init.policy.barrier = Some(BarrierRequest::Count(0));
        init.policy.floor = Some("open".into());
        init.policy.max_agent_turns = Some(0);
    };
    table.room(&["@Alice", "@Bob"], change).await;
    let alice = table.client("a");
    for number in 0..600 {
        alice.say("@Alice", &format!("@Bob {number}")).await;
    }
    table
}

#[tokio::test(start_paused = true)]
async fn a_look_at_old_messages_holds_up_nobody_in_the_room() {
    let journal = Arc::new(Twisted::<Gate>::default());
    let table = long_room(&journal).await;
    settle().await;
    let closed = journal.0.acquire().await.unwrap();
    let hub = Arc::clone(&table.hub);
    let look = tokio::spawn(async move { hub.everything_said("talk", Some(0), None, 10).await });
    settle().await;
    let alice = table.client("a");
    let said = tokio::time::timeout(MOMENT, alice.say("@Alice", "@Bob meanwhile")).await;
    assert!(said.is_ok(), "the room waits for the look");
    assert!(!look.is_finished());
    drop(closed);
    assert_eq!(look.await.unwrap().unwrap().messages.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn the_list_of_rooms_changes_only_when_a_room_stands_in_another_way() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let before = table.hub.rooms_revision().await;
    let wait = bob.spawn_wait("@Bob");
    settle().await;
    assert_eq!(table.hub.rooms_revision().await, before, "a call that waits is nothing for the list");
    alice.say("@Alice", "@Bob hello").await;
    let now = table.hub.rooms_revision().await;
    assert_ne!(now, before);
    wait.await.unwrap().unwrap();
    assert_eq!(table.hub.rooms_revision().await, now);
    table.room(&["@Carol"], |init| init.filepath = "other.md".into()).await;
    assert_ne!(table.hub.rooms_revision().await, now);
    assert_eq!(table.hub.rooms().await.unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_in_the_middle_of_a_list_leaves_nothing_out_for_the_next() {
    let table = Table::new().await;
    let (alice, _) = table.two().await;
    let count = async || table.hub.rooms().await.unwrap()[0].message_count;
    let before = count().await;
    alice.say("@Alice", "@Bob hello").await;
    let live = table.hub.shared.rooms_seen().pop().unwrap();
    let busy = live.lock_as_it_is(&table.hub.shared).await;
    assert!(tokio::time::timeout(MOMENT, table.hub.rooms()).await.is_err());
    drop(busy);
    assert_eq!(count().await, before + 1);
}

#[tokio::test(start_paused = true)]
async fn what_happens_in_one_room_stirs_no_other() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    table.room(&["@Carol"], |init| init.filepath = "other.md".into()).await;
    let (mut here, other) =
        (table.hub.room_stirs("talk").await.unwrap(), table.hub.room_stirs("other").await.unwrap());
    let mut happens = |what: &str| {
        assert!(here.has_changed().unwrap(), "{what}");
        here.borrow_and_update();
    };
    alice.send("@Alice", "@Bob hello", |send| send.block = Some(false)).await.unwrap();
    happens("a post");
    bob.look("@Bob").await;
    happens("a message is given");
    let wait = alice.spawn_wait("@Alice");
    settle().await;
    happens("a call waits");
    wait.abort();
    let _ = wait.await;
    happens("it does not wait any more");
    assert!(!other.has_changed().unwrap());
    assert_eq!(table.hub.room_stirs("nowhere").await.unwrap_err().code(), "room_not_found");
}

#[tokio::test(start_paused = true)]
async fn what_is_only_read_again_has_not_changed() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "@Bob hello").await;
    let config = json!({ "id": "p", "initialState": "A", "states": { "A": {} } });
    let add = AddPuzzle { config, ..AddPuzzle::default() };
    table.hub.add_puzzle(&alice.caller, add).await.unwrap();
    table.restart().await;
    let moment = Moment::now();
    assert!(!moment.is_before_last(&table.hub.changes("talk").await.unwrap()));
    assert!(!moment.is_before_last(&table.hub.changes_of_puzzle("p").await.unwrap()));
    table.client("b").say("@Bob", "@Alice hello").await;
    assert!(moment.is_before_last(&table.hub.changes("talk").await.unwrap()));
}
