//! What waits for a person, as cards with the buttons that settle it.

use askama::Template;

use super::{Html, Moment, Name, StartAgent};

/// What waits for a person. Its element is `#inbox`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "inbox.html")]
pub(in crate::web) struct Inbox {
    /// The oldest first. On the page of a room: those of the room.
    pub(in crate::web) items: Vec<Item>,
    /// How many more there are than are shown.
    pub(in crate::web) more: usize,
    /// What waits elsewhere, on the page of a room.
    pub(in crate::web) elsewhere: Vec<Elsewhere>,
    /// How many more there are elsewhere than are shown.
    pub(in crate::web) more_elsewhere: usize,
    /// Whether this is the page of a room, where an empty inbox is not worth a word.
    pub(in crate::web) is_of_room: bool,
}

impl Inbox {
    /// How many things of this page wait.
    fn here(&self) -> usize {
        self.items.len() + self.more
    }

    fn elsewhere(&self) -> usize {
        self.elsewhere.len() + self.more_elsewhere
    }
}

/// One thing that waits elsewhere than in the room of the page.
#[derive(Clone, Debug)]
pub(in crate::web) struct Elsewhere {
    /// The id of the hub's item.
    pub(in crate::web) id: String,
    /// The room; empty for what is of no room.
    pub(in crate::web) room: String,
    /// One line, such as `@Ada asks in design`.
    pub(in crate::web) title: String,
}

/// One thing that waits.
#[derive(Clone, Debug, Template)]
#[template(path = "item.html")]
pub(in crate::web) struct Item {
    /// The id of the hub's item; it is the id of the element too.
    pub(in crate::web) id: String,
    /// The room; empty for what is of no room.
    pub(in crate::web) room: String,
    /// What the room is about.
    pub(in crate::web) topic: String,
    /// The person it waits for.
    pub(in crate::web) to: String,
    /// Since when: [`Moment::ago`].
    pub(in crate::web) since: Moment,
    /// One line, such as `@Ada asks in design`.
    pub(in crate::web) title: String,
    /// The command that settles it in a terminal.
    pub(in crate::web) command: String,
    /// What it is.
    pub(in crate::web) want: Want,
    /// Whether it stands on the page of its room.
    pub(in crate::web) is_of_room: bool,
    /// The token of the forms.
    pub(in crate::web) token: String,
}

/// What is wanted of a person.
#[derive(Clone, Debug)]
pub(in crate::web) enum Want {
    /// An answer.
    Question {
        /// Number of the message that asks.
        seq: u64,
        /// Who asks.
        asker: Name,
        /// The question, or its beginning.
        words: Html,
        /// Whether it is longer.
        is_cut: bool,
        /// Answers to choose from.
        choices: Vec<String>,
        /// Whether it was asked in private.
        is_private: bool,
    },
    /// A word on whether to start without those missing.
    Barrier {
        /// Who is missing.
        missing: Vec<String>,
    },
    /// A word on whether the agents may go on.
    Paused {
        /// Why it is paused, as a sentence.
        reason: String,
    },
    /// Somebody who frees those who wait for each other.
    Stuck {
        /// Who waits.
        waiting: Vec<String>,
        /// What frees them, if a button can do it.
        remedy: Option<Remedy>,
    },
    /// Somebody who looks after an agent.
    Undelivered {
        /// The agent.
        handle: String,
    },
    /// A decision about a task.
    Decision {
        /// Which task.
        task: String,
        /// Its newest record.
        version: u64,
        /// What is told of it, as a sentence.
        sentence: String,
        /// Whether it can be approved or rejected.
        is_at_gate: bool,
        /// Whether it was approved, and has only to be closed.
        is_approved: bool,
    },
    /// A word before an action on a puzzle goes on.
    Guard {
        /// The path of its page.
        path: String,
        /// Which puzzle.
        puzzle: String,
        /// Which guard.
        guard: String,
        /// What it asks.
        words: Html,
        /// Where it stands, and where it would go.
        way: String,
    },
    /// A look at what did not fit in a task.
    Attention {
        /// Which task.
        task: String,
        /// Its newest record.
        version: u64,
        /// What did not fit, one line each.
        warnings: Vec<String>,
    },
    /// Somebody who sees to it that an agent does its part in a task.
    Turn {
        /// Which task.
        task: String,
        /// What is known of it.
        words: Vec<String>,
        /// What starts the agent, if the hub knows how.
        start: Option<StartAgent>,
    },
    /// Somebody who looks after the transcript.
    NoteUnwritten {
        /// What is wrong.
        problem: String,
    },
    /// Somebody who mends what cannot be mended on the page: a file of settings, or a damaged log.
    Told {
        /// What is wrong, and where.
        sentence: String,
    },
}

/// What frees a room in which everybody waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) enum Remedy {
    /// Open it without those missing.
    Start,
    /// End the pause.
    Resume,
    /// Say something to these.
    Say(Vec<String>),
    /// Pass the turn of its holder on.
    Pass,
    /// End it.
    Close,
}

impl Remedy {
    /// The last part of the form's address.
    fn path(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Resume => "resume",
            Self::Say(_) => "say",
            Self::Pass => "pass",
            Self::Close => "close",
        }
    }

    fn label(&self) -> String {
        match self {
            Self::Start => "Start without them".to_owned(),
            Self::Resume => "Let them go on".to_owned(),
            Self::Say(to) => format!("Say “please go on” to {}", to.join(", ")),
            Self::Pass => "Pass the turn on".to_owned(),
            Self::Close => "Close the room".to_owned(),
        }
    }

    fn words(&self) -> Option<String> {
        match self {
            Self::Say(to) => Some(format!("{} please go on", to.join(" "))),
            _ => None,
        }
    }
}
