//! What the hub answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::room::{Handle, Message, Pause, Policy, Status, Why};

/// An answer, and the receipt by which it can be taken back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What is said to the caller.
    pub turn: TurnResult,
    /// Hand it to [`super::Hub::take_back`] when the answer did not arrive.
    pub receipt: Receipt,
}

/// Stands for one answer that gave messages to a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Receipt(pub(crate) u64);

/// Why an answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnStatus {
    /// Joined; nothing to do yet.
    Joined,
    /// The floor is yours.
    YourTurn,
    /// There are messages.
    MessageReceived,
    /// The time is over.
    Timeout,
    /// The room has not opened yet.
    Waiting,
    /// Posted; no news yet.
    Posted,
    /// Somebody else has the floor; nothing was posted.
    NotYourTurn,
    /// The room is paused; only a person moves it.
    Paused,
    /// Another caller waits under the same handle.
    Replaced,
    /// The room is closed.
    Closed,
    /// The hub stops; call again.
    Stopping,
}

/// The answer of every call that may wait.
#[derive(Clone, Debug)]
pub struct TurnResult {
    /// Why it came.
    pub status: TurnStatus,
    /// The room's id.
    pub room: String,
    /// Who has the floor.
    pub active_turn: Option<Handle>,
    /// What the caller has not seen yet, oldest first.
    pub new_messages: Vec<Given>,
    /// Who comes next.
    pub current_queue: Vec<Handle>,
    /// Who is here.
    pub active_participants: Vec<Handle>,
    /// A word of the system for this caller alone.
    pub system_notice: Option<String>,
    /// The newest message of the room.
    pub last_seq_id: u64,
    /// Messages that did not fit.
    pub remaining_unread: u64,
    /// The message of this call, if it was posted (or had been before).
    pub posted: Option<Posted>,
    /// Turns of agents left until the room pauses, when few are left.
    pub agent_turns_until_pause: Option<u32>,
    /// How long the call waited.
    pub waited: Duration,
    /// Who is waited for and since when, after the second answer in a row without news.
    pub waiting_for: Option<WaitingFor>,
    /// Other rooms of this handle that have news, after a wait in all rooms.
    pub other_rooms: Vec<String>,
    /// A key for this participant, in exchange for its invite.
    pub key: Option<String>,
    /// What to do now, at most 100 characters.
    pub next: String,
    /// Whether the transcript could not be written, in words.
    pub warning: Option<String>,
}

impl TurnResult {
    /// Whether the answer tells nothing new.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.new_messages.is_empty()
            && self.system_notice.is_none()
            && self.warning.is_none()
            && matches!(
                self.status,
                TurnStatus::Timeout | TurnStatus::Posted | TurnStatus::Waiting | TurnStatus::Stopping
            )
    }
}

/// A message as it is given to one participant.
#[derive(Clone, Debug)]
pub struct Given {
    /// The message.
    pub message: Arc<Message>,
    /// Whether it had been given before, in an answer that may not have arrived.
    pub redelivered: bool,
}

/// Whom a room waits for.
#[derive(Clone, Debug)]
pub struct WaitingFor {
    /// Who.
    pub handle: Handle,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// What became of a post.
#[derive(Clone, Debug)]
pub struct Posted {
    /// Its number.
    pub seq_id: u64,
    /// Who was addressed.
    pub recipients: Vec<Handle>,
    /// Names in the text that nobody has.
    pub unknown: Vec<String>,
    /// Where it is, per recipient, and who is named in it and has left.
    pub delivery: Vec<Delivery>,
    /// Whether this was a repeat of an earlier post.
    pub repeated: bool,
}

/// Where a message is for one recipient.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// For whom.
    pub handle: Handle,
    /// Where.
    pub state: DeliveryState,
    /// Since when the recipient is away.
    pub since: Option<DateTime<Utc>>,
}

/// The states of a delivery, at the moment of the post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// The recipient was waiting and was woken.
    Woken,
    /// The recipient is here, and busy.
    Queued,
    /// Stored; the recipient is away.
    Away,
    /// Stored; the recipient has not joined yet.
    Expected,
    /// In a person's inbox.
    Question,
    /// The recipient has left, and does not get it.
    Left,
}

