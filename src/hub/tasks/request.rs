//! What is asked about tasks, and how they stand.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::turn::usual;
use crate::hub::error::HubError;
use crate::room::Handle;
use crate::task::{
    Create, Decision, Flow, Gate, Proposal, Refusal, Reported, Role, Status, Task, WaitingFor, Warning,
};

/// How a task stands.
#[derive(Clone, Debug)]
pub struct TaskState {
    /// Its id.
    pub task: String,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// Who wants it.
    pub creator: String,
    /// Which way it goes; the project goes none.
    pub flow: Option<Flow>,
    /// Where decisions may come from.
    pub gate: Gate,
    /// Who plays which part.
    pub cast: BTreeMap<Role, Handle>,
    /// The room in which its turns are taken; none, if that is deleted.
    pub room: Option<String>,
    /// The stream of that room, which no other has.
    pub room_stream: Option<String>,
    /// Whether that room is only for it.
    pub has_own_room: bool,
    /// Where it stands; the project stands nowhere.
    pub status: Option<Status>,
    /// How many records it has.
    pub version: u64,
    /// Who has to act; the project waits for nobody.
    pub waiting_for: Option<WaitingFor>,
    /// What did not fit, and nobody has acknowledged.
    pub warnings: Vec<Warning>,
    /// The decisions that wait for a person: the newest of everybody who proposes one, the newest last.
    pub proposals: Vec<Proposal>,
    /// Whether `@user` has vouched for work in it, which another person has to approve.
    pub is_work_of_user: bool,
    /// When it was made.
    pub made: DateTime<Utc>,
    /// Since when it stands where it stands.
    pub since: DateTime<Utc>,
    /// The record with which the present turn began: since then the same one has to do the same.
    pub turn: u64,
    /// When that was.
    pub turn_since: DateTime<Utc>,
    /// What the agent whose turn it is has told last.
    pub reported: Option<Reported>,
    /// The newest record of the role whose turn it is, if it has published something in it.
    pub published: Option<u64>,
    /// The newest record of a person; 0 is its making.
    pub heard_person: u64,
    /// When its last record came.
    pub last_activity: DateTime<Utc>,
}

/// Make a task.
#[derive(Clone, Debug, Default)]
pub struct CreateTask {
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// Who wants it.
    pub creator: String,
    /// The part that its creator plays.
    pub role: String,
    /// Which way it goes.
    pub flow: Flow,
    /// Who plays which part.
    pub cast: BTreeMap<Role, String>,
    /// The room in which its turns are taken; else one of its own.
    pub room: Option<String>,
    /// Where decisions may come from.
    pub gate: Gate,
    /// The creator's own id of it.
    pub request_id: Option<String>,
}

/// Publish a record.
#[derive(Clone, Debug, Default)]
pub struct PublishRecord {
    /// In which task.
    pub task: String,
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
}

/// Decide about a task.
#[derive(Clone, Debug)]
pub struct Decide {
    /// Which task.
    pub task: String,
    /// What is decided.
    pub decision: Decision,
    /// By whom.
    pub by: String,
    /// Why.
    pub reason: Option<String>,
    /// How many records who decides has seen.
    pub expected_version: Option<u64>,
    /// The id that who decides gave it.
    pub request_id: Option<String>,
}

/// Which tasks to list.
#[derive(Clone, Debug)]
pub struct ListTasks {
    /// Only those that stand here.
    pub status: Option<Status>,
    /// Also those that are over.
    pub include_closed: bool,
    /// At most so many.
    pub limit: usize,
    /// Only those that were made before this one.
    pub after: Option<String>,
}

/// Some tasks, the newest first.
#[derive(Clone, Debug)]
pub struct TaskPage {
    /// They.
    pub tasks: Vec<TaskState>,
    /// Whether there are more.
    pub more: bool,
}

impl TaskState {
    pub(super) fn of(task: &Task) -> Self {
        let made = task.made();
        Self {
            task: made.task.clone(),
            title: made.title.clone(),
            description: made.description.clone(),
            creator: made.creator.clone(),
            flow: made.flow,
            gate: made.gate,
            cast: made.cast.clone(),
            room: made.room.clone(),
            room_stream: made.room_stream.clone(),
            has_own_room: made.has_own_room,
            status: task.status(),
            version: task.version(),
            waiting_for: task.waiting_for(),
            warnings: task.warnings().to_vec(),
            proposals: task.proposals().to_vec(),
            is_work_of_user: task.is_work_of(&Handle::user()),
            made: made.at,
            since: task.since(),
            turn: task.turn(),
            turn_since: task.turn_since(),
            reported: task.reported().cloned(),
            published: task.published(),
            heard_person: task.heard_person(),
            last_activity: task.last_activity(),
        }
    }

    /// The newest decision that waits for a person who vouches for it.
    #[must_use]
    pub fn proposal(&self) -> Option<&Proposal> {
        self.proposals.last()
    }

    /// Whether something did not fit that nobody has acknowledged: also after the end.
    #[must_use]
    pub fn needs_attention(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// Whether it waits for a person who looks at what did not fit: after the end it does not.
    #[must_use]
    pub fn waits_for_a_look(&self) -> bool {
        self.needs_attention() && self.waiting_for == Some(WaitingFor::Human)
    }
}

/// What is asked of the task itself; who plays a part that the request gives to nobody stands in the line-up.
pub(super) fn create(
    task: String,
    request: CreateTask,
    line_up: &BTreeMap<Role, Handle>,
    max_bytes: usize,
) -> Result<Create, HubError> {
    let CreateTask { title, description, creator, role, flow, cast, gate, room, request_id } = request;
    let handle = |(role, handle): (Role, String)| {
        let parsed = Handle::parse(&handle);
        parsed
            .map(|parsed| (role, parsed))
            .map_err(|error| Refusal::invalid(format!("cast.{role}"), error.to_string()))
    };
    let mut cast: BTreeMap<Role, Handle> = cast.into_iter().map(handle).collect::<Result<_, Refusal>>()?;
    for role in Role::ALL {
        cast.entry(role).or_insert_with(|| line_up.get(&role).cloned().unwrap_or_else(|| usual(role)));
    }
    let (flow, has_own_room) = (Some(flow), room.is_none());
    Ok(Create {
        task,
        title,
        description,
        creator,
        role,
        flow,
        cast,
        gate,
        room,
        room_stream: None,
        has_own_room,
        request_id,
        max_bytes,
    })
}
