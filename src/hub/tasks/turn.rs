//! A task lives in a room: when it moves on, the floor there goes to whoever has to act, and the room is told why.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::TaskState;
use super::live::LiveTask;
use crate::hub::aggregate::Locked;
use crate::hub::error::HubError;
use crate::hub::live::LiveRoom;
use crate::hub::shared::Shared;
use crate::journal::Version;
use crate::room::command::TaskMove;
use crate::room::{Command, Handle};
use crate::task::{Content, Event, Publish, Record, Role, Standing, Status, Task, WaitingFor};

/// So many events are read at once.
const PAGE: usize = 500;

impl Shared {
    /// How a task stands, and the room in which it lives now: none, if that is deleted.
    pub(super) async fn state_of(&self, task: &Task) -> TaskState {
        let mut state = TaskState::of(task);
        if let Some(room) = &state.room {
            let entry = self.lodging(room, state.room_stream.as_deref()).await;
            state.room = entry.map(|entry| entry.room);
        }
        state
    }

    /// Whether this is known to be a person, by more than its own word: `@user`, or a person of the room of the task.
    pub(super) async fn knows_person(self: &Arc<Self>, task: &Task, person: Option<&Handle>) -> bool {
        let Some(person) = person else { return false };
        if *person == Handle::user() {
            return true;
        }
        let state = self.state_of(task).await;
        let Ok(Some(room)) = self.lodging_of(&state).await else { return false };
        room.lock(self).await.is_ok_and(|locked| {
            locked
                .room()
                .resolve(person.as_str())
                .is_some_and(|member| member.is_human() && member.handle == *person)
        })
    }

    /// The room of a task, in memory.
    pub(super) async fn lodging_of(
        self: &Arc<Self>,
        state: &TaskState,
    ) -> Result<Option<Arc<LiveRoom>>, HubError> {
        match &state.room {
            Some(room) => self.lodging_room(room, state.room_stream.as_deref()).await,
            None => Ok(None),
        }
    }

    /// Tells the room of a task how it stands, and gives the floor there. Telling twice changes nothing.
    pub(super) async fn tell_room(
        self: &Arc<Self>,
        (live, state): (&LiveTask, &TaskState),
        newest: Option<&Record>,
    ) {
        let Some(status) = state.status else {
            live.set_room_behind(false);
            return;
        };
        let told = async {
            let Some(room) = self.lodging_of(state).await? else { return Ok(()) };
            self.tell_what_is_missing(live, state, &room).await?;
            room.lock(self).await?.execute(Command::MoveTask(moved(state, status, newest))).await?;
            if status == Status::Closed && state.has_own_room {
                self.end_own_room(&room).await?;
            }
            Ok::<_, HubError>(())
        };
        let told = told.await;
        // The log of the task is the truth. Where the disk did not work, the rounds tell the room again; one that is
        // damaged or gone is told nothing.
        let is_behind = told.as_ref().is_err_and(HubError::is_of_a_disk);
        let was_behind = live.set_room_behind(is_behind);
        if let Err(error) = told
            && !(was_behind && is_behind)
        {
            tracing::warn!(task = %state.task, %error, "a room is not told that a task moved on");
        }
    }

    /// Tells the room of a task what came before its newest record, if it was not told then: a hub has died in between,
    /// the disk did not work, or whoever published was gone. Each record is told as it was.
    async fn tell_what_is_missing(
        self: &Arc<Self>,
        live: &LiveTask,
        state: &TaskState,
        room: &Arc<LiveRoom>,
    ) -> Result<(), HubError> {
        let known = room.lock(self).await?.room().told_of_task(&state.task);
        let missing = known.map_or(0, |known| known + 1)..state.version;
        if missing.is_empty() {
            return Ok(());
        }
        let (mut before, mut after) = (Task::default(), Version::EMPTY);
        loop {
            let (events, next) = live.log.read(&*self.journal, after, PAGE).await?;
            for (event, _) in &events {
                before.apply(event);
                let newest = match event {
                    Event::TaskCreated(_) => None,
                    Event::RecordPublished(record) => Some(&**record),
                    Event::AgentReported(_) => continue,
                };
                let was = TaskState::of(&before);
                if let Some(status) = was.status.filter(|_| missing.contains(&was.version)) {
                    room.lock(self).await?.execute(Command::MoveTask(moved(&was, status, newest))).await?;
                }
            }
            let Some(next) = next else { return Ok(()) };
            after = next;
        }
    }

