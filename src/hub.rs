//! The one place where calls meet the rooms, the journal, the waiting and the transcripts.

mod answer;
mod caller;
mod error;
pub mod request;

pub use answer::{
    Answer, Delivery, DeliveryState, Given, Hit, Hits, Initialized, Member, Page, Posted, Receipt, RoomState,
    RoomSummary, TurnResult, TurnStatus, WaitingFor,
};
pub use caller::{Caller, Mouth, Session};
pub use error::HubError;

/// Holds every room. Cheap to share behind an `Arc`.
#[derive(Debug)]
pub struct Hub {}

#[expect(clippy::unused_async, reason = "skeleton: the bodies follow")]
#[expect(unused_variables, reason = "skeleton: the bodies follow")]
impl Hub {
    /// Starts a room.
    pub async fn init(&self, caller: &Caller, request: request::Init) -> Result<Initialized, HubError> {
        todo!()
    }

    /// Joins a room, and waits until it has opened.
    pub async fn join(&self, caller: &Caller, request: request::Join) -> Result<Answer, HubError> {
        todo!()
    }

    /// Posts, and waits for what comes next.
    pub async fn send(&self, caller: &Caller, request: request::Send) -> Result<Answer, HubError> {
        todo!()
    }

    /// Waits for a turn or a message.
    pub async fn wait(&self, caller: &Caller, request: request::Wait) -> Result<Answer, HubError> {
        todo!()
    }

    /// Passes the turn on.
    pub async fn pass(&self, caller: &Caller, request: request::Pass) -> Result<Answer, HubError> {
        todo!()
    }

    /// Reads messages; moves no cursor.
    pub async fn read(&self, caller: &Caller, request: request::Read) -> Result<Page, HubError> {
        todo!()
    }

    /// Searches messages.
    pub async fn search(&self, caller: &Caller, request: request::Search) -> Result<Hits, HubError> {
        todo!()
    }

    /// A room and everyone in it.
    pub async fn room_state(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        todo!()
    }

    /// All rooms, the newest first.
    pub async fn rooms(&self) -> Result<Vec<RoomSummary>, HubError> {
        todo!()
    }

    /// Leaves a room; gives its id.
    pub async fn leave(&self, caller: &Caller, request: request::Leave) -> Result<String, HubError> {
        todo!()
    }

    /// Closes a room; gives its id.
    pub async fn close(&self, caller: &Caller, request: request::Close) -> Result<String, HubError> {
        todo!()
    }

    /// A person ends a pause.
    pub async fn resume(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        todo!()
    }

    /// A person opens a room without those missing.
    pub async fn start(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        todo!()
    }

    /// A person frees a handle.
    pub async fn remove(
        &self,
        caller: &Caller,
        room: Option<&str>,
        handle: &str,
    ) -> Result<RoomState, HubError> {
        todo!()
    }

    /// A person makes a new key for a participant; the old one ends. Gives the key.
    pub async fn new_key(
        &self,
        caller: &Caller,
        room: Option<&str>,
        handle: &str,
    ) -> Result<String, HubError> {
        todo!()
    }

    /// A person allows a folder for transcripts, for good.
    pub async fn allow(&self, folder: &std::path::Path) -> Result<(), HubError> {
        todo!()
    }

    /// Takes an answer back that did not arrive: its messages are given again.
    pub fn take_back(&self, receipt: Receipt) {
        todo!()
    }

    /// Tells that a session is over: its handles are free, its waits end.
    pub fn session_ended(&self, session: &Session) {
        todo!()
    }

    /// The events of a room as JSON lines, from the first one on: for people who want to see the log.
    pub async fn log(&self, room: Option<&str>) -> Result<Vec<serde_json::Value>, HubError> {
        todo!()
    }

    /// A watch that changes whenever something in the room changes (for subscriptions).
    pub async fn changes(&self, room: &str) -> Result<tokio::sync::watch::Receiver<u64>, HubError> {
        todo!()
    }

    /// A watch that changes whenever a room is started, closed or archived (for subscriptions).
    pub fn room_list_changes(&self) -> tokio::sync::watch::Receiver<u64> {
        todo!()
    }

    /// Ends all waits with `stopping`, and refuses new ones.
    pub fn stop(&self) {
        todo!()
    }

    /// Whether [`Hub::stop`] was called; pending until then.
    pub async fn stopped(&self) {
        todo!()
    }
}
