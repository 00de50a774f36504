//! Tasks: pieces of work whose next worker follows from what was published.
//!
//! As with rooms, a task is a stream of the journal, and decides by itself; here it is found, locked, stored, and told
//! of. Tasks that are over leave memory.

mod ack;
mod create;
mod gate;
mod items;
mod live;
mod modes;
mod open;
mod outlook;
mod places;
mod report;
mod request;
mod rounds;
mod seen;
mod start_next;
mod starter;
mod starts;
mod turn;
mod wait;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use chrono::{DateTime, Utc};
use serde_json::json;
use tokio::sync::{MutexGuard, watch};

use super::Hub;
use super::aggregate::{List, Listed, Live, Shelf, is_id};
use super::caller::Caller;
use super::error::HubError;
use super::shared::Shared;
use crate::journal::StreamId;
use crate::room::Handle;
use crate::task::{Content, Create, Event, PROJECT, Publish, Record, Refusal, Status, Task, open};
use live::LiveTask;
use rounds::Rounds;
use wait::Awaited;

pub use ack::Acknowledge;
pub(super) use gate::AtGate;
pub use modes::{SettingsFault, Start, Starter, TaskSettings};
pub use report::{ReportTurn, ReportedTurn};
pub use request::{CreateTask, Decide, ListTasks, PublishRecord, TaskPage, TaskState};
pub(super) use rounds::start as start_rounds;
pub use start_next::{How, IfStarted, NotStarted, StartedAgent};
pub(super) use starts::check_starts;
pub use wait::{WaitTask, Waited};

/// Records that an error names, of those that its caller did not know.
const NAMED: usize = 5;
/// Open tasks among which one is looked for, or that are looked at for what they want.
const LOOKED_AT: usize = 1_000;
/// Tasks that are loaded side by side.
const AT_ONCE: usize = 8;

/// The tasks of a hub.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    shelf: Shelf<Task>,
    /// Which of them have to be looked at for what is due in them.
    rounds: Rounds,
    /// Who waits in a call for the turn of a role.
    awaited: Awaited,
    /// How many agents run that this hub has started.
    running: AtomicUsize,
    /// Whether the hub before this one died, so that rooms may not know how far their tasks had come.
    is_after_crash: bool,
}

impl Hub {
    /// Publishes a record.
    pub async fn publish_record(
        &self,
        caller: &Caller,
        request: PublishRecord,
    ) -> Result<TaskState, HubError> {
        self.refuse_if_stopping()?;
        let person = vouching(caller, &request);
        let PublishRecord { task, role, content_type, payload, agent, model, expected_version, request_id } =
            request;
        let max_bytes = self.shared.settings.max_message;
        let publish = Publish {
            role,
            content_type,
            payload,
            agent,
            model,
            expected_version,
            request_id,
            person,
            max_bytes,
            ..Publish::default()
        };
        self.publish(&task, publish).await
    }

    /// Decides about a task: a record like another, which counts as far as a person vouches for it.
    pub async fn decide_task(&self, caller: &Caller, request: Decide) -> Result<TaskState, HubError> {
        self.refuse_if_stopping()?;
        let Decide { task, decision, by, reason, expected_version, request_id } = request;
        let person = if caller.is_verified { Some(decider(&by)?) } else { None };
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        let summary = format!("{by}: {}", decision.as_str());
        let body = reason.unwrap_or_else(|| summary.clone());
        let payload = json!({ "summary": summary, "body": body, "decision": decision.as_str() });
        let publish = Publish {
            role: "human".to_owned(),
            content_type: "decision".to_owned(),
            payload: payload.as_object().cloned().unwrap_or_default(),
            agent: Some(by),
            expected_version,
            request_id,
            person,
            max_bytes: self.shared.settings.max_message,
            ..Publish::default()
        };
        self.publish(&task, publish).await
    }

