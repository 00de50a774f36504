//! The invariants that only hub and log together can keep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::stream::BoxStream;
use tokio::sync::Notify;

use super::Table;
use super::support::{settle, words};
use crate::journal::{
    AppendError, Appended, Journal, JournalError, MemoryJournal, NewEvent, Recorded, StreamId, Version,
};

/// A journal whose disk can be made to take its time.
#[derive(Debug, Default)]
struct Slow {
    inner: MemoryJournal,
    is_stuck: AtomicBool,
    go_on: Notify,
}

#[async_trait]
impl Journal for Slow {
    async fn append(
        &self,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        if self.is_stuck.load(Ordering::SeqCst) {
            self.go_on.notified().await;
        }
        self.inner.append(stream, expected, events, at).await
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.inner.read(stream, after, limit).await
    }

    async fn streams(&self) -> Result<Vec<StreamId>, JournalError> {
        self.inner.streams().await
    }

    fn subscribe(&self) -> BoxStream<'static, Appended> {
        self.inner.subscribe()
    }

    async fn close(&self) {
        self.inner.close().await;
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
