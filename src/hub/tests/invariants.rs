//! The invariants that only hub and log together can keep.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use tokio::sync::Notify;

use super::Table;
use super::support::{settle, words};
use super::twisted::{Twist, Twisted};
use crate::hub::request::Init;
use crate::journal::{
    AppendError, Journal, JournalError, MemoryJournal, NewEvent, Recorded, StreamId, Version,
};

/// Longer than any call that waits for nobody.
const SOON: Duration = Duration::from_secs(10);

/// The disk can be made to take its time.
#[derive(Debug, Default)]
struct Stalling {
    is_stuck: AtomicBool,
    /// Whoever reads this stream has to wait.
    is_stuck_at: Mutex<Option<StreamId>>,
    go_on: Notify,
}

type Slow = Twisted<Stalling>;

#[async_trait]
impl Twist for Stalling {
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        if self.is_stuck.load(Ordering::SeqCst) {
            self.go_on.notified().await;
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
        let is_stuck = self.is_stuck_at.lock().unwrap().as_ref() == Some(stream);
        if is_stuck {
            self.go_on.notified().await;
        }
        inner.read(stream, after, limit).await
    }
}

#[tokio::test(start_paused = true)]
async fn stored_before_told() {
    let journal = Arc::new(Slow::default());
    let table = Table::over(Arc::<Slow>::clone(&journal)).await;
    let (alice, bob) = table.two().await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    journal.is_stuck.store(true, Ordering::SeqCst);
    let posting = tokio::spawn({
        let alice = alice.clone();
        async move { alice.say("@Alice", "one @Bob").await }
    });
    settle().await;
    assert!(!waiting.is_finished(), "nobody is told of what is not stored");
    assert!(!posting.is_finished(), "and it is not acknowledged");
    journal.is_stuck.store(false, Ordering::SeqCst);
    journal.go_on.notify_one();
    assert_eq!(words(&waiting.await.unwrap().unwrap().turn), ["one @Bob"]);
    assert!(posting.await.unwrap().posted.is_some());
}

/// What a reader is given, call by call, is everything it may read, once and in order; however large the
/// answers are, and wherever they are cut.
#[tokio::test(start_paused = true)]
async fn slices_partition_the_log() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@Carol"], |init| init.policy.floor = Some("open".to_owned())).await;
    let (alice, bob, carol) = (table.client("a"), table.client("b"), table.client("c"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    carol.join("@Carol").await;
    let mut public = Vec::new();
    let mut all = Vec::new();
    for number in 0..40 {
        let is_private = number % 3 == 0;
        let text = format!("@Bob {number} {}", "x".repeat(number * 150));
        alice
            .send("@Alice", &text, |send| {
                send.is_private = is_private;
                send.block = Some(false);
            })
            .await
            .unwrap();
        public.extend((!is_private).then(|| text.clone()));
        all.push(text);
    }
    for (client, handle, expected) in [(bob, "@Bob", all), (carol, "@Carol", public)] {
        let (mut given, mut calls) = (Vec::new(), 0);
        loop {
            let turn = client.look(handle).await.turn;
            calls += 1;
            given.extend(words(&turn));
            assert!(turn.new_messages.iter().all(|given| !given.redelivered));
            if turn.remaining_unread == 0 && words(&turn).is_empty() {
                break;
            }
        }
        assert!(calls > 2, "the answers were cut");
        assert_eq!(given, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_room_that_is_started_on_a_slow_disk_stops_no_call_of_another() {
    let journal = Arc::new(Slow::default());
    let mut table = Table::over(Arc::<Slow>::clone(&journal)).await;
    table.room(&["@Alice"], |_| ()).await;
    table.room(&["@Alice"], |init| init.filepath = "other.md".to_owned()).await;
    let stuck = table.hub.shared.registry.lock().await.get("talk").unwrap().stream.clone();
    table.restart_over(Arc::<Slow>::clone(&journal)).await;
    *journal.is_stuck_at.lock().unwrap() = Some(stuck);
    let maker = table.client("maker");
    let start = |path: &str, room: Option<&str>| {
        let (maker, room) = (maker.clone(), room.map(ToOwned::to_owned));
        let init = Init {
            filepath: path.to_owned(),
            room,
            participants: vec!["@Bob".to_owned()],
            ..Init::default()
        };
        tokio::spawn(async move { maker.init(init).await })
    };
    let starting = [start("talk.md", None), start("talk.md", None)];
    settle().await;
    let caller = &maker.caller;
    let found = tokio::time::timeout(SOON, table.hub.room_state(caller, Some("other"))).await;
    assert_eq!(found.expect("nobody holds the list of rooms").unwrap().room, "other");
    let another = tokio::time::timeout(SOON, start("third.md", None)).await;
    another.expect("another room can be started").unwrap().unwrap();
    *journal.is_stuck_at.lock().unwrap() = None;
    for started in starting {
        journal.go_on.notify_one();
        started.await.unwrap().unwrap();
    }
    let mut rooms: Vec<_> = table.hub.rooms().await.unwrap().into_iter().map(|room| room.room).collect();
    rooms.sort();
    assert_eq!(rooms, ["other", "talk", "third"], "one room has one place");
}

#[tokio::test]
async fn rooms_that_start_at_once_have_ids_of_their_own() {
    let table = Table::new().await;
    let maker = table.client("maker");
    let starts = ["a/talk.md", "b/talk.md", "c/talk.md"].map(|path| {
        let maker = maker.clone();
        let init =
            Init { filepath: path.to_owned(), participants: vec!["@Bob".to_owned()], ..Init::default() };
        tokio::spawn(async move { maker.init(init).await })
    });
    for start in starts {
        start.await.unwrap().unwrap();
    }
    let mut rooms: Vec<_> = table.hub.rooms().await.unwrap().into_iter().map(|room| room.room).collect();
    rooms.sort();
    assert_eq!(rooms, ["talk", "talk-2", "talk-3"]);
    assert_eq!(table.hub.shared.starting.count(), 0, "nothing stays reserved");
}
