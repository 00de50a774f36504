//! What happened to a task. As in a room, events are stored as JSON exactly as they are defined here.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::flow::{Flow, Gate, Role};
use super::record::Record;
use super::report::Reported;
use crate::room::Handle;
use crate::room::event::kinds;

/// What happened to a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// It was made.
    TaskCreated(Box<Created>),
    /// Something was published.
    RecordPublished(Box<Record>),
    /// The agent whose turn it is has told how it goes on.
    AgentReported(Box<Reported>),
}

kinds!(pub Event {
    Self::TaskCreated(_) => "task_created",
    Self::RecordPublished(_) => "record_published",
    Self::AgentReported(_) => "agent_reported",
});

/// A task was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Created {
    /// Its id.
    pub task: String,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// Who wants it, as it was given.
    pub creator: String,
    /// The part that its creator plays, as it was given.
    pub role: String,
    /// Which way it goes; the project goes none.
    pub flow: Option<Flow>,
    /// Who plays which part.
    pub cast: BTreeMap<Role, Handle>,
    /// Where decisions may come from.
    pub gate: Gate,
    /// The room in which its turns are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// Whether that room is only for it.
    #[serde(default)]
    pub has_own_room: bool,
    /// When.
    pub at: DateTime<Utc>,
    /// The creator's own id of it, and a mark of all that it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}
