//! The Markdown note of a room: a projection of its log, for people. It is never read back as truth.
//!
//! `render` is pure and makes the text; [`Scribe`] keeps the file; [`Folders`] says where a file may lie, and
//! [`claim`] whether it can be written there. Nothing here knows the hub.

mod aside;
mod body;
mod book;
mod claim;
mod clean;
mod disk;
mod escape;
mod folders;
mod held;
mod html;
mod keeper;
mod labels;
mod proof;
mod render;
mod reply;
mod view;
mod writer;

#[cfg(test)]
mod hostile;
#[cfg(test)]
pub(crate) mod sample;

/// What participants wrote, as it stands in a note.
#[cfg(fuzzing)]
pub mod fuzzed {
    use super::{VaultLinks, body, escape};

    /// A message in its quote.
    #[must_use]
    pub fn quote(words: &str, links: VaultLinks) -> String {
        body::render(words, links).1
    }

    /// Words in a line of ours.
    #[must_use]
    pub fn line(words: &str) -> String {
        escape::inline(words)
    }
}

pub use aside::{keep_aside, remove};
pub use body::VaultLinks;
pub use book::Limits;
pub use claim::{ClaimError, claim};
pub use clean::line as one_line;
pub use clean::text as plain_text;
pub use folders::{Folders, PathRefused, Why, real_folder};
pub use html::{html, page as html_page};
pub use labels::notice_text;
pub use proof::{NoteState, Proof};
pub use render::markdown;
pub use reply::{
    AnswerTo, GateWhy, Pace as ReplyPace, ReplyAnswer, ReplyDecision, ReplyDesk, ReplyEvent, ReplyGate,
    ReplyGuard, ReplyHead, ReplyPlace, ReplyQuestion, ReplyRecord, Taking, reply_path,
};
pub use view::{Entry, Head, Latest, Machine, Notice, Row, Stage, Waiting};
pub use writer::{History, HistoryError, Now, Scribe, ScribeEvent, Settings, Start, Unwritable};
