//! The reply note: a file beside a transcript in which a person answers, from whatever program it is edited with.
//!
//! `render` and `parse` are pure: what we write, and what somebody made of it. [`ReplyDesk`] keeps the files and
//! notices what is saved. A note is written only while nothing of a person stands in it; what a person typed goes to
//! the room or stays.
//!
//! **Invariant (what is typed stays):** no word that a person typed into a reply note leaves it but into the room, or
//! into a file beside it.

mod answers;
mod desk;
mod file;
mod folder;
mod gate;
mod guard;
mod marks;
mod note;
mod page;
mod parse;
mod render;
mod watch;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub use desk::{Pace, ReplyDesk};
pub use gate::{GateWhy, ReplyDecision, ReplyGate, ReplyRecord};
pub use guard::ReplyGuard;

use crate::room::{Handle, Language};

/// How many questions a note shows, how many gates, and how many guards.
const SHOWN: usize = 3;

/// Where the reply note of a transcript lies.
#[must_use]
pub fn reply_path(transcript: &Path) -> PathBuf {
    transcript.with_extension("reply.md")
}

/// The file name of the reply note beside a transcript, if there is one of ours.
pub(super) fn file_beside(transcript: &Path) -> Option<String> {
    let path = reply_path(transcript);
    file::is_note(&path).then(|| path.file_name().map(|name| name.to_string_lossy().into_owned())).flatten()
}

/// Whether there is a reply note of ours beside a transcript, and nothing of a person stands in it.
pub(super) fn is_untouched(transcript: &Path) -> bool {
    match file::read(&reply_path(transcript)) {
        Ok(file::Seen::Text(text)) => parse::parse(&text, None).is_some_and(|parsed| parsed.typed.is_empty()),
        Ok(file::Seen::Nothing | file::Seen::Odd) | Err(_) => false,
    }
}

/// Which note it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyPlace {
    /// What tells the room from every other, now and later.
    pub key: String,
    /// The transcript; the note lies beside it.
    pub transcript: PathBuf,
}

/// What a note shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyHead {
    /// The room's id.
    pub room: String,
    /// What the room is about.
    pub topic: String,
    /// Language of the labels.
    pub language: Language,
    /// What people are asked, the oldest first.
    pub questions: Vec<ReplyQuestion>,
    /// The tasks that wait for a decision.
    pub gates: Vec<ReplyGate>,
    /// The puzzles that wait for a word. It is not given here.
    pub guards: Vec<ReplyGuard>,
    /// Whether words from here are taken.
    pub taking: Taking,
    /// The newest message of the room. It tells one answer from the same words later.
    pub last_seq: u64,
}

/// Whether words from a reply note are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// They are.
    Words,
    /// Only verified words count in the room.
    Nothing,
    /// The room is closed.
    Over,
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyQuestion {
    /// The message that asks.
    pub seq: u64,
    /// Who asks.
    pub asker: Handle,
    /// Who is asked.
    pub human: Handle,
    /// When.
    pub at: DateTime<Utc>,
    /// The words, byte for byte.
    pub content: String,
    /// Answers to choose from.
    pub choices: Vec<String>,
}

/// What the hub should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyEvent {
    /// A person has answered. The desk waits for [`ReplyDesk::posted`] or [`ReplyDesk::refused`].
    Answered(ReplyAnswer),
    /// Words for which there was no other place are in this file.
    Kept {
        /// Of which room.
        key: String,
        /// The file.
        file: PathBuf,
    },
    /// Something else has the name of the note: the room has none.
    InTheWay {
        /// Of which room.
        key: String,
        /// The file.
        file: PathBuf,
    },
}

/// What a person has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyAnswer {
    /// In which room.
    pub key: String,
    /// What it is to.
    pub to: AnswerTo,
    /// What was typed; may be empty when something was chosen.
    pub text: String,
    /// The same for the same answer, however often it is found.
    pub request_id: String,
}

/// What an answer is to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerTo {
    /// The room: words, and nothing else.
    Room,
    /// A question.
    Question {
        /// The message that asks.
        seq: u64,
        /// The place of the chosen answer among the choices of the question, from 0.
        choice: Option<usize>,
    },
    /// A task that waits for a decision.
    Gate {
        /// Which task.
        task: String,
        /// The newest record that the note showed.
        version: u64,
        /// What is decided.
        decision: ReplyDecision,
    },
}

#[cfg(test)]
mod tests;
