//! One thing that waits for a person, whatever asks for it.

mod body;

use chrono::{DateTime, Utc};

use crate::room::event::PauseReason;
use crate::room::{Act, Handle, Need, Needed};
use crate::task::{Decision, Role, Status, Warning};

/// One thing that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The same as long as it waits: `design/question/12/@user`.
    pub id: String,
    /// In which room.
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
    /// A decision about a task.
    Decision {
        /// Which task.
        task: String,
        /// Its newest record: a decision is about what was seen.
        version: u64,
        /// A decision that somebody has proposed, and by whom.
        proposed: Option<(Decision, String)>,
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
    /// A place where the transcript can be written.
    NoteUnwritten {
        /// What is wrong.
        problem: String,
    },
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
            Self::NoteUnwritten { .. } => "note_unwritten",
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

    /// What is wanted, in one line.
    #[must_use]
    pub fn title(&self) -> String {
        let room = &self.room;
        match &self.want {
            Want::Question { asker, .. } => format!("{asker} asks {} in {room}", self.to),
            Want::Barrier { missing } => format!("{room} waits for {}", names(missing)),
            Want::Paused { .. } => format!("{room} is paused"),
            Want::Stuck { .. } => format!("everybody waits in {room}"),
            Want::Undelivered { handle } => format!("{handle} does not answer in {room}"),
            Want::Decision { task, proposed: Some((decision, by)), .. } => {
                format!("{by} proposes to {} task {task}", decision.as_str())
            }
            Want::Decision { task, status: Status::Approved, .. } => {
                format!("task {task} is approved, and not closed")
            }
            Want::Decision { task, .. } => format!("task {task} waits for your decision"),
            Want::Attention { task, .. } => format!("task {task} needs a look"),
            Want::TaskTurn { task, role, handle, .. } => {
                format!("it is the turn of {handle} ({role}) in task {task}")
            }
            Want::StartFailed { task, role, handle, .. } => {
                format!("{handle} ({role}) was started for task {task}, and has not done its part")
            }
            Want::WentRound { task, times, .. } => {
                format!("the agents of task {task} went round {times} times without you")
            }
            Want::RunsOn { task, role, handle, .. } => {
                format!(
                    "{handle} ({role}) still runs for an earlier turn of task {task}, and it is its turn again"
                )
            }
            Want::Stalled { task, minutes, .. } => format!("task {task}: nothing for {minutes} minutes"),
            Want::Blocked { task, role, handle, .. } => {
                format!("{handle} ({role}) is blocked in task {task}")
            }
            Want::Stopped { task, role, handle, .. } => {
                format!("{handle} ({role}) stopped without publishing in task {task}")
            }
            Want::TaskDamaged { task, .. } => format!("the log of task {task} is damaged"),
            Want::NoteUnwritten { .. } => format!("the transcript of {room} cannot be written"),
        }
    }

    /// The command that does it in a terminal. Handles and rooms need no quotes.
    #[must_use]
    pub fn command(&self) -> String {
        let (room, to) = (&self.room, &self.to);
        let person = if *to == Handle::user() { String::new() } else { format!(" --as {to}") };
        match &self.want {
            Want::Question { seq, .. } => format!("turnroom answer {room}#{seq} '…'{person}"),
            Want::Barrier { .. } => format!("turnroom start {room}"),
            Want::Paused { .. } => format!("turnroom resume {room}"),
            Want::Stuck { act, .. } => act.command_line(room),
            Want::Undelivered { .. } => format!("turnroom why {room}"),
            Want::Decision { task, version, status, .. } => {
                let decision = if *status == Status::PendingApproval { "approve" } else { "close" };
                format!("turnroom task decide {task} {decision} --expected-version {version}")
            }
            Want::Attention { task, .. } => format!("turnroom task ack {task}"),
            Want::TaskTurn { task, can_start: true, .. } | Want::Stopped { task, can_start: true, .. } => {
                format!("turnroom task start-next {task}")
            }
            Want::Blocked { handle, .. } if !room.is_empty() => format!("turnroom say {room} '{handle} …'"),
            Want::StartFailed { task, can_start: true, .. } | Want::RunsOn { task, can_start: true, .. } => {
                format!("turnroom task start-next {task} --force")
            }
            Want::TaskTurn { task, .. }
            | Want::StartFailed { task, .. }
            | Want::WentRound { task, .. }
            | Want::RunsOn { task, .. }
            | Want::Stalled { task, .. }
            | Want::Blocked { task, .. }
            | Want::Stopped { task, .. } => format!("turnroom task read {task}"),
            Want::TaskDamaged { .. } | Want::NoteUnwritten { .. } => "turnroom doctor".to_owned(),
        }
    }
}

/// Some of many.
fn names(handles: &[Handle]) -> String {
    const NAMED: usize = 3;
    let mut names: Vec<_> = handles.iter().take(NAMED).map(ToString::to_string).collect();
    if handles.len() > NAMED {
        names.push(format!("{} more", handles.len() - NAMED));
    }
    names.join(", ")
}
