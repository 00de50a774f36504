//! Why a call was refused. Nothing has changed. Each error tells what was wrong, what is allowed, what to do.

use std::path::PathBuf;

use super::aggregate::Aggregate;
use super::puzzles::PuzzleState;
use super::tasks::NotStarted;
use crate::journal::{AppendError, CopyError, JournalError, Version};
use crate::puzzle::{self, Puzzle};
use crate::room::{Handle, Refusal};
use crate::task::{self, Record};

/// Why a call was refused.
#[derive(Clone, Debug, thiserror::Error)]
pub enum HubError {
    /// The room did not obey.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An argument is not valid.
    #[error("`{field}`: {problem}")]
    InvalidArgument {
        /// Which one.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
        /// What is allowed.
        allowed: Vec<String>,
    },
    /// There is no such room.
    #[error("there is no room `{0}`")]
    NoSuchRoom(String, Vec<String>),
    /// There is no room at all.
    #[error("there is no open room")]
    NoRoom,
    /// Several rooms could be meant.
    #[error("several open rooms have `{handle}`; name one in `room`")]
    RoomAmbiguous {
        /// Whose.
        handle: String,
        /// Which ones.
        rooms: Vec<String>,
    },
    /// The room, or a room with this transcript, exists.
    #[error("room `{room}` exists and has messages; its transcript is `{}`", path.display())]
    RoomExists {
        /// Its id.
        room: String,
        /// Its transcript.
        path: PathBuf,
        /// Whether `force` would help.
        is_same_path: bool,
    },
    /// The room is not over yet.
    #[error("room `{0}` is open")]
    RoomOpen(String),
    /// The room is over, and nothing takes its turns there.
    #[error("room `{0}` is closed; nobody takes turns there")]
    RoomOver(String),
    /// Something lives in the room that is not over.
    #[error("room `{room}` is where the turns of {} are taken", lodgers.join(", "))]
    RoomInUse {
        /// Which room.
        room: String,
        /// What lives there, in words.
        lodgers: Vec<String>,
    },
    /// The handle belongs to another session.
    #[error("`{0}` is taken by another session")]
    HandleTaken(Handle),
    /// The room asks for a key.
    #[error("room `{room}` asks for the key of `{handle}`")]
    KeyRequired {
        /// Which room.
        room: String,
        /// Whose key.
        handle: Handle,
    },
    /// The key is wrong.
    #[error("this is not the key of `{0}`")]
    WrongKey(Handle),
    /// The transcript may not lie there.
    #[error("{problem}")]
    PathRefused {
        /// What is wrong.
        problem: String,
        /// A path that would be allowed.
        allowed: Vec<String>,
        /// What to do.
        next: String,
    },
    /// A file lies there that is not ours.
    #[error("`{}` exists and is no transcript of turnroom; it is left as it is", .0.display())]
    FileExists(PathBuf),
    /// The transcript cannot be written.
    #[error("the transcript `{}` cannot be written: {problem}", path.display())]
    TranscriptUnwritable {
        /// Where it should lie.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A limit of the hub is reached.
    #[error("{what}: at most {limit}")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How many.
        limit: usize,
        /// The setting that raises it.
        setting: &'static str,
    },
    /// The journal cannot be written: nothing was stored.
    #[error("nothing was stored: {0}")]
    NotStored(#[source] AppendError),
    /// The journal cannot be read.
    #[error("the log cannot be read: {0}")]
    NotReadable(#[source] JournalError),
    /// No copy was made.
    #[error("no copy was made: {0}")]
    NotCopied(#[source] CopyError),
    /// The log of the room is damaged.
    #[error("the log of room `{room}` is damaged at event {version} ({detail}); no other room is affected")]
    RoomDamaged {
        /// Which room.
        room: String,
        /// The event that cannot be read.
        version: Version,
        /// What is wrong with it.
        detail: String,
    },
    /// The task took nothing in.
    #[error(transparent)]
    Task(#[from] task::Refusal),
    /// Others have published in a task since its writer looked.
    #[error(
        "version {expected} was expected, and task `{task}` is at version {actual}; {}",
        came_in_between(since)
    )]
    TaskMovedOn {
        /// Which task.
        task: String,
        /// What the writer knew.
        expected: u64,
        /// How many records there are.
        actual: u64,
        /// The first of those that came in between.
        since: Vec<Record>,
    },
    /// There is no such task.
    #[error("there is no task `{0}`")]
    NoSuchTask(String),
    /// The log of a task is damaged.
    #[error("the log of {what} `{id}` is damaged at event {version} ({detail}); no other {what} is affected")]
    LogDamaged {
        /// What it is the log of.
        what: &'static str,
        /// Which one.
        id: String,
        /// The event that cannot be read.
        version: Version,
        /// What is wrong with it.
        detail: String,
    },
    /// The puzzle did not obey.
    #[error("{refusal}")]
    Puzzle {
        /// Why.
        refusal: puzzle::Refusal,
        /// How it stands; nothing, where there is none yet.
        state: Option<Box<PuzzleState>>,
    },
    /// There is no such puzzle.
    #[error("there is no puzzle `{0}`")]
    NoSuchPuzzle(String),
    /// A puzzle of this id exists, or existed.
    #[error("there is a puzzle `{0}`, or was one")]
    PuzzleExists(String),
    /// No agent was started for a task.
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    /// The caller has cancelled, or is gone.
    #[error("the call was cancelled; nothing was consumed")]
    Cancelled,
    /// The hub stops.
    #[error("the hub stops")]
    Stopping,
}

impl From<puzzle::Refusal> for HubError {
    fn from(refusal: puzzle::Refusal) -> Self {
        Self::Puzzle { refusal, state: None }
    }
}

impl HubError {
    /// Whether a disk does not work now: it may later.
    #[must_use]
    pub fn is_of_a_disk(&self) -> bool {
        matches!(self, Self::NotStored(_) | Self::NotReadable(_))
    }

    /// An argument that is not valid.
    pub(super) fn argument(field: &'static str, problem: impl Into<String>, allowed: &[&str]) -> Self {
        let allowed = allowed.iter().map(ToString::to_string).collect();
        Self::InvalidArgument { field, problem: problem.into(), allowed }
    }

    /// The log of a room cannot be read.
    pub(super) fn unread(room: &str, error: JournalError) -> Self {
        match error {
            JournalError::Damaged { version, detail, .. } => {
                Self::RoomDamaged { room: room.to_owned(), version, detail }
            }
            error @ JournalError::Unavailable { .. } => Self::NotReadable(error),
        }
    }

    /// The log of a room cannot be written.
    pub(super) fn unstored(room: &str, error: AppendError) -> Self {
        match error {
            AppendError::Damaged { version, detail, .. } => {
                Self::RoomDamaged { room: room.to_owned(), version, detail }
            }
            error => Self::NotStored(error),
        }
    }

    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::InvalidArgument { .. } => "invalid_argument",
            Self::NoSuchRoom(..) | Self::NoRoom => "room_not_found",
            Self::RoomAmbiguous { .. } => "room_ambiguous",
            Self::RoomExists { .. } => "room_exists",
            Self::RoomOpen(_) => "room_open",
            Self::RoomOver(_) => "room_closed",
            Self::RoomInUse { .. } => "room_in_use",
            Self::HandleTaken(_) => "handle_taken",
            Self::KeyRequired { .. } => "key_required",
            Self::WrongKey(_) => "wrong_key",
            Self::PathRefused { .. } => "path_refused",
            Self::FileExists(_) | Self::NotCopied(CopyError::Exists(_)) => "file_exists",
            Self::TranscriptUnwritable { .. } => "transcript_unwritable",
            Self::Limit { .. } => "limit_reached",
            Self::NotCopied(CopyError::Unwritable { .. }) => "file_unwritable",
            Self::NotStored(_) | Self::NotReadable(_) | Self::NotCopied(CopyError::Unreadable { .. }) => {
                "journal_unavailable"
            }
            Self::RoomDamaged { .. } => "room_damaged",
            Self::Task(refusal) => refusal.code(),
            Self::TaskMovedOn { .. } => "version_conflict",
            Self::NoSuchTask(_) => "task_not_found",
            Self::LogDamaged { what, .. } if *what == Puzzle::WHAT => "puzzle_damaged",
            Self::LogDamaged { .. } => "task_damaged",
            Self::Puzzle { refusal, .. } => refusal.code(),
            Self::NoSuchPuzzle(_) => "puzzle_not_found",
            Self::PuzzleExists(_) => "puzzle_exists",
            Self::NotStarted(why) => why.code(),
            Self::Cancelled => "cancelled",
            Self::Stopping => "stopping",
        }
    }

