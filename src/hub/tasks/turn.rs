//! A task lives in a room: when it moves on, the floor there goes to whoever has to act, and the room is told why.

use std::sync::Arc;

use super::TaskState;
use super::live::LiveTask;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::room::command::TaskMove;
use crate::room::{Command, Handle};
use crate::task::{Content, Record, Role, Status, WaitingFor};

impl Shared {
    /// Tells the room of a task how it stands, and gives the floor there. Telling twice changes nothing.
    pub(super) async fn tell_room(
        self: &Arc<Self>,
        (live, state): (&LiveTask, &TaskState),
        newest: Option<&Record>,
    ) {
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
        let told = told.await;
        // The log of the task is the truth. Where the disk did not work, the rounds tell the room again; one that is
        // damaged or gone is told nothing.
        let is_behind = matches!(told, Err(HubError::NotStored(_) | HubError::NotReadable(_)));
        let was_behind = live.set_room_behind(is_behind);
        if let Err(error) = told
            && !(was_behind && is_behind)
        {
            tracing::warn!(task = %state.task, %room, %error, "a room is not told that a task moved on");
        }
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
