//! Calls that fail half-way: the disk refuses, or stores and does not say so, or the caller is gone by then.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{Table, settle, words};
use crate::hub::TurnStatus;
use crate::hub::tests::twisted::{Twist, Twisted, no_space};
use crate::journal::{AppendError, Journal, MemoryJournal, NewEvent, StreamId, Version};

/// What goes wrong with one append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Nothing is stored, and the caller is told so.
    Refused,
    /// All is stored, and the caller is told that it failed.
    StoredAndFailed,
    /// All is stored, and the caller is told nothing.
    StoredAndSilent,
}

/// The next append may go wrong.
#[derive(Debug, Default)]
struct Failing {
    next: Mutex<Option<Fault>>,
}

type Faulty = Twisted<Failing>;

#[async_trait]
impl Twist for Failing {
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        let fault = self.next.lock().unwrap().take();
        if fault != Some(Fault::Refused) {
            let stored = inner.append(stream, expected, events, at).await;
            if fault.is_none() {
                return stored;
            }
        }
        if fault == Some(Fault::StoredAndSilent) {
            std::future::pending::<()>().await;
        }
        Err(no_space())
    }
}

#[tokio::test(start_paused = true)]
async fn a_post_that_the_disk_refused_leaves_the_turn_as_it_was() {
    let journal = Arc::new(Faulty::default());
    let table = Table::over(Arc::<Faulty>::clone(&journal)).await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    let last = table.state().await.last_seq_id;
    *journal.next.lock().unwrap() = Some(Fault::Refused);
    let refused = alice.send("@Alice", "one @Bob", |_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "journal_unavailable");
    settle().await;
    assert!(!waiting.is_finished(), "nobody is told of what is not stored");
    let posted = alice.say("@Alice", "one @Bob").await.posted.unwrap();
    assert_eq!((posted.seq_id, posted.repeated), (last + 1, false));
    assert_eq!(words(&waiting.await.unwrap().unwrap().turn), ["one @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn a_post_that_was_stored_and_called_failed_is_found_by_its_retry() {
    let journal = Arc::new(Faulty::default());
    let table = Table::over(Arc::<Faulty>::clone(&journal)).await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    *journal.next.lock().unwrap() = Some(Fault::StoredAndFailed);
    alice.send("@Alice", "one @Bob", |_| ()).await.unwrap_err();
    let retried = alice.say("@Alice", "one @Bob").await.posted.unwrap();
    assert!(retried.repeated);
    assert_eq!(table.state().await.message_count, 1);
    let turn = bob.look("@Bob").await.turn;
    assert_eq!((turn.status, words(&turn)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn a_post_whose_sender_goes_away_while_it_is_stored_wakes_who_waits() {
    let journal = Arc::new(Faulty::default());
    let table = Table::over(Arc::<Faulty>::clone(&journal)).await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    let waiting = bob.spawn_wait("@Bob");
    settle().await;
    *journal.next.lock().unwrap() = Some(Fault::StoredAndSilent);
    let call = alice.send("@Alice", "one @Bob", |_| ());
    assert!(tokio::time::timeout(Duration::from_secs(1), call).await.is_err());
    let woken = waiting.await.unwrap().unwrap().turn;
    assert_eq!((woken.status, words(&woken)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
    assert!(woken.waited < Duration::from_secs(2), "by the hub itself: {:?}", woken.waited);
}
