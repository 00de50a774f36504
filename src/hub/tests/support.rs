//! A hub and the callers at it: the one place where these tests touch the API.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::hub::request::{Close, Init, Join, Pass, Send, Wait};
use crate::hub::{Answer, Caller, Hub, HubError, Mouth, Session, Settings, TurnResult};
use crate::journal::search::MemorySearch;
use crate::journal::{Journal, MemoryJournal};

pub(super) struct Table {
    pub hub: Arc<Hub>,
    pub journal: Arc<MemoryJournal>,
    folder: tempfile::TempDir,
}

/// One session of one client.
#[derive(Clone)]
pub(super) struct Client {
    pub hub: Arc<Hub>,
    pub caller: Caller,
}

impl Table {
    pub(super) async fn new() -> Self {
        let journal = Arc::new(MemoryJournal::new());
        let folder = tempfile::tempdir().unwrap();
        let hub = Self::open(&journal, &folder, |_| ()).await;
        Self { hub, journal, folder }
    }

    async fn open(
        journal: &Arc<MemoryJournal>,
        folder: &tempfile::TempDir,
        change: impl FnOnce(&mut Settings),
    ) -> Arc<Hub> {
        Self::open_over(Arc::<MemoryJournal>::clone(journal), folder, change).await
    }

    /// A hub over another journal.
    pub(super) async fn over(journal: Arc<dyn Journal>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hub = Self::open_over(journal, &folder, |_| ()).await;
        Self { hub, journal: Arc::new(MemoryJournal::new()), folder }
    }

    async fn open_over(
        journal: Arc<dyn Journal>,
        folder: &tempfile::TempDir,
        change: impl FnOnce(&mut Settings),
    ) -> Arc<Hub> {
        let mut settings = Settings {
            folders: vec![folder.path().to_owned()],
            briefs: Some(folder.path().join("briefs.json")),
            ..Settings::default()
        };
        change(&mut settings);
        Arc::new(Hub::open(journal, Arc::new(MemorySearch::new()), settings).await.unwrap())
    }

    /// Who has the floor in a room.
    pub(super) async fn floor(&self, room: &str) -> Option<String> {
        let caller = self.client("looker").caller;
        let state = self.hub.room_state(&caller, Some(room)).await.unwrap();
        state.active_turn.map(|handle| handle.to_string())
    }

    /// Where the notes lie.
    pub(super) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// A hub that starts anew on the same log.
    pub(super) async fn restart(&mut self) {
        self.hub = Self::open(&self.journal, &self.folder, |_| ()).await;
    }

    /// A hub that starts anew on the log of one that died.
    pub(super) async fn crash(&mut self) {
        self.hub = Self::open(&self.journal, &self.folder, |settings| settings.is_after_crash = true).await;
    }

    /// A hub that starts anew on the same log, with other settings.
    pub(super) async fn restart_with(&mut self, change: impl FnOnce(&mut Settings)) {
        self.hub = Self::open(&self.journal, &self.folder, change).await;
    }

    /// A hub that starts anew on another log.
    pub(super) async fn restart_over(&mut self, journal: Arc<dyn Journal>) {
        self.restart_over_with(journal, |_| ()).await;
    }

    /// A hub that starts anew on another log, with other settings.
    pub(super) async fn restart_over_with(
        &mut self,
        journal: Arc<dyn Journal>,
        change: impl FnOnce(&mut Settings),
    ) {
        self.hub = Self::open_over(journal, &self.folder, change).await;
    }

    pub(super) fn client(&self, session: &str) -> Client {
        let caller = Caller::new(Session::Named(session.into()), Mouth::Mcp);
        Client { hub: Arc::clone(&self.hub), caller }
    }

