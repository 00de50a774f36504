//! Waiting for a task: until it is a role's turn, or until it stands somewhere else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::TaskState;
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::task::{Refusal, Role, Status, WaitingFor};

/// Wait for a task.
#[derive(Clone, Debug, Default)]
pub struct WaitTask {
    /// Which one; else any that is not over.
    pub task: Option<String>,
    /// Whose turn it shall be.
    pub role: Option<Role>,
    /// It ends also when the task stands here.
    pub until: Option<Status>,
    /// It ends also when something was published after this version.
    pub after: Option<u64>,
    /// How long at most.
    pub timeout: Option<Duration>,
}

/// How a wait has ended.
#[derive(Clone, Debug)]
pub enum Waited {
    /// What was waited for has come, in this task.
    Over(TaskState),
    /// It has not come in time. How the task stands that was named.
    TimedOut(Option<TaskState>),
}

/// Who waits in a call for the turn of a role, in one task or in any.
#[derive(Clone, Debug, Default)]
pub(super) struct Awaited(Arc<Mutex<BTreeMap<u64, Wanted>>>);

type Wanted = (Option<String>, Role);

/// One such wait, for as long as it lasts.
pub(super) struct Awaits {
    awaited: Awaited,
    id: u64,
}

impl Awaited {
    fn open(&self, request: &WaitTask) -> Option<Awaits> {
        let wanted = (request.task.clone(), request.role?);
        let mut waits = self.waits();
        let id = waits.last_key_value().map_or(0, |(last, _)| last + 1);
        waits.insert(id, wanted);
        Some(Awaits { awaited: self.clone(), id })
    }

    /// Whether somebody waits for the turn of this role in this task.
    pub(super) fn is_awaited(&self, task: &str, role: Role) -> bool {
        let is_this =
            |(wanted, of): &Wanted| *of == role && wanted.as_deref().is_none_or(|wanted| wanted == task);
        self.waits().values().any(is_this)
    }

    fn waits(&self) -> MutexGuard<'_, BTreeMap<u64, Wanted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Awaits {
    fn drop(&mut self) {
        self.awaited.waits().remove(&self.id);
    }
}

impl Hub {
    /// Waits for a task. Without `until` and `after` it ends also when somebody else has to act, or had to for a moment.
    pub async fn wait_for_task(&self, caller: &Caller, request: &WaitTask) -> Result<Waited, HubError> {
        self.refuse_if_stopping()?;
        if request.task.is_none() && request.role.is_none() {
            return Err(Refusal::invalid("task_id", "name a task, or a role in `role`").into());
        }
        let mut wait = self.shared.patient(caller, request.timeout, self.task_changes());
        let _awaits = self.shared.task_list.awaited.open(request);
        let mut first = None;
        loop {
            wait.looks();
            let found = self.look(request, &mut first).await?;
            if let Waited::Over(state) = &found {
                if is_turn(state, request.role) {
                    let now = self.shared.clock.now().mono;
                    self.shared.task(&state.task).await?.tell_turn(state.turn, now);
                }
                return Ok(found);
            }
            if wait.is_over() {
                return Ok(found);
            }
            wait.sleep().await?;
        }
    }

    /// Whether the wait is over, and for which task. `first` is the turn in which the named task was at its beginning.
    async fn look(&self, request: &WaitTask, first: &mut Option<u64>) -> Result<Waited, HubError> {
        let Some(task) = &request.task else {
            let tasks = self.shared.open_tasks().await?.into_iter();
            // Who has waited for longest comes first.
            let turn = tasks.filter(|state| is_turn(state, request.role)).min_by_key(|state| state.since);
            return Ok(turn.map_or(Waited::TimedOut(None), Waited::Over));
        };
        let state = self.task_state(task).await?;
        let before = *first.get_or_insert(state.turn);
        let is_plain = request.until.is_none() && request.after.is_none();
        let is_over = is_turn(&state, request.role)
            || state.status == Some(Status::Closed)
            || request.until.is_some_and(|until| state.status == Some(until))
            || request.after.is_some_and(|after| state.version > after)
            || (is_plain && state.turn != before);
        Ok(if is_over { Waited::Over(state) } else { Waited::TimedOut(Some(state)) })
    }
}

fn is_turn(state: &TaskState, role: Option<Role>) -> bool {
    role.is_some_and(|role| state.waiting_for == Some(WaitingFor::Agent(role)))
}
