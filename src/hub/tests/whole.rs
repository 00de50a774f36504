//! What people do with a whole room: one file of it, or nothing more of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use super::Table;
use super::support::{Client, settle, words};
use super::twisted::{Twist, Twisted};
use crate::hub::request::{Delete, Export, Form};
use crate::hub::{Deleted, Exported, HubError};
use crate::journal::{AppendError, Journal, MemoryJournal, StreamId};

async fn delete(client: &Client, change: impl FnOnce(&mut Delete)) -> Result<Deleted, HubError> {
    let mut delete = Delete { room: "talk".to_owned(), ..Delete::default() };
    change(&mut delete);
    client.hub.delete(&client.caller, delete).await
}

async fn export(client: &Client, with_private: bool) -> Exported {
    let export = Export { room: Some("talk".to_owned()), form: Form::Markdown, with_private };
    client.hub.export(&client.caller, export).await.unwrap()
}

/// Streams that hold events, but for the list of rooms.
async fn streams(journal: &dyn Journal) -> Vec<StreamId> {
    let mut streams = journal.streams().await.unwrap();
    streams.retain(|stream| stream.as_str() != "rooms");
    streams
}

#[tokio::test(start_paused = true)]
async fn an_open_room_is_deleted_only_when_that_is_said() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "Hello, @Bob.").await;
    assert!(matches!(delete(&alice, |_| ()).await, Err(HubError::RoomOpen(room)) if room == "talk"));
    let waiting = alice.spawn_wait("@Alice");
    settle().await;
    let deleted = delete(&alice, |delete| delete.force = true).await.unwrap();
    assert_eq!(deleted.messages, Some(1));
    // Who waited is told, one way or the other, and nobody waits for ever.
    let _ = waiting.await.unwrap();
    let look = bob.send("@Bob", "Hello?", |send| send.room = Some("talk".to_owned())).await;
    assert!(matches!(look, Err(HubError::NoSuchRoom(..))), "{look:?}");
    assert_eq!(table.hub.open_waits(), 0);
}

#[tokio::test(start_paused = true)]
async fn of_a_deleted_room_nothing_is_left_but_its_transcript() {
    let mut table = Table::new().await;
    let (alice, _bob) = table.two().await;
    alice.say("@Alice", "A secret for @Bob.").await;
    alice.close("@user").await.unwrap();
    let deleted = delete(&alice, |_| ()).await.unwrap();
    assert!(deleted.keeps_transcript && deleted.warning.is_none());
    assert!(std::fs::read_to_string(&deleted.filepath).unwrap().contains("A secret"));
    assert!(streams(&*table.journal).await.is_empty());
    assert!(matches!(delete(&alice, |_| ()).await, Err(HubError::NoSuchRoom(..))));
    table.restart().await;
    assert!(table.hub.rooms().await.unwrap().is_empty());
    let briefs = deleted.filepath.with_file_name("briefs.json");
    assert!(!std::fs::read_to_string(briefs).unwrap().contains("talk"));
}

#[tokio::test(start_paused = true)]
async fn the_name_of_a_deleted_room_is_free_and_the_new_room_knows_nothing_of_it() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    alice.say("@Alice", "A secret for @Bob.").await;
    alice.close("@user").await.unwrap();
    let deleted = delete(&alice, |delete| delete.with_transcript = true).await.unwrap();
    assert!(!deleted.keeps_transcript && !deleted.filepath.exists());
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "New, @Bob.").await;
    assert_eq!(words(&bob.look("@Bob").await.turn), ["New, @Bob."]);
    let exported = export(&alice, true).await;
    assert!(exported.text.contains("New") && !exported.text.contains("secret"));
}

#[tokio::test(start_paused = true)]
async fn rooms_that_had_the_name_before_are_erased_with_it() {
    let table = Table::new().await;
    for _ in 0..2 {
        let (alice, _bob) = table.two().await;
        alice.say("@Alice", "Hello, @Bob.").await;
        alice.close("@user").await.unwrap();
    }
    assert_eq!(streams(&*table.journal).await.len(), 2);
    delete(&table.client("person"), |_| ()).await.unwrap();
    assert!(streams(&*table.journal).await.is_empty());
}

/// Nothing can be erased.
#[derive(Debug, Default)]
struct Stubborn {
    is_well: AtomicBool,
}

#[async_trait]
impl Twist for Stubborn {
    async fn erase(&self, inner: &MemoryJournal, stream: &StreamId) -> Result<u64, AppendError> {
        if self.is_well.load(Ordering::SeqCst) {
            return inner.erase(stream).await;
        }
        Err(AppendError::Unavailable { source: Arc::new(std::io::Error::other("it died")) })
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_dying_hub_has_left_of_a_deleted_room_is_erased_at_the_next_start() {
    let journal = Arc::new(Twisted::<Stubborn>::default());
    let mut table = Table::over(journal.clone()).await;
    let (alice, _bob) = table.two().await;
    alice.close("@user").await.unwrap();
    let deleted = delete(&alice, |_| ()).await.unwrap();
    assert!(deleted.warning.unwrap().contains("next start"));
    assert_eq!(streams(&*journal).await.len(), 1);
    assert!(matches!(delete(&alice, |_| ()).await, Err(HubError::NoSuchRoom(..))));
    journal.is_well.store(true, Ordering::SeqCst);
    table.restart_over(journal.clone()).await;
    assert!(streams(&*journal).await.is_empty());
    assert!(table.hub.rooms().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_export_holds_everything_in_order_and_private_words_only_when_asked() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "One, @Bob.").await;
    let private = |send: &mut crate::hub::request::Send| {
        (send.is_private, send.block) = (true, Some(false));
    };
    bob.send("@Bob", "Two, only for @Alice.", private).await.unwrap();
    alice.say("@Alice", "Three, @Bob.").await;
    let public = export(&alice, false).await;
    assert_eq!((public.messages, public.left_out), (2, 1));
    assert!(!public.text.contains("Two"));
    let whole = export(&alice, true).await;
    assert_eq!((whole.messages, whole.left_out), (3, 0));
    let places: Vec<_> = ["One", "Two", "Three"].map(|word| whole.text.find(word).unwrap()).into();
    assert!(places.is_sorted());
}
