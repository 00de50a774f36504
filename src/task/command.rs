//! What is asked of a task.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::flow::{Flow, Gate, Role};
use crate::room::Handle;

/// Make a task.
#[derive(Clone, Debug, Default)]
pub struct Create {
    /// Its id, which nobody else has.
    pub task: String,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// Who wants it.
    pub creator: String,
    /// The part that its creator plays.
    pub role: String,
    /// Which way it goes; the project goes none.
    pub flow: Option<Flow>,
    /// Who plays which part.
    pub cast: BTreeMap<Role, Handle>,
    /// Where decisions may come from.
    pub gate: Gate,
    /// The room in which its turns are taken.
    pub room: Option<String>,
    /// Whether that room is only for it.
    pub has_own_room: bool,
    /// The creator's own id of it.
    pub request_id: Option<String>,
    /// How many bytes its description may have.
    pub max_bytes: usize,
}

/// Publish a record.
#[derive(Clone, Debug, Default)]
pub struct Publish {
    /// The part that the writer plays.
    pub role: String,
    /// What it is.
    pub content_type: String,
    /// What it says.
    pub payload: Map<String, Value>,
    /// Who writes it.
    pub agent: Option<String>,
    /// The model behind it.
    pub model: Option<String>,
    /// How many records the writer knows.
    pub expected_version: Option<u64>,
    /// The writer's own id of it.
    pub request_id: Option<String>,
    /// The person who vouches for it.
    pub person: Option<Handle>,
    /// How many bytes its payload may have.
    pub max_bytes: usize,
}
