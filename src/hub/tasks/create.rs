//! Making a task: its id, the room in which its turns are taken, its first event, its place in the list. No lock that
//! others need is held while a disk works.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::list::{List, Listed, TASKS};
use super::live::LiveTask;
use super::request::{CreateTask, TaskState, create};
use super::{Tasks, plain};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::journal::StreamId;
use crate::room::Handle;
use crate::secret;
use crate::task::{Event, Refusal, open};

impl Hub {
    /// Makes a task, and the room in which its turns are taken.
    pub async fn create_task(&self, caller: &Caller, request: CreateTask) -> Result<TaskState, HubError> {
        self.refuse_if_stopping()?;
        let shared = &self.shared;
        let now = shared.clock.now();
        // The same request twice at once makes one task.
        let same = request.request_id.as_ref().map(|id| shared.task_list.same_request(id));
        let _first = match &same {
            Some(same) => Some(same.lock().await),
            None => None,
        };
        let making = {
            let list = shared.tasks_list().await?;
            if let Some(listed) = request.request_id.as_deref().and_then(|id| list.requested(id)).cloned() {
                drop(list);
                return self.created_before(&listed, &request).await;
            }
            shared.task_list.keep_id(&list, &request.title)
        };
        let task = making.id.clone();
        let line_up = &shared.settings.starter.settings().cast;
        let mut create = create(task.clone(), request.clone(), line_up)?;
        // Everything that can be wrong with the request is found before anything changes.
        open(create.clone(), now.wall)?;
        let cast: Vec<&Handle> = create.cast.values().collect();
        let room = self.room_of_task(caller, (&task, &request.title, request.room.as_deref()), &cast).await?;
        (create.room, create.has_own_room) = (Some(room), request.room.is_none());
        let stream = new_stream();
        let live = LiveTask::new(task.clone(), stream.clone());
        let mut locked = live.lock(&*shared.journal).await?;
        locked.commit(&[open(create, now.wall)?], now.wall).await?;
        let state = TaskState::of(locked.task());
        live.begin(&state, now);
        let mut list = shared.tasks_list().await?;
        let added = list.add(&*shared.journal, (&task, &stream), request.request_id, now.wall).await;
        added.map_err(HubError::NotStored)?;
        drop((list, making));
        shared.task_list.live().insert(task, Arc::clone(&live));
        shared.tell_room(&state, None).await;
        drop(locked);
        shared.task_changed(&state.task);
        Ok(state)
    }

    /// The same request again is answered with the task that it made.
    async fn created_before(&self, listed: &Listed, request: &CreateTask) -> Result<TaskState, HubError> {
        let live = self.shared.task_list.of(listed);
        let locked = live.lock(&*self.shared.journal).await?;
        let made = locked.task().made();
        let again = open(create(listed.task.clone(), request.clone(), &made.cast)?, made.at)?;
        let Event::TaskCreated(again) = again else { unreachable!("a task begins with its creation") };
        if again.request != made.request {
            let id = request.request_id.clone().unwrap_or_default();
            return Err(Refusal::RequestIdReused { id, version: 0 }.into());
        }
        Ok(TaskState::of(locked.task()))
    }
}

impl Tasks {
    /// Keeps an id for a task that is being made.
    fn keep_id(&self, list: &List, title: &str) -> Making<'_> {
        let mut making = plain(&self.making);
        let id = list.free_id(title, |id| making.contains(id));
        making.insert(id.clone());
        Making { tasks: self, id }
    }

    /// What only one of those holds who make a task by the same request.
    fn same_request(&self, id: &str) -> Arc<Mutex<()>> {
        let mut requests = plain(&self.requests);
        requests.retain(|_, same| Arc::strong_count(same) > 1);
        Arc::clone(requests.entry(id.to_owned()).or_default())
    }
}

/// An id that is kept for a task as long as it is being made.
struct Making<'a> {
    tasks: &'a Tasks,
    id: String,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        plain(&self.tasks.making).remove(&self.id);
    }
}

fn new_stream() -> StreamId {
    StreamId::parse(&format!("{TASKS}{}", secret::id())).expect("an id is plain")
}