    /// Publishes a record into a task that is locked. Until its room is told of it, the room may not know how far the task
    /// has come: whoever publishes may be gone by then, so the rounds look at it in any case.
    pub(super) async fn store_record(
        self: &Arc<Self>,
        live: &LiveTask,
        locked: &mut Locked<'_, Task>,
        mut publish: Publish,
        now: DateTime<Utc>,
    ) -> Result<Vec<Event>, HubError> {
        publish.is_known_person = self.knows_person(locked.state(), publish.person.as_ref()).await;
        let was_behind = live.set_room_behind(true);
        self.task_list.rounds.look_at(&live.log.id);
        let events = locked.decide(now, |task| task.publish(publish.clone(), now)).await;
        let is_nothing_new = match &events {
            Ok(events) => events.is_empty(),
            Err(error) => matches!(error, HubError::Task(_)),
        };
        if is_nothing_new {
            live.set_room_behind(was_behind);
        }
        events
    }

    /// Tells the room of a task again how it stands, if it may not know.
    pub(super) async fn tell_room_again(
        self: &Arc<Self>,
        (live, state): (&LiveTask, &TaskState),
    ) -> Result<(), HubError> {
        if live.is_room_behind() {
            let newest = live.read(&*self.journal, state.version, 1).await?;
            self.tell_room((live, state), newest.last()).await;
        }
        Ok(())
    }
}

impl Shared {
    /// Whoever publishes is at work: its turn in the room of the task does not lapse meanwhile.
    pub(super) async fn hear_of_writer(self: &Arc<Self>, state: &TaskState, record: &Record) {
        let cast = Role::of(&record.role).and_then(|role| state.cast.get(&role)).map(Handle::as_str);
        let Some(writer) = record.agent.as_deref().or(cast) else { return };
        let heard = async {
            let Some(live) = self.lodging_of(state).await? else { return Ok(()) };
            live.lock(self).await?.hear_from_elsewhere(writer).await
        };
        if let Err(error) = heard.await {
            tracing::debug!(task = %state.task, %error, "a room does not know that somebody is at work");
        }
    }
}

/// What a room is told of a task that stands like this after its newest record.
fn moved(state: &TaskState, status: Status, newest: Option<&Record>) -> TaskMove {
    let content = newest.map(|record| Content::of(&record.content_type).map_or("record", Content::as_str));
    TaskMove {
        task: state.task.clone(),
        version: state.version,
        content: content.unwrap_or_default().to_owned(),
        summary: newest.map(|record| record.payload.summary().to_owned()).unwrap_or_default(),
        is_proposed: newest.is_some_and(|record| record.standing == Standing::Proposed),
        status: status.as_str().to_owned(),
        to: whose(state),
    }
}

/// Who has to act.
fn whose(state: &TaskState) -> Option<Handle> {
    match state.waiting_for? {
        WaitingFor::Agent(role) => state.cast.get(&role).cloned(),
        WaitingFor::Human => Some(Handle::user()),
        WaitingFor::Nobody => None,
    }
}

/// Who plays which part where nobody was named.
pub(super) fn usual(role: Role) -> Handle {
    let name = match role {
        Role::Architect => "@Architect",
        Role::Executor => "@Executor",
        Role::Reviewer => "@Reviewer",
    };
    Handle::parse(name).expect("the name is a handle")
}
