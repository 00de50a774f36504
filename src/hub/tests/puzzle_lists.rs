//! Which puzzles there are: what leaves memory, what nobody waits for while a disk works, and what cannot be stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::Table;
use super::puzzles::lamp;
use super::support::settle;
use super::twisted::{Twist, Twisted};
use crate::hub::{AddPuzzle, ListPuzzles, Moment, WaitPuzzle};
use crate::journal::{
    AppendError, Journal, JournalError, MemoryJournal, NewEvent, Recorded, StreamId, Version,
};

/// What happens to the next entry of the list of puzzles.
#[derive(Debug, Default)]
enum Entry {
    #[default]
    Stored,
    Refused,
    Held,
}

#[derive(Debug, Default)]
struct Choosy {
    entry: std::sync::Mutex<Entry>,
    is_held: Notify,
    go_on: Notify,
    /// How often the log of a puzzle was read from its beginning.
    reads: AtomicUsize,
}

impl Choosy {
    fn set(&self, entry: Entry) {
        *self.entry.lock().unwrap() = entry;
    }
}

#[async_trait]
impl Twist for Choosy {
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        if stream.as_str() == "puzzles" {
            let entry = std::mem::take(&mut *self.entry.lock().unwrap());
            match entry {
                Entry::Stored => {}
                Entry::Refused => {
                    let source = Arc::new(std::io::Error::other("no space"));
                    return Err(AppendError::Unavailable { source });
                }
                Entry::Held => {
                    self.is_held.notify_one();
                    self.go_on.notified().await;
                }
            }
        }
        inner.append(stream, expected, events, at).await
    }

    async fn read(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        if stream.as_str().starts_with("puzzle-") && after == Version::EMPTY {
            self.reads.fetch_add(1, Ordering::SeqCst);
        }
        inner.read(stream, after, limit).await
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_the_list_while_a_disk_works_and_who_knows_the_new_one_finds_it() {
    let journal = Arc::new(Twisted::<Choosy>::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    let mut other = lamp();
    other["id"] = json!("other");
    client.add(other).await;
    journal.set(Entry::Held);
    let adding = {
        let client = client.clone();
        tokio::spawn(async move { client.add(lamp()).await })
    };
    journal.is_held.notified().await;
    let count = timeout(Duration::from_secs(1), table.hub.puzzle_count()).await;
    assert_eq!(count.expect("nobody holds the list").unwrap(), 1);
    let looking = {
        let hub = Arc::clone(&table.hub);
        tokio::spawn(async move { hub.changes_of_puzzle("lamp").await.unwrap() })
    };
    settle().await;
    journal.go_on.notify_one();
    adding.await.unwrap();
    let mut changes = looking.await.unwrap();
    changes.borrow_and_update();
    client.act("lamp", "press", "@Ada").await.unwrap();
    assert!(changes.has_changed().unwrap(), "it is the one that all act on");
}

#[tokio::test(start_paused = true)]
async fn a_puzzle_that_was_removed_is_gone_though_the_list_cannot_be_written() {
    let journal = Arc::new(Twisted::<Choosy>::default());
    let mut table = Table::over(journal.clone()).await;
    table.client("a").add(lamp()).await;
    journal.set(Entry::Refused);
    let caller = table.client("a").caller;
    table.hub.remove_puzzle(&caller, "lamp", None).await.unwrap();
    assert_eq!(table.hub.puzzle_count().await.unwrap(), 0);
    let again = table.hub.remove_puzzle(&caller, "lamp", None).await.unwrap_err();
    assert_eq!(again.code(), "puzzle_removed");
    table.restart_over(journal).await;
    settle().await;
    assert_eq!(table.hub.puzzle_count().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn puzzles_that_nobody_uses_leave_memory_and_are_there_when_they_are_named() {
    let journal = Arc::new(Twisted::<Choosy>::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    let moment = Moment::now();
    for number in 0..300 {
        let mut config = lamp();
        config["id"] = json!(format!("p{number}"));
        client.add(config).await;
        client.act(&format!("p{number}"), "press", "@Ada").await.unwrap();
    }
    let mut watched = table.hub.changes_of_puzzle("p0").await.unwrap();
    watched.borrow_and_update();
    let before = journal.reads.load(Ordering::SeqCst);
    let page = table.hub.list_puzzles(&ListPuzzles { after: None, limit: 300 }).await.unwrap();
    let reads = journal.reads.load(Ordering::SeqCst) - before;
    assert!(page.puzzles.len() == 300 && (300 - 64..=300).contains(&reads), "{reads} were not in memory");
    assert!(
        moment.is_before_last(&table.hub.changes_of_puzzle("p7").await.unwrap()),
        "it had changed before it left"
    );
    assert_eq!(table.stands("p7").await, "ON");
    client.act("p0", "press", "@Ada").await.unwrap();
    assert!(watched.has_changed().unwrap(), "whoever watches one keeps it");
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_comes_as_text_is_checked_as_any_other() {
    let table = Table::new().await;
    let client = table.client("a");
    let mut config = lamp();
    config["id"] = json!("no/id");
    for config in [config.clone(), json!(config.to_string())] {
        let request = AddPuzzle { config, ..AddPuzzle::default() };
        let refused = client.hub.add_puzzle(&client.caller, request).await.unwrap_err();
        assert_eq!(refused.code(), "invalid_argument");
    }
    let mut config = lamp();
    config["states"]["OFF"]["who"] = json!("@Ada");
    let state = client.add(json!(config.to_string())).await;
    assert_eq!(state.puzzle, "lamp");
    let room = state.room.expect("somebody has to act").id;
    client.joined(&room, "@Ada").await;
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
}

#[tokio::test(start_paused = true)]
async fn everybody_has_request_ids_of_their_own_for_what_they_add() {
    let table = Table::new().await;
    let mut config = lamp();
    config.as_object_mut().unwrap().remove("id");
    let caller = table.client("a").caller;
    let add = |by: &str| {
        let (by, request_id) = (Some(by.to_owned()), Some("1".to_owned()));
        table
            .hub
            .add_puzzle(&caller, AddPuzzle { config: config.clone(), by, request_id, ..AddPuzzle::default() })
    };
    let first = add("@Ada").await.unwrap().state.puzzle;
    let other = add("@Bob").await.unwrap().state.puzzle;
    assert_ne!(first, other);
    assert_eq!(
        (add("Ada").await.unwrap().state.puzzle, add("@Bob").await.unwrap().state.puzzle),
        (first, other)
    );
}

#[tokio::test(start_paused = true)]
async fn what_has_happened_to_a_puzzle_that_was_removed_can_be_read_and_nothing_else() {
    let mut table = Table::new().await;
    let client = table.client("a");
    client.add(lamp()).await;
    client.act("lamp", "press", "@Ada").await.unwrap();
    table.hub.remove_puzzle(&client.caller, "lamp", Some("@Ada")).await.unwrap();
    for _ in 0..2 {
        let (state, history) = table.hub.puzzle_history("lamp", 0, 10).await.unwrap();
        assert!(state.snapshot.is_removed);
        assert_eq!(history.last().unwrap().event.kind(), "puzzle_removed");
        assert_eq!(history.len(), 3);
        let client = table.client("b");
        let wait = WaitPuzzle { puzzle: "lamp".to_owned(), ..WaitPuzzle::default() };
        for refused in [
            client.act("lamp", "press", "@Ada").await.unwrap_err(),
            table.hub.puzzle("lamp").await.unwrap_err(),
            table.hub.changes_of_puzzle("lamp").await.unwrap_err(),
            table.hub.wait_for_puzzle(&client.caller, &wait).await.unwrap_err(),
            table.hub.remove_puzzle(&client.caller, "lamp", None).await.unwrap_err(),
        ] {
            assert_eq!(refused.code(), "puzzle_removed");
        }
        table.restart().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_puzzle_that_the_list_cannot_be_told_of_is_there_all_the_same_and_calls_who_has_to_act() {
    let journal = Arc::new(Twisted::<Choosy>::default());
    let mut table = Table::over(journal.clone()).await;
    let mut config = lamp();
    config["states"]["OFF"]["who"] = json!("@Ada");
    journal.set(Entry::Refused);
    let state = table.client("a").add(config).await;
    let room = state.room.expect("somebody has to act").id;
    table.client("@Ada").joined(&room, "@Ada").await;
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
    assert_eq!(table.hub.puzzle_ids().await.unwrap(), ["lamp"]);
    table.restart_over(journal).await;
    assert_eq!(table.hub.puzzle_ids().await.unwrap(), ["lamp"]);
}
