//! What is asked of a task.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::flow::{Flow, Gate, Role};
use super::report::Activity;
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
    /// The stream of that room.
    pub room_stream: Option<String>,
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
    /// Whether that is known to be a person by this name: `@user`, or one whom the room of the task knows.
    pub is_known_person: bool,
    /// How many bytes its payload may have.
    pub max_bytes: usize,
}

/// Tell how an agent goes on with its turn. It names itself, the part that it plays, or both.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it does.
    pub activity: Activity,
    /// The part that it plays.
    pub role: Option<Role>,
    /// Who it is.
    pub handle: Option<Handle>,
    /// Why, in its words.
    pub reason: Option<String>,
}

impl Report {
    /// Who tells it, in words.
    #[must_use]
    pub fn who(&self) -> String {
        match (&self.handle, self.role) {
            (Some(handle), Some(role)) => format!("{handle} ({role})"),
            (Some(handle), None) => handle.to_string(),
            (None, Some(role)) => format!("the {role}"),
            (None, None) => "nobody".to_owned(),
        }
    }
}
