//! What happened in a room. Events are stored as JSON, exactly as they are defined here; state is only a
//! fold over them.
//!
//! They carry their own JSON form (an exception to "wire types live at their edge"): a stored event is a fact
//! that never changes again, and a second copy of every type would only be a place to make mistakes.

mod kind;
mod lodger;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub(crate) use kind::kinds;

use super::{Handle, Policy, Via};
pub use lodger::{PuzzleQuestion, PuzzleState, PuzzleStep, PuzzleTold, TaskMoved};

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The room was made.
    Opened(Box<Opened>),
    /// Somebody joined for the first time, or again after leaving.
    Joined {
        /// Number of the notice.
        seq: u64,
        /// Who.
        handle: Handle,
        /// A name for people.
        name: Option<String>,
        /// What it need not be told: everything up to here.
        seen: u64,
        /// When.
        at: DateTime<Utc>,
    },
    /// A participant gave itself another name.
    Renamed {
        /// Who.
        handle: Handle,
        /// A name for people.
        name: String,
    },
    /// The room opened: enough have joined. The notice of the last arrival tells it.
    Started {
        /// When.
        at: DateTime<Utc>,
    },
    /// A person opened the room without those missing.
    StartedBy {
        /// Number of the notice.
        seq: u64,
        /// Who.
        by: Handle,
        /// When.
        at: DateTime<Utc>,
    },
    /// The barrier waits too long.
    BarrierOverdue {
        /// Number of the notice.
        seq: u64,
        /// Who has not joined.
        missing: Vec<Handle>,
        /// When.
        at: DateTime<Utc>,
    },
    /// Somebody spoke. That answers all its mentions, and gives its floor away.
    Posted(Box<Posted>),
    /// Participants wait for the floor.
    Queued {
        /// Who, in this order.
        handles: Vec<Handle>,
        /// Which end of the queue.
        end: QueueEnd,
    },
    /// The floor went to a participant.
    FloorGiven {
        /// To whom.
        handle: Handle,
        /// Number of the turn: per room, from 1.
        turn: u64,
        /// Why.
        reason: FloorReason,
        /// When.
        at: DateTime<Utc>,
    },
    /// Nobody has the floor: whoever speaks first takes it.
    FloorFreed,
    /// The holder was silent for too long: it is away, and its mention is the last of the queue.
    Lapsed {
        /// Number of the notice.
        seq: u64,
        /// Who.
        handle: Handle,
        /// When.
        at: DateTime<Utc>,
    },
    /// Who is called has not answered for long.
    Unanswered {
        /// Number of the notice.
        seq: u64,
        /// Who is called.
        handle: Handle,
        /// When.
        at: DateTime<Utc>,
    },
    /// A participant that had nothing to do was silent for too long.
    WentAway {
        /// Who.
        handle: Handle,
        /// When.
        at: DateTime<Utc>,
    },
    /// A participant that was away called again.
    Returned {
        /// Who.
        handle: Handle,
    },
    /// A turn was passed on without a word.
    Passed {
        /// Number of the notice.
        seq: u64,
        /// Who passed it on.
        by: Handle,
        /// Whose turn it was.
        holder: Option<Handle>,
        /// Who is to come next.
        to: Option<Handle>,
        /// Why.
        reason: Option<String>,
        /// When.
        at: DateTime<Utc>,
    },
    /// A task that lives in the room has moved on, and with it the floor.
    TaskMoved(Box<TaskMoved>),
    /// Something happened to a puzzle that lives in the room, and the floor may follow it.
    PuzzleTold(Box<PuzzleTold>),
    /// Only a person moves the room now.
    Paused {
        /// Number of the notice.
        seq: u64,
        /// Why.
        reason: PauseReason,
        /// When.
        at: DateTime<Utc>,
    },
    /// The pause is over.
    Resumed {
        /// Number of the notice.
        seq: u64,
        /// By whom.
        by: Handle,
        /// When.
        at: DateTime<Utc>,
    },
    /// A participant left, or was removed.
    Left {
        /// Number of the notice.
        seq: u64,
        /// Who.
        handle: Handle,
        /// The person who removed it.
        removed_by: Option<Handle>,
        /// When.
        at: DateTime<Utc>,
    },
    /// The room is over.
    Closed {
        /// Number of the notice.
        seq: u64,
        /// By whom; nobody when another room took its place.
        by: Option<Handle>,
        /// What came of it.
        summary: Option<String>,
        /// When.
        at: DateTime<Utc>,
    },
    /// The hub has something to tell.
    Noted {
        /// Number of the notice.
        seq: u64,
        /// What.
        what: Noted,
        /// When.
        at: DateTime<Utc>,
    },
    /// What participants have been given and have acknowledged.
    CursorsMoved {
        /// One entry per participant.
        cursors: Vec<CursorMove>,
    },
    /// A participant has a new key.
    KeyChanged {
        /// Whose.
        handle: Handle,
        /// The key, hashed.
        hash: String,
        /// Whether it is the invite that a first join exchanges for a key.
        is_invite: bool,
    },
    /// A key was used, so the invite it came from is over.
    InviteSpent {
        /// Whose.
        handle: Handle,
    },
}