    /// What would be allowed.
    #[must_use]
    pub fn allowed(&self) -> Vec<String> {
        match self {
            Self::Refused(refusal) => refusal.allowed(),
            Self::Puzzle { refusal, .. } => refusal.allowed(),
            Self::InvalidArgument { allowed, .. } | Self::PathRefused { allowed, .. } => allowed.clone(),
            Self::NoSuchRoom(_, rooms) | Self::RoomAmbiguous { rooms, .. } => rooms.clone(),
            _ => Vec::new(),
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> String {
        let text = match self {
            Self::Refused(refusal) => refusal.next(),
            Self::Puzzle { refusal, .. } => refusal.next(),
            Self::InvalidArgument { .. } => "correct the argument and call again",
            Self::NoSuchRoom(_, rooms) if rooms.is_empty() => {
                "start one with init_conversation, or call list_conversations"
            }
            Self::NoSuchRoom(..) => "call again with one of the allowed rooms, or call list_conversations",
            Self::NoRoom => "start one with init_conversation",
            Self::RoomAmbiguous { .. } => "call again with `room`",
            Self::RoomExists { is_same_path: true, .. } => {
                "join it, take another filepath, or call again with force=true to close it and start anew"
            }
            Self::RoomExists { .. } => "call again with another `room`",
            Self::RoomOpen(_) => "close it first, or call again with `force` to close and delete it",
            Self::NotCopied(CopyError::Exists(_)) => "name a file that is not there yet",
            Self::NotCopied(CopyError::Unwritable { .. }) => "make the folder writable, or name another file",
            Self::NotCopied(CopyError::Unreadable { .. }) => {
                "run `turnroom doctor`, which says what can be done"
            }
            Self::HandleTaken(_) => {
                "take another handle, or ask @user to free this one: `turnroom remove @Handle`"
            }
            Self::KeyRequired { .. } => "call again with `key`: the invite you were given, or your key",
            Self::WrongKey(_) => {
                "call again with the right key, or ask @user for one: `turnroom key @Handle`"
            }
            Self::PathRefused { next, .. } => next,
            Self::FileExists(_) => "take another filepath, or call again with force=true to keep it aside",
            Self::TranscriptUnwritable { .. } => "make the folder writable, or take another filepath",
            Self::Limit { setting, .. } => {
                return format!(
                    "end what is not needed any more, then call again; a person can raise `{setting}` in [limits] of \
                     config.toml"
                );
            }
            Self::NotStored(AppendError::TooLarge { .. }) => "shorten the message and call again",
            Self::NotStored(_) | Self::NotReadable(_) => {
                "call again with the same words; tell @user that the hub's disk needs a look: `turnroom doctor`"
            }
            Self::RoomDamaged { .. } => {
                "go on in another room; tell @user to run `turnroom doctor`, which says what can be done"
            }
            Self::Cancelled | Self::Stopping => "call again",
            _ => return self.next_of_work(),
        };
        text.to_owned()
    }

    /// The same, where a task or a puzzle is concerned, or a room in which one lives.
    fn next_of_work(&self) -> String {
        let text = match self {
            Self::Task(refusal) => refusal.next(),
            Self::RoomOver(_) => "leave `room` out for a room of its own, or name one that is open",
            Self::RoomInUse { .. } => "end that first, or call again with `force`: it goes on without a room",
            Self::NotStarted(why) => return why.next(),
            Self::TaskMovedOn { expected, actual, .. } => {
                let since = expected.saturating_add(1).min(*actual).max(1);
                return format!(
                    "call context_read with since_version={since}, then decide anew whether it still holds"
                );
            }
            Self::LogDamaged { what, .. } => {
                return format!(
                    "go on with another {what}; tell @user to run `turnroom doctor`, which says what can be done"
                );
            }
            Self::NoSuchPuzzle(_) => {
                "call again with a `puzzleId` of list_puzzles, or add one with add_puzzle"
            }
            Self::PuzzleExists(_) => "call again with another `id`, or without one",
            _ => "call context_list for the tasks there are, or make one with context_create",
        };
        text.to_owned()
    }
}

/// The records that a writer did not know, in a few words.
fn came_in_between(since: &[Record]) -> String {
    let word = |record: &Record| format!("{} {} ({})", record.version, record.content_type, record.role);
    let words: Vec<_> = since.iter().map(word).collect();
    if words.is_empty() {
        "it has not come so far".to_owned()
    } else {
        format!("in between came {}", words.join(", "))
    }
}
