//! A task lives in a room: when it moves on, the floor there goes to whoever has to act, and the room is told why.

use std::sync::Arc;

use super::{ListTasks, TaskState};
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::room::command::TaskMove;
use crate::room::{Command, Handle};
use crate::task::{Content, Record, Role, Status, WaitingFor};

impl Shared {
    /// Tells the room of a task how it stands, and gives the floor there. Telling twice changes nothing.
    pub(super) async fn tell_room(self: &Arc<Self>, state: &TaskState, newest: Option<&Record>) {
        let (Some(room), Some(status)) = (&state.room, state.status) else { return };
        let content =
            newest.map(|record| Content::of(&record.content_type).map_or("record", Content::as_str));
        let moved = TaskMove {
            task: state.task.clone(),
            version: state.version,
            content: content.unwrap_or_default().to_owned(),
            summary: newest.map(|record| record.payload.summary().to_owned()).unwrap_or_default(),
            status: status.as_str().to_owned(),
            to: whose(state),
        };
        let told = async {
            let live = self.named_room(room).await?;
            live.lock(self).await?.execute(Command::MoveTask(moved)).await?;
            if status == Status::Closed && state.has_own_room {
                self.end_room(&live).await?;
                self.list_changes.send_modify(|changes| *changes += 1);
            }
            Ok::<_, HubError>(())
        };
        if let Err(error) = told.await {
            // The log of the task is the truth; the room is told again at the next record, or the next start.
            tracing::warn!(task = %state.task, %room, %error, "a room is not told that a task moved on");
        }
    }
}

/// After a crash a room may not know how far its task had come: it is told, once.
pub(in crate::hub) fn start(shared: &Arc<Shared>) {
    if !shared.settings.is_after_crash {
        return;
    }
    let (shared, tracker, stop) = (Arc::clone(shared), shared.tasks.clone(), shared.stop.clone());
    let tell = async move {
        let open = ListTasks { status: None, include_closed: false, limit: usize::MAX - 1, after: None };
        let hub = Hub { shared };
        let tasks = hub.list_tasks(&open).await.map(|page| page.tasks).unwrap_or_default();
        for task in tasks {
            if let Ok((state, newest)) = hub.read_task(&task.task, task.version, 1).await {
                hub.shared.tell_room(&state, newest.last()).await;
            }
        }
    };
    tracker.spawn(async move { stop.run_until_cancelled(tell).await });
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