    async fn publish(&self, task: &str, publish: Publish) -> Result<TaskState, HubError> {
        let shared = &self.shared;
        let now = shared.clock.now().wall;
        let live = match shared.task(task).await {
            Err(HubError::NoSuchTask(_)) if task == PROJECT => shared.open_project(now).await?,
            live => live?,
        };
        let mut locked = live.log.lock(&*shared.journal).await?;
        let was_open = locked.state().status() != Some(Status::Closed);
        let events = match shared.store_record(&live, &mut locked, publish, now).await {
            Err(HubError::Task(Refusal::VersionConflict { expected, actual })) => {
                drop(locked);
                let since = live.read(&*shared.journal, expected.saturating_add(1), NAMED).await?;
                return Err(HubError::TaskMovedOn { task: task.to_owned(), expected, actual, since });
            }
            events => events?,
        };
        let state = shared.state_of(locked.state()).await;
        live.observe(&state, shared.clock.now());
        // In the order of the records: the task stays locked until its room knows.
        if let Some(Event::RecordPublished(newest)) = events.last() {
            shared.hear_of_writer(&state, newest).await;
            shared.tell_room((&live, &state), Some(newest)).await;
        }
        drop(locked);
        if !events.is_empty() {
            shared.task_changed(&state.task);
            if was_open
                && state.status == Some(Status::Closed)
                && !live.is_room_behind()
                && let Err(error) = shared.close_task(&live, now).await
            {
                // The rounds try it again; how it stands is right all the same.
                tracing::warn!(task = %state.task, %error, "a task that is over is not listed so");
            }
        }
        Ok(state)
    }

    /// How a task stands.
    pub async fn task_state(&self, task: &str) -> Result<TaskState, HubError> {
        let live = self.shared.task(task).await?;
        let locked = live.log.lock(&*self.shared.journal).await?;
        Ok(self.shared.state_of(locked.state()).await)
    }

    /// A watch that changes with everything that happens in one task.
    pub async fn changes_of_task(&self, task: &str) -> Result<watch::Receiver<u64>, HubError> {
        Ok(self.shared.task(task).await?.log.changes.subscribe())
    }

    /// How a task stands, and its records from a version on.
    pub async fn read_task(
        &self,
        task: &str,
        since: u64,
        limit: usize,
    ) -> Result<(TaskState, Vec<Record>), HubError> {
        let live = self.shared.task(task).await?;
        let state = {
            let locked = live.log.lock(&*self.shared.journal).await?;
            self.shared.state_of(locked.state()).await
        };
        let records = live.read(&*self.shared.journal, since, limit).await?;
        Ok((state, records))
    }

    /// Tasks, the newest first. The project is none of them.
    pub async fn list_tasks(&self, request: &ListTasks) -> Result<TaskPage, HubError> {
        let shared = &self.shared;
        let wants_closed = request.include_closed || request.status == Some(Status::Closed);
        let mut listed: Vec<Listed> = {
            let list = shared.tasks_list().await?;
            let before = match &request.after {
                None => u64::MAX,
                Some(after) => list.get(after).ok_or_else(|| HubError::NoSuchTask(after.clone()))?.number,
            };
            let is_wanted = |listed: &&Listed| listed.number < before && listed.id != PROJECT;
            if wants_closed {
                list.all().filter(is_wanted).cloned().collect()
            } else {
                list.open().filter(is_wanted).cloned().collect()
            }
        };
        listed.sort_by_key(|listed| std::cmp::Reverse(listed.number));
        let mut tasks = Vec::new();
        let mut left = listed.into_iter();
        while tasks.len() <= request.limit {
            let some: Vec<_> = left.by_ref().take(AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            let states = futures::future::join_all(some.iter().map(|listed| shared.task_state(listed))).await;
            // One that is damaged hides no other: `doctor` tells of it.
            let is_wanted = |state: &TaskState| match request.status {
                Some(_) => state.status == request.status,
                None => wants_closed || state.status != Some(Status::Closed),
            };
            tasks.extend(states.into_iter().flatten().filter(is_wanted));
        }
        let more = tasks.len() > request.limit;
        tasks.truncate(request.limit);
        Ok(TaskPage { tasks, more })
    }

    /// Tasks that are not over, the newest first.
    async fn open_tasks(&self) -> Result<Vec<TaskState>, HubError> {
        let open = ListTasks { status: None, include_closed: false, limit: LOOKED_AT, after: None };
        Ok(self.list_tasks(&open).await?.tasks)
    }

    /// Changes with everything that happens in any task.
    #[must_use]
    pub fn task_changes(&self) -> watch::Receiver<u64> {
        self.shared.task_list.shelf.changes.subscribe()
    }
}

impl Shared {
    async fn tasks_list(&self) -> Result<MutexGuard<'_, List<Task>>, HubError> {
        self.task_list.shelf.list(&*self.journal).await
    }

