//! Making a task: its id, the room in which its turns are taken, its first event, its place in the list. No lock that
//! others need is held while a disk works.

use super::live::LiveTask;
use super::request::{CreateTask, TaskState, create};
use crate::hub::Hub;
use crate::hub::aggregate::{Aggregate, Listed, Live};
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::lodging::Lodger;
use crate::journal::StreamId;
use crate::room::Handle;
use crate::secret;
use crate::task::{Event, Refusal, Task, open};

impl Hub {
    /// Makes a task, and the room in which its turns are taken.
    pub async fn create_task(&self, caller: &Caller, request: CreateTask) -> Result<TaskState, HubError> {
        self.refuse_if_stopping()?;
        let shared = &self.shared;
        let now = shared.clock.now();
        // The same request twice at once makes one task.
        let same = request.request_id.as_ref().map(|id| shared.task_list.shelf.making.same_request(id));
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
            shared.task_list.shelf.making.keep_free(&list, &request.title)
        };
        let task = making.id().to_owned();
        let line_up = &shared.settings.starter.settings().cast;
        let mut create = create(task.clone(), request.clone(), line_up, shared.settings.max_message)?;
        // Everything that can be wrong with the request is found before anything changes.
        open(create.clone(), now.wall)?;
        let cast: Vec<&Handle> = create.cast.values().collect();
        let (id, title, creator) = (&*task, &*request.title, &*request.creator);
        let lodger = Lodger { id, title, creator: ("creator", creator), called: ("cast", &cast) };
        let lodging = self.lodge(caller, &lodger, request.room.as_deref()).await?;
        (create.room, create.room_stream) = (Some(lodging.room.clone()), Some(lodging.stream.clone()));
        let live = LiveTask::new(task, new_stream());
        let mut locked = live.log.lock(&*shared.journal).await?;
        let made = |_: &Task| open(create.clone(), now.wall).map(|event| vec![event]);
        if let Err(error) = locked.decide(now.wall, made).await {
            if request.room.is_none() {
                shared.give_up_own_room(lodging);
            }
            return Err(error);
        }
        let state = shared.state_of(locked.state()).await;
        live.begin(&state, now);
        shared.task_list.shelf.add(&*shared.journal, &live, request.request_id, now.wall).await;
        drop(making);
        shared.tell_room((&live, &state), None).await;
        drop(locked);
        shared.task_changed(&state.task);
        Ok(state)
    }

    /// The same request again is answered with the task that it made.
    async fn created_before(&self, listed: &Listed, request: &CreateTask) -> Result<TaskState, HubError> {
        let live = self.shared.task_list.of(listed);
        let locked = live.log.lock(&*self.shared.journal).await?;
        let made = locked.state().made();
        let max_bytes = self.shared.settings.max_message;
        let again = open(create(listed.id.clone(), request.clone(), &made.cast, max_bytes)?, made.at)?;
        let Event::TaskCreated(again) = again else { unreachable!("a task begins with its creation") };
        if again.request != made.request {
            let id = request.request_id.clone().unwrap_or_default();
            return Err(Refusal::RequestIdReused { id, what: format!("task `{}`", listed.id) }.into());
        }
        Ok(self.shared.state_of(locked.state()).await)
    }
}

fn new_stream() -> StreamId {
    StreamId::parse(&format!("{}{}", Task::PREFIX, secret::id())).expect("an id is plain")
}
