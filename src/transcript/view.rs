//! What a note shows: plain values that somebody else fills from a room. Nothing here knows a room's rules.

use chrono::{DateTime, Utc};

use crate::room::event::PuzzleStep;
use crate::room::{Handle, Language, Status, Via};

/// Everything above the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The room's id. Fixed.
    pub room: String,
    /// What the room is about. Fixed.
    pub topic: String,
    /// The path as it is shown. Fixed.
    pub file: String,
    /// When the room was started. Fixed.
    pub started: DateTime<Utc>,
    /// Language of the labels. Fixed.
    pub language: Language,
    /// Who is in the room.
    pub participants: Vec<Row>,
    /// Who has the floor.
    pub floor: Option<Handle>,
    /// Who comes next.
    pub queue: Vec<Handle>,
    /// Where the conversation stands.
    pub stage: Stage,
    /// What waits for a person, the oldest first.
    pub waiting: Vec<Waiting>,
    /// The tasks of the room in which a person has to act.
    pub tasks: Vec<String>,
    /// The puzzles of the room in which a person has to act.
    pub puzzles_for_people: Vec<String>,
    /// The puzzles that live in the room.
    pub puzzles: Vec<Machine>,
    /// The newest entry.
    pub latest: Option<Latest>,
    /// Number of the newest entry, message or notice; 0 when there is none.
    pub last_seq: u64,
}

/// A puzzle, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its id.
    pub puzzle: String,
    /// Where it stands.
    pub state: String,
    /// The whole machine, in Mermaid's words, with the state marked.
    pub drawing: Option<String>,
}

/// One participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its handle.
    pub handle: Handle,
    /// Its name, as it was given.
    pub name: String,
    /// Whether it is here.
    pub status: Status,
    /// When it joined.
    pub joined_at: Option<DateTime<Utc>>,
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It waits for participants.
    Gathering,
    /// It runs.
    Open,
    /// It waits for a person.
    Paused,
    /// It is over.
    Closed,
}

/// An open question to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Who asks.
    pub asker: Handle,
    /// Who is asked.
    pub human: Handle,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// The newest entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Its number.
    pub seq: u64,
    /// Who said it; nobody: it is a notice.
    pub who: Option<Handle>,
    /// When.
    pub at: DateTime<Utc>,
}

/// One line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Something a participant said.
    Message {
        /// Its number: from 1, gapless over messages and notices.
        seq: u64,
        /// When it was stored.
        at: DateTime<Utc>,
        /// Who said it.
        sender: Handle,
        /// The way it came, where a reader should know it: for words of a person that nothing vouches for.
        via: Option<Via>,
        /// Whom it addresses.
        recipients: Vec<Handle>,
        /// Whether only sender and recipients may read it.
        is_private: bool,
        /// The words, byte for byte.
        content: String,
    },
    /// A system line.
    Notice {
        /// Its number.
        seq: u64,
        /// When it was stored.
        at: DateTime<Utc>,
        /// What happened.
        notice: Notice,
    },
}

/// What happened to a room, so that each language can say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Somebody joined.
    Joined {
        /// Who.
        handle: Handle,
    },
    /// The room has waited for long; a person may open it.
    Overdue {
        /// For whom it waits.
        missing: Vec<Handle>,
    },
    /// A person opened the barrier without those missing.
    Started {
        /// Who did it.
        by: Handle,
    },
    /// Somebody left.
    Left {
        /// Who.
        handle: Handle,
    },
    /// A person freed a handle.
    Removed {
        /// The handle.
        handle: Handle,
    },
    /// Another session speaks for a handle now.
    TakenOver {
        /// The handle.
        handle: Handle,
    },
    /// A holder was silent for too long; its turn moved on.
    Lapsed {
        /// Who.
        handle: Handle,
    },
    /// Who is called has not answered for long.
    Unanswered {
        /// Who.
        handle: Handle,
    },
    /// A turn was passed on.
    Passed {
        /// Who passed it.
        by: Handle,
        /// To whom.
        to: Option<Handle>,
        /// Why, in the words of `by`.
        reason: Option<String>,
    },
    /// A task that lives in the room has moved on.
    TaskMoved {
        /// Which task.
        task: String,
        /// Its newest record; 0 when it was made.
        version: u64,
        /// What that record is: one word.
        content: String,
        /// Whether it is a decision that nobody vouches for.
        is_proposed: bool,
        /// Where the task stands now: one word.
        status: String,
        /// Who has to act.
        to: Option<Handle>,
        /// What the record says in a line, in the words of its writer.
        summary: String,
    },
    /// Something happened to a puzzle that lives in the room.
    Puzzle {
        /// Which puzzle.
        puzzle: String,
        /// What happened.
        what: PuzzleStep,
        /// Who has to act from now on.
        to: Vec<Handle>,
        /// Who had to, and has not any more.
        relieved: Vec<Handle>,
    },
    /// The room waits for a person.
    Paused {
        /// The person who stopped it; nobody: the agents talked for too long without one.
        by: Option<Handle>,
    },
    /// The pause is over.
    Resumed {
        /// Who ended it.
        by: Handle,
    },
    /// The room is closed.
    Closed {
        /// Who closed it.
        by: Option<Handle>,
        /// What came of it, in the words of `by`.
        summary: Option<String>,
    },
    /// A person had changed the note; their version was kept.
    Kept {
        /// Name of the file that holds it.
        file: String,
    },
    /// Nothing was published for long in a task.
    TaskStalled {
        /// Which task.
        task: String,
        /// Whose turn it is.
        handle: Handle,
        /// For how many minutes.
        minutes: u64,
    },
    /// The room has no reply note.
    NoReplyNote {
        /// Name of the file that is in its place.
        file: String,
    },
}

impl Entry {
    /// Its number.
    #[must_use]
    pub fn seq(&self) -> u64 {
        match self {
            Self::Message { seq, .. } | Self::Notice { seq, .. } => *seq,
        }
    }

    /// Bytes of participants' words in it.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Message { content, .. } => content.len(),
            Self::Notice { notice, .. } => notice.words().map_or(0, str::len),
        }
    }
}

impl Notice {
    /// The part of it that a participant wrote.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Passed { reason, .. } => reason.as_deref(),
            Self::Closed { summary, .. } => summary.as_deref(),
            Self::TaskMoved { summary, .. } => Some(summary.as_str()),
            Self::Puzzle { what: PuzzleStep::Asked { question: words, .. }, .. }
            | Self::Puzzle { what: PuzzleStep::Refused { reason: words, .. }, .. } => Some(words.as_str()),
            _ => None,
        }
        .filter(|words| !words.trim().is_empty())
    }
}