    fn task_changed(&self, task: &str) {
        self.task_list.rounds.look_at(task);
        self.task_list.shelf.changes.happened();
        self.stirs.stir_elsewhere();
    }

    /// The task of this id.
    async fn task(&self, task: &str) -> Result<Arc<LiveTask>, HubError> {
        if !is_id(task) {
            let problem = format!("`{}` is no id of a task", task.chars().take(64).collect::<String>());
            return Err(Refusal::invalid("task_id", problem).into());
        }
        if let Some(live) = self.task_list.shelf.get(task) {
            return Ok(live);
        }
        let list = self.tasks_list().await?;
        let listed = list.get(task).ok_or_else(|| HubError::NoSuchTask(task.to_owned()))?;
        Ok(self.task_list.of(listed))
    }

    async fn task_state(&self, listed: &Listed) -> Result<TaskState, HubError> {
        let live = self.task_list.of(listed);
        let locked = live.log.lock(&*self.journal).await?;
        if locked.is_made() {
            Ok(self.state_of(locked.state()).await)
        } else {
            Err(HubError::NoSuchTask(listed.id.clone()))
        }
    }

    /// Makes the task that holds notes of the whole project.
    async fn open_project(&self, now: DateTime<Utc>) -> Result<Arc<LiveTask>, HubError> {
        // Who wants it twice at once makes it once.
        let same = self.task_list.shelf.making.same_request(PROJECT);
        let _first = same.lock().await;
        if let Some(listed) = self.tasks_list().await?.get(PROJECT) {
            return Ok(self.task_list.of(listed));
        }
        let stream = StreamId::parse("task-project").expect("the name is plain");
        let live = LiveTask::new(PROJECT.to_owned(), stream.clone());
        let create = Create {
            task: PROJECT.to_owned(),
            title: "Project".to_owned(),
            description: "Notes and decisions of the whole project".to_owned(),
            creator: "@system".to_owned(),
            role: "human".to_owned(),
            max_bytes: self.settings.max_message,
            ..Create::default()
        };
        let make = |task: &Task| {
            if task.made().task == PROJECT {
                Ok(Vec::new())
            } else {
                open(create.clone(), now).map(|event| vec![event])
            }
        };
        live.log.lock(&*self.journal).await?.decide(now, make).await?;
        self.task_list.shelf.add(&*self.journal, &live, None, now).await;
        Ok(live)
    }

    /// A task is over: it is listed so, and leaves memory.
    async fn close_task(&self, live: &Arc<LiveTask>, now: DateTime<Utc>) -> Result<(), HubError> {
        self.end_agents(live);
        self.task_list.shelf.close(&*self.journal, &live.log.id, now).await
    }
}

impl Tasks {
    pub(super) fn new(is_after_crash: bool) -> Self {
        Self { is_after_crash, ..Self::default() }
    }

    /// Whether a room does not know, or may not, how far a task has come.
    pub(super) fn has_a_room_behind(&self) -> bool {
        self.shelf.in_memory().iter().any(|live| live.is_room_behind())
    }

    /// The task, in memory or to be loaded when it is locked. Those that are over do not stay.
    fn of(&self, listed: &Listed) -> Arc<LiveTask> {
        self.shelf.of(listed, |live| {
            live.set_room_behind(self.is_after_crash);
        })
    }
}

/// The person who vouches for a record: whose decision, work or words it is. What a person publishes in the name of
/// another is not his own, and whoever has no handle is no person: its decision is a proposal, as from anybody else.
fn vouching(caller: &Caller, request: &PublishRecord) -> Option<Handle> {
    let is_decision = Content::of(&request.content_type) == Some(Content::Decision);
    match request.agent.as_deref() {
        _ if !caller.is_verified => None,
        None => Some(Handle::user()),
        Some(name) => Handle::parse(name.trim()).ok().filter(|named| is_decision || *named == Handle::user()),
    }
}

/// Whoever decides, by the handle, with or without the `@`.
fn decider(name: &str) -> Result<Handle, HubError> {
    Handle::parse(name.trim()).map_err(|error| Refusal::invalid("by", error.to_string()).into())
}
