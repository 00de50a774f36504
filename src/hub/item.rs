//! One thing that waits for a person, whatever asks for it.

mod words;

use chrono::{DateTime, Utc};

use super::tasks::SettingsFault;
use crate::room::event::PauseReason;
use crate::room::{Act, Handle, Need, Needed, Stranded};
use crate::task::{Proposal, Role, Status, Warning};

/// One thing that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The same as long as it waits: `design/question/12/@user`.
    pub id: String,
    /// In which room; empty for what is of no room.
    pub room: String,
    /// What the room is about.
    pub topic: String,
    /// For whom it waits.
    pub to: Handle,
    /// Since when.
    pub since: DateTime<Utc>,
    /// What is wanted.
    pub want: Want,
}

/// What is wanted of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// An answer.
    Question {
        /// The message that asks.
        seq: u64,
        /// Who asks.
        asker: Handle,
        /// Its words.
        text: String,
        /// Answers to choose from.
        choices: Vec<String>,
        /// Whether only those two may read it.
        is_private: bool,
    },
    /// A word whether the room shall open without those missing.
    Barrier {
        /// Who has not joined.
        missing: Vec<Handle>,
    },
    /// The end of a pause that the hub made.
    Paused {
        /// Why it did.
        reason: PauseReason,
    },
    /// A word that lets those go on who wait for each other.
    Stuck {
        /// Who waits in a call.
        waiting: Vec<Handle>,
        /// What would do.
        act: Act,
    },
    /// A look after somebody who is called and does not come.
    Undelivered {
        /// Who is called.
        handle: Handle,
    },
    /// A look at a puzzle that waits for agents which are not here.
    Stranded(Stranded),
    /// A decision about a task.
    Decision {
        /// Which task.
        task: String,
        /// Its newest record: a decision is about what was seen.
        version: u64,
        /// Decisions that others have proposed, the newest last.
        proposals: Vec<Proposal>,
        /// Whether it is the work of the person, which somebody else has to approve.
        is_own: bool,
        /// Where the task stands: at the gate, approved, or, with a proposal, anywhere.
        status: Status,
    },
    /// A look at what did not fit in a task.
    Attention {
        /// Which task.
        task: String,
        /// Its newest record.
        version: u64,
        /// What did not fit.
        warnings: Vec<Warning>,
    },
    /// Somebody who starts an agent, or calls it: it is its turn in a task, and it is not here.
    TaskTurn {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// A look after an agent that was started, and has not done its part.
    StartFailed {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// How often it was started.
        attempts: u32,
        /// Whether it has published something.
        is_half_done: bool,
        /// What it said last.
        words: String,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// A look after agents that work on each other's records, and not towards an end.
    WentRound {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// So many were started without a word of a person.
        times: u32,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// An end to a program that has ended one turn, and stands in the way of the next turn of its role.
    RunsOn {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// A look after a task in which nothing happens.
    Stalled {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// After how many minutes without a record it is told.
        minutes: u64,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// An answer, or whatever else an agent lacks that says it cannot go on with its turn in a task.
    Blocked {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// Why, in its words.
        reason: Option<String>,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// A look after an agent that says it has stopped, and has published nothing in its turn.
    Stopped {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
        /// Why, in its words.
        reason: Option<String>,
        /// Whether the hub knows how to start it.
        can_start: bool,
    },
    /// A look at a task whose log is damaged.
    TaskDamaged {
        /// Which task.
        task: String,
        /// What is wrong.
        problem: String,
    },
    /// A look at a puzzle whose log is damaged.
    PuzzleDamaged {
        /// Which puzzle.
        puzzle: String,
        /// What is wrong.
        problem: String,
    },
    /// A word before an action on a puzzle goes on.
    Guard {
        /// Which puzzle.
        puzzle: String,
        /// Which guard.
        guard: String,
        /// What it asks.
        question: String,
        /// The action that waits.
        action: String,
        /// Who acts; nobody where time does.
        actor: Option<Handle>,
        /// Where the puzzle stands.
        state: String,
        /// Where the action leads.
        target: String,
    },
    /// A place where the transcript can be written.
    NoteUnwritten {
        /// What is wrong.
        problem: String,
    },
    /// Somebody who mends a file of settings. It is of no room.
    Settings(SettingsFault),
}

impl Want {
    /// What is wanted, in one word: the same in ids, answers and notices.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Question { .. } => "question",
            Self::Barrier { .. } => "barrier",
            Self::Paused { .. } => "paused",
            Self::Stuck { .. } => "stuck",
            Self::Undelivered { .. } => "undelivered",
            Self::Stranded(_) => "stranded",
            Self::Decision { .. } => "decision",
            Self::Attention { .. } => "attention",
            Self::TaskTurn { .. } => "task_turn",
            Self::StartFailed { .. } => "start_failed",
            Self::WentRound { .. } => "went_round",
            Self::RunsOn { .. } => "runs_on",
            Self::Stalled { .. } => "stalled",
            Self::Blocked { .. } => "blocked",
            Self::Stopped { .. } => "stopped",
            Self::TaskDamaged { .. } => "task_damaged",
            Self::PuzzleDamaged { .. } => "puzzle_damaged",
            Self::Guard { .. } => "guard",
            Self::NoteUnwritten { .. } => "note_unwritten",
            Self::Settings(_) => "settings",
        }
    }

    /// The task that it is about, if it is about one.
    #[must_use]
    pub fn task(&self) -> Option<&str> {
        match self {
            Self::Decision { task, .. }
            | Self::Attention { task, .. }
            | Self::TaskTurn { task, .. }
            | Self::StartFailed { task, .. }
            | Self::WentRound { task, .. }
            | Self::RunsOn { task, .. }
            | Self::TaskDamaged { task, .. }
            | Self::Stalled { task, .. }
            | Self::Blocked { task, .. }
            | Self::Stopped { task, .. } => Some(task),
            Self::Question { .. }
            | Self::Barrier { .. }
            | Self::Paused { .. }
            | Self::Stuck { .. }
            | Self::Undelivered { .. }
            | Self::Stranded(_)
            | Self::NoteUnwritten { .. }
            | Self::PuzzleDamaged { .. }
            | Self::Guard { .. }
            | Self::Settings(_) => None,
        }
    }
}

/// A message, as far as a question needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub text: String,
    pub choices: Vec<String>,
    pub is_private: bool,
}

impl Item {
    /// The item of something that a room needs. `asked` is the message, if it is a question.
    pub(super) fn of(room: &str, topic: &str, need: Need, asked: Asked) -> Self {
        let Need { to, since, what } = need;
        let (key, want) = match what {
            Needed::Answer { seq, asker } => {
                let Asked { text, choices, is_private } = asked;
                (format!("question/{seq}/{to}"), Want::Question { seq, asker, text, choices, is_private })
            }
            // Who comes late changes who is missing, and not that the room waits.
            Needed::Start { missing } => ("barrier".to_owned(), Want::Barrier { missing }),
            Needed::Resume { seq, reason } => (format!("paused/{seq}"), Want::Paused { reason }),
            Needed::Delivery { handle } => (format!("undelivered/{handle}"), Want::Undelivered { handle }),
            Needed::Puzzle(stranded) => (format!("stranded/{}", stranded.puzzle), Want::Stranded(stranded)),
        };
        Self::new(room, topic, (to, since), &key, want)
    }

    pub(super) fn new(
        room: &str,
        topic: &str,
        (to, since): (Handle, DateTime<Utc>),
        key: &str,
        want: Want,
    ) -> Self {
        let id = format!("{room}/{key}");
        Self { id, room: room.to_owned(), topic: topic.to_owned(), to, since, want }
    }

    /// The item of settings that make no sense, since then.
    pub(super) fn of_settings(fault: SettingsFault, since: DateTime<Utc>) -> Self {
        let want = Want::Settings(fault);
        // A file that makes no sense in another way is told anew.
        let id = format!("{}/{}", want.kind(), since.timestamp_micros());
        Self { id, room: String::new(), topic: String::new(), to: Handle::user(), since, want }
    }

    /// Whether this, of a task, tells all that a word of its room about an agent who does not answer would tell.
    pub(super) fn tells_of(&self, other: &Self) -> bool {
        let (Want::TaskTurn { handle, .. }
        | Want::StartFailed { handle, .. }
        | Want::WentRound { handle, .. }
        | Want::RunsOn { handle, .. }
        | Want::Stalled { handle, .. }
        | Want::Blocked { handle, .. }
        | Want::Stopped { handle, .. }) = &self.want
        else {
            return false;
        };
        matches!(&other.want, Want::Undelivered { handle: silent } if silent == handle)
            && self.room == other.room
    }
}