/// The room was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// Its id.
    pub room: String,
    /// What it is about, one line.
    pub topic: String,
    /// Where its transcript lies.
    pub filepath: String,
    /// The agents that are expected.
    pub agents: Vec<Handle>,
    /// The people that were declared, in the order of declaring after the agents.
    pub humans: Vec<Handle>,
    /// Everyone in the order in which they were declared.
    pub order: Vec<Handle>,
    /// The rules.
    pub policy: Policy,
    /// The session that made it.
    pub creator: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Somebody spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    /// Its number.
    pub seq: u64,
    /// Who.
    pub sender: Handle,
    /// Whom it addresses.
    pub recipients: Vec<Handle>,
    /// Names in the text that nobody has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// The people among the recipients who are asked something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Handle>,
    /// The words.
    pub content: String,
    /// Whether only sender and recipients may read it.
    pub is_private: bool,
    /// The message it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<u64>,
    /// Answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The caller's own id of the post.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What a repeat of this post has in common with it.
    pub fingerprint: u64,
    /// The way it came.
    pub via: Via,
    /// Whether a person's token vouches for it.
    pub is_verified: bool,
    /// The session it came from, as a short mark.
    pub origin: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// What the hub has to tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noted {
    /// Another session speaks for a participant now.
    TakenOver(Handle),
    /// A person had changed the note; their version lies beside it, in this file.
    NoteKept(String),
    /// Something else has the name of the reply note: the room has none.
    ReplyInTheWay(String),
    /// Nothing was published for long in a task of the room.
    TaskStalled {
        /// Which task.
        task: String,
        /// Whose turn it is.
        handle: Handle,
        /// For how many minutes.
        minutes: u64,
    },
}

/// Which end of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueEnd {
    /// Before all others; who stands in it already moves there.
    Head,
    /// Behind all others; who stands in it already keeps its place and has one mention more.
    Tail,
}

/// Why the floor went to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorReason {
    /// It was the first in the queue who is here.
    Queue,
    /// It opens the conversation.
    Opening,
    /// It asked, and nobody else was queued.
    Request,
    /// It is a person, and nobody else could have it.
    Fallback,
}

/// Why a room is paused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// Agents took so many turns without a human word.
    ManyTurns(u32),
    /// Two agents exchanged only short messages.
    ShortMessages,
    /// A person stopped it.
    Person(Handle),
}

impl PauseReason {
    /// As a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::ManyTurns(turns) => format!("The agents took {turns} turns without a human word."),
            Self::ShortMessages => "Two agents exchanged only short messages.".to_owned(),
            Self::Person(by) => format!("It was paused by {by}."),
        }
    }
}

/// How far a participant has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CursorMove {
    /// Who.
    pub handle: Handle,
    /// The last message it has acknowledged.
    pub seen: u64,
    /// The highest message it was ever given.
    pub handed: u64,
    /// Whether an answer arrived since its last post, so that the same words would be a new message.
    pub is_settled: bool,
}

impl Event {
    /// The number of the message or notice that this event is, if it is one.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Posted(posted) => Some(posted.seq),
            Self::TaskMoved(moved) => Some(moved.seq),
            Self::PuzzleTold(told) => Some(told.seq),
            Self::Joined { seq, .. }
            | Self::StartedBy { seq, .. }
            | Self::BarrierOverdue { seq, .. }
            | Self::Lapsed { seq, .. }
            | Self::Unanswered { seq, .. }
            | Self::Passed { seq, .. }
            | Self::Paused { seq, .. }
            | Self::Resumed { seq, .. }
            | Self::Left { seq, .. }
            | Self::Closed { seq, .. }
            | Self::Noted { seq, .. } => Some(*seq),
            _ => None,
        }
    }
}