/// A room that was started.
#[derive(Clone, Debug)]
pub struct Initialized {
    /// Its id.
    pub room: String,
    /// Where its transcript lies.
    pub filepath: PathBuf,
    /// What it is about.
    pub topic: String,
    /// The declared participants.
    pub participants: Vec<Handle>,
    /// Its rules.
    pub policy: Policy,
    /// One invite per agent, where the room asks for keys.
    pub invites: Vec<(Handle, String)>,
    /// What happened and what to do now.
    pub message: String,
}

/// Messages read or found.
#[derive(Clone, Debug)]
pub struct Page {
    /// The room's id.
    pub room: String,
    /// The messages, oldest first.
    pub messages: Vec<Arc<Message>>,
    /// The newest message of the room.
    pub last_seq_id: u64,
    /// Whether there are more in the range that was asked for.
    pub more: bool,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Hits {
    /// The room's id.
    pub room: String,
    /// The hits, newest first.
    pub hits: Vec<Hit>,
}

/// One message found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The message.
    pub message: Arc<Message>,
    /// The words around the hit.
    pub snippet: String,
}

/// A room and everyone in it.
#[derive(Clone, Debug)]
pub struct RoomState {
    /// Its id.
    pub room: String,
    /// What it is about.
    pub topic: String,
    /// Where its transcript lies.
    pub filepath: PathBuf,
    /// Everyone, in the order of declaring and joining.
    pub participants: Vec<Member>,
    /// Who is here, declared people always among them.
    pub active_participants: Vec<Handle>,
    /// Who has the floor.
    pub active_turn: Option<Handle>,
    /// Since when.
    pub turn_since: Option<DateTime<Utc>>,
    /// When the turn is over, if its holder does nothing: the end of an agent's lease, or of a person's hold.
    pub turn_until: Option<DateTime<Utc>>,
    /// Who comes next.
    pub turn_queue: Vec<Handle>,
    /// How many messages; notices do not count.
    pub message_count: u64,
    /// The newest message or notice.
    pub last_seq_id: u64,
    /// `gathering`, `open`, `paused` or `closed`.
    pub phase: &'static str,
    /// Why it is paused, if it is.
    pub pause: Option<Pause>,
    /// The tasks whose turns are taken in it.
    pub tasks: Vec<String>,
    /// What lives in it and is not over, in words.
    pub lodgers: Vec<String>,
    /// The puzzles that live in it.
    pub puzzles: Vec<String>,
    /// The rules.
    pub policy: Policy,
    /// When something last happened.
    pub last_activity: DateTime<Utc>,
    /// Who waits for whom, and what would free them.
    pub why: Why,
    /// The moment at which all this was so.
    pub at: DateTime<Utc>,
}

/// One participant of a room.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its handle.
    pub handle: Handle,
    /// A name for people.
    pub name: Option<String>,
    /// Whether it is a person.
    pub is_human: bool,
    /// Whether it was declared at the start.
    pub is_declared: bool,
    /// Whether it is here.
    pub status: Status,
    /// When it joined.
    pub joined_at: Option<DateTime<Utc>>,
    /// What it has acknowledged.
    pub last_read_seq_id: u64,
    /// The highest message that it was ever given; it may not have arrived.
    pub last_given_seq_id: u64,
    /// Whether a call of it waits now.
    pub is_waiting: bool,
    /// How many messages it has not acknowledged.
    pub unread: u64,
    /// Time of the oldest message that it has not acknowledged.
    pub unread_since: Option<DateTime<Utc>>,
}

/// One room in a list.
#[derive(Clone, Debug)]
pub struct RoomSummary {
    /// Its id.
    pub room: String,
    /// What it is about.
    pub topic: String,
    /// Where its transcript lies.
    pub filepath: PathBuf,
    /// `gathering`, `open`, `paused`, `archived`, `closed`, or `damaged` when its log cannot be read.
    pub phase: &'static str,
    /// Who has the floor.
    pub active_turn: Option<Handle>,
    /// Since when.
    pub turn_since: Option<DateTime<Utc>>,
    /// How many have joined.
    pub participants: usize,
    /// How many messages; notices do not count.
    pub message_count: u64,
    /// The newest message or notice.
    pub last_seq_id: u64,
    /// When something last happened.
    pub last_activity: DateTime<Utc>,
}

impl RoomSummary {
    /// Whether nothing goes on in it: it is closed or archived, or cannot be read.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, "closed" | "archived" | "damaged")
    }
}
