//! Who only looks on slows nobody, and looks only at what has changed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Semaphore;

use super::Table;
use super::support::settle;
use super::twisted::{Twist, Twisted};
use crate::hub::request::BarrierRequest;
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
