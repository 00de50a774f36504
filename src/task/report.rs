//! What an agent tells of itself while it is its turn. It is no record: it takes no version, and moves nothing.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::flow::Role;
use crate::room::Handle;

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// It works.
    Working,
    /// It cannot go on without somebody else.
    Blocked,
    /// It has stopped.
    Done,
}

impl Activity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Working, Self::Blocked, Self::Done];

    /// As it is written in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Blocked => "blocked",
            Self::Done => "done",
        }
    }

    /// The activity of this exact name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|activity| activity.as_str() == name)
    }
}

/// What the agent whose turn it is has told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reported {
    /// What it does.
    pub activity: Activity,
    /// The part that it plays.
    pub role: Role,
    /// Who it is.
    pub handle: Handle,
    /// The record with which its turn began.
    pub turn: u64,
    /// Why, in one line of its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
}
