//! One entry of the log, as an `<li>`.

use askama::Template;

use super::{Html, Moment, Name};

/// One entry of the log. Its element has its number as id.
#[derive(Clone, Debug, Template)]
#[template(path = "entry.html")]
pub(in crate::web) enum Entry {
    /// Something a participant said.
    Message(Box<Message>),
    /// A system line.
    Notice(Notice),
}

/// Something a participant said.
#[derive(Clone, Debug)]
pub(in crate::web) struct Message {
    /// Its number.
    pub(in crate::web) seq: u64,
    /// Who said it.
    pub(in crate::web) sender: Name,
    /// Whom it addresses; nobody: everyone may feel addressed.
    pub(in crate::web) recipients: Vec<String>,
    /// When: [`Moment::clock`].
    pub(in crate::web) at: Moment,
    /// The words.
    pub(in crate::web) words: Html,
    /// The words as they were written, for copying; cleaned by `transcript::plain_text`.
    pub(in crate::web) markdown: String,
    /// The way it came, for the words of a person: `via page`.
    pub(in crate::web) via: Option<String>,
    /// Whether it is known who said it.
    pub(in crate::web) trust: Trust,
    /// Whether only sender and recipients may read it.
    pub(in crate::web) is_private: bool,
    /// The message it answers.
    pub(in crate::web) reply_to: Option<u64>,
    /// Answers to choose from. They are shown here, and chosen in the inbox.
    pub(in crate::web) choices: Vec<String>,
    /// What became of it, for the newest messages: `read by @Bob`, `queued, @Bob is not listening`.
    pub(in crate::web) delivery: Option<String>,
}

/// Whether it is known who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Trust {
    /// An agent's words.
    Agent,
    /// A person's words, with the token of a person.
    Verified,
    /// In a person's name, without it.
    Unverified,
}

/// A system line.
#[derive(Clone, Debug)]
pub(in crate::web) struct Notice {
    /// Its number.
    pub(in crate::web) seq: u64,
    /// When: [`Moment::clock`].
    pub(in crate::web) at: Moment,
    /// What happened, in plain text.
    pub(in crate::web) text: String,
    /// Where the task is that it tells of.
    pub(in crate::web) link: Option<String>,
}

impl Notice {
    /// What happened; what stands between backticks is a name.
    fn words(&self) -> Html {
        Html::of_line(&self.text)
    }
}

impl Entry {
    /// The day it is of, in UTC.
    pub(in crate::web) fn day(&self) -> &str {
        match self {
            Self::Message(message) => message.at.day(),
            Self::Notice(notice) => notice.at.day(),
        }
    }
}

impl Message {
    fn recipients_line(&self) -> String {
        self.recipients.join(", ")
    }
}
