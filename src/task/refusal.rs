//! Why a task took nothing in. Nothing has changed. Each text says what was wrong and what to do next.

/// Why a task took nothing in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A field is not valid.
    #[error("`{field}`: {problem}")]
    Invalid {
        /// Which one.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Others have published since.
    #[error("version {expected} was expected, and the task is at version {actual}")]
    VersionConflict {
        /// What the writer knew.
        expected: u64,
        /// How many records there are.
        actual: u64,
    },
    /// Something else was asked for with this id.
    #[error("request id `{id}` was used for {what}, which says something else; choose a new one")]
    RequestIdReused {
        /// The id.
        id: String,
        /// What has it, in words.
        what: String,
    },
    /// Too many bytes.
    #[error(
        "`{field}` takes {bytes} bytes in an answer, and {limit} are allowed; put long text into a file and name its path"
    )]
    PayloadTooLarge {
        /// What is too long.
        field: &'static str,
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        limit: usize,
    },
    /// Somebody tells of a turn that is not his.
    #[error("{who} does not have the turn in task `{task}`, which waits for {whose}; nothing was noted")]
    NotYourTurn {
        /// Which task.
        task: String,
        /// Who tells it.
        who: String,
        /// For whom the task waits.
        whose: String,
    },
    /// Somebody tells of a turn, and has none.
    #[error("no open task waits for {0}; nothing was noted")]
    NoTurn(String),
}

impl Refusal {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "validation_error",
            Self::VersionConflict { .. } => "version_conflict",
            Self::RequestIdReused { .. } => "request_id_reused",
            Self::PayloadTooLarge { .. } => "payload_too_large",
            Self::NotYourTurn { .. } | Self::NoTurn(_) => "not_your_turn",
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "correct the field and call again",
            Self::VersionConflict { .. } => "call context_read, then decide anew whether it still holds",
            Self::RequestIdReused { .. } => {
                "call again with another request_id, or with the same words as before"
            }
            Self::PayloadTooLarge { .. } => "shorten it and call again",
            Self::NotYourTurn { .. } | Self::NoTurn(_) => {
                "nothing has to be done; context_list shows whom each task waits for"
            }
        }
    }

    /// A field that is not valid.
    pub(crate) fn invalid(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), problem: problem.into() }
    }
}
