//! A message or a notice, as it was stored.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Handle;

/// Something said in a room, or a system line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number: per room, from 1, gapless.
    pub seq_id: u64,
    /// Who said it.
    pub sender: Sender,
    /// Whom it addresses.
    pub recipients: Vec<Handle>,
    /// The words, byte for byte.
    pub content: String,
    /// Whether only sender and recipients may read it.
    pub is_private: bool,
    /// When it was stored.
    pub at: DateTime<Utc>,
    /// The message it answers.
    pub reply_to: Option<u64>,
    /// Answers to choose from.
    pub choices: Vec<String>,
    /// The way it came.
    pub via: Via,
    /// Whether a person's token vouches for it.
    pub is_verified: bool,
    /// The session it came from, as a short mark; empty for notices.
    pub origin: String,
    /// What a notice tells of, if it lives in the room and has a place of its own.
    pub about: Option<About>,
}

/// What lives in a room and has a place of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A task.
    Task {
        /// Its id.
        id: String,
        /// Its newest record by then; 0: it was only made.
        version: u64,
    },
    /// A puzzle.
    Puzzle {
        /// Its id.
        id: String,
        /// How much had happened to it by then.
        version: u64,
        /// The guard that asks, if one does.
        guard: Option<String>,
    },
}

/// Who said something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A participant.
    Participant(Handle),
    /// The system: a notice.
    System,
}

/// The way a message reached the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// A tool call of an agent's client.
    Mcp,
    /// A terminal.
    Terminal,
    /// The web page.
    Page,
    /// The reply note beside a transcript.
    Note,
    /// The hub itself.
    System,
}

/// What a message takes in an answer beside its words: names of fields, numbers, a time, some handles.
const ENVELOPE_BYTES: usize = 200;

impl Message {
    /// About how many bytes it takes in an answer.
    #[must_use]
    pub fn weight(&self) -> usize {
        let choices = self.choices.iter().map(String::len).sum::<usize>();
        self.content.len() + choices + ENVELOPE_BYTES
    }

    /// Whether it is a system line.
    #[must_use]
    pub fn is_notice(&self) -> bool {
        self.sender == Sender::System
    }
}