    /// A room `talk` with these participants.
    pub(super) async fn room(&self, participants: &[&str], change: impl FnOnce(&mut Init)) {
        let mut init = Init {
            filepath: "talk.md".to_owned(),
            participants: participants.iter().map(ToString::to_string).collect(),
            ..Init::default()
        };
        change(&mut init);
        self.client("maker").init(init).await.unwrap();
    }

    /// Alice and Bob talk; Alice has the floor.
    pub(super) async fn two(&self) -> (Client, Client) {
        self.two_and(&[]).await
    }

    /// Alice and Bob talk, and others are declared; Alice has the floor.
    pub(super) async fn two_and(&self, others: &[&str]) -> (Client, Client) {
        self.room(&[&["@Alice", "@Bob"], others].concat(), |_| ()).await;
        self.seat_two().await
    }

    /// Alice joins the room, and Bob after her.
    pub(super) async fn seat_two(&self) -> (Client, Client) {
        let (alice, bob) = (self.client("a"), self.client("b"));
        let first = alice.spawn_join("@Alice");
        settle().await;
        bob.join("@Bob").await;
        first.await.unwrap().unwrap();
        (alice, bob)
    }
}

impl Client {
    pub(super) async fn init(&self, init: Init) -> Result<(), HubError> {
        self.hub.init(&self.caller, init).await.map(|_| ())
    }

    pub(super) async fn join(&self, handle: &str) -> TurnResult {
        let join = Join { handle: handle.to_owned(), ..Join::default() };
        self.hub.join(&self.caller, join).await.unwrap().turn
    }

    pub(super) fn spawn_join(&self, handle: &str) -> JoinHandle<Result<Answer, HubError>> {
        let (client, handle) = (self.clone(), handle.to_owned());
        tokio::spawn(async move { client.hub.join(&client.caller, Join { handle, ..Join::default() }).await })
    }

    /// Posts without waiting.
    pub(super) async fn say(&self, sender: &str, content: &str) -> TurnResult {
        self.send(sender, content, |send| send.block = Some(false)).await.unwrap().turn
    }

    pub(super) async fn send(
        &self,
        sender: &str,
        content: &str,
        change: impl FnOnce(&mut Send),
    ) -> Result<Answer, HubError> {
        let mut send = Send { sender: sender.to_owned(), content: content.to_owned(), ..Send::default() };
        change(&mut send);
        self.hub.send(&self.caller, send).await
    }

    pub(super) async fn wait(&self, handle: &str) -> Answer {
        self.wait_for(handle, Duration::from_secs(45)).await
    }

    /// A look without waiting.
    pub(super) async fn look(&self, handle: &str) -> Answer {
        self.wait_for(handle, Duration::ZERO).await
    }

    pub(super) async fn wait_for(&self, handle: &str, timeout: Duration) -> Answer {
        let wait = Wait { handle: handle.to_owned(), timeout: Some(timeout), ..Wait::default() };
        self.hub.wait(&self.caller, wait).await.unwrap()
    }

    pub(super) fn spawn_wait(&self, handle: &str) -> JoinHandle<Result<Answer, HubError>> {
        let (client, handle) = (self.clone(), handle.to_owned());
        tokio::spawn(async move { client.hub.wait(&client.caller, Wait { handle, ..Wait::default() }).await })
    }

    pub(super) async fn pass(&self, handle: &str) -> TurnResult {
        let pass = Pass { handle: handle.to_owned(), ..Pass::default() };
        self.hub.pass(&self.caller, pass).await.unwrap().turn
    }

    pub(super) async fn close(&self, handle: &str) -> Result<String, HubError> {
        let close = Close { handle: handle.to_owned(), ..Close::default() };
        self.hub.close(&self.caller, close).await
    }
}

/// Lets every task come to its next wait.
pub(super) async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// The words that an answer gives, notices left out.
pub(super) fn words(turn: &TurnResult) -> Vec<String> {
    let given = turn.new_messages.iter().filter(|given| !given.message.is_notice());
    given.map(|given| given.message.content.clone()).collect()
}
