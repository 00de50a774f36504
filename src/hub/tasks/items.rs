//! What tasks want of people: decisions, a look at what did not fit, and agents that do not come by themselves.

use super::TaskState;
use super::modes::TaskSettings;
use super::outlook::agent;
use crate::hub::error::HubError;
use crate::hub::item::{Item, Want};
use crate::hub::shared::Shared;
use crate::room::Handle;
use crate::task::Activity;
use crate::task::Status;
use crate::task::turns::Tell;
use std::sync::Arc;

impl Shared {
    /// A mark that changes with everything that happens in any task.
    pub(in crate::hub) fn tasks_revision(&self) -> u64 {
        self.task_list.shelf.changes.last() + self.task_list.rounds.revision()
    }

    /// What waits for people in all tasks.
    pub(in crate::hub) async fn task_items(self: &Arc<Self>) -> Result<Vec<Item>, HubError> {
        let settings = self.settings.starter.settings();
        let mut all = Vec::new();
        for state in &self.open_tasks().await? {
            all.extend(items(state));
            all.extend(self.turn_item(state, &settings));
        }
        all.extend(self.task_list.rounds.damaged().into_iter().map(|(task, problem, since)| {
            let want = Want::TaskDamaged { task: task.clone(), problem };
            let key = format!("task/{task}/{}", want.kind());
            Item::new("", &task, (Handle::user(), since), &key, want)
        }));
        Ok(all)
    }

    /// What people are told of the turn of an agent.
    fn turn_item(&self, state: &TaskState, settings: &TaskSettings) -> Option<Item> {
        let (role, handle) = agent(state)?;
        let tell = self.task_list.rounds.told_of(state)?;
        let (task, handle) = (state.task.clone(), handle.clone());
        let can_start = settings.startable.contains(&role);
        let said = |activity| state.reported.as_ref().filter(|reported| reported.activity == activity);
        let want = match tell {
            Tell::Turn => Want::TaskTurn { task, role, handle, can_start },
            Tell::Failed { attempts, is_half_done, words } => {
                Want::StartFailed { task, role, handle, attempts, is_half_done, words, can_start }
            }
            Tell::RunsOn => Want::RunsOn { task, role, handle, can_start },
            Tell::WentRound { times } => Want::WentRound { task, role, handle, times, can_start },
            Tell::Stalled => {
                let minutes = settings.stalled_after.as_secs() / 60;
                Want::Stalled { task, role, handle, minutes, can_start }
            }
            Tell::Blocked => Want::Blocked {
                task,
                role,
                handle,
                reason: said(Activity::Blocked)?.reason.clone(),
                can_start,
            },
            Tell::Stopped => {
                Want::Stopped { task, role, handle, reason: said(Activity::Done)?.reason.clone(), can_start }
            }
        };
        // A turn and a failure are told once, what its agent says each time; silence again after the next record.
        let told_at = state.reported.as_ref().map(|reported| reported.at);
        let (mark, since) = match (&want, told_at) {
            (Want::TaskTurn { .. } | Want::WentRound { .. } | Want::RunsOn { .. }, _) => {
                (state.turn.to_string(), state.last_activity)
            }
            // Notes of others do not make it another one.
            (Want::StartFailed { attempts, .. }, _) => {
                (format!("{}.{attempts}", state.published.unwrap_or(state.turn)), state.last_activity)
            }
            (Want::Blocked { .. } | Want::Stopped { .. }, Some(at)) => {
                (at.timestamp_micros().to_string(), at)
            }
            _ => (state.version.to_string(), state.last_activity),
        };
        let key = format!("task/{}/{}/{mark}", state.task, want.kind());
        let room = state.room.as_deref().unwrap_or_default();
        Some(Item::new(room, &state.title, (Handle::user(), since), &key, want))
    }
}

fn items(state: &TaskState) -> impl Iterator<Item = Item> {
    decision(state).into_iter().chain(attention(state))
}

/// The decision that a task waits for.
pub(super) fn decision(state: &TaskState) -> Option<Item> {
    let is_due = matches!(state.status, Some(Status::PendingApproval | Status::Approved));
    let status = state.status.filter(|_| is_due || state.proposal().is_some())?;
    let want = Want::Decision {
        task: state.task.clone(),
        version: state.version,
        proposals: state.proposals.clone(),
        is_own: state.is_work_of_user,
        status,
    };
    // What is proposed elsewhere than at the gate waits on, however the work moves.
    let mark = state.proposal().filter(|_| !is_due).map(|proposal| format!("p{}", proposal.version));
    Some(item(state, mark, want))
}

fn attention(state: &TaskState) -> Option<Item> {
    let (task, version, warnings) = (state.task.clone(), state.version, state.warnings.clone());
    state.waits_for_a_look().then(|| item(state, None, Want::Attention { task, version, warnings }))
}

/// Of one state of a task, whatever notes come in between, if nothing else marks it.
fn item(state: &TaskState, mark: Option<String>, want: Want) -> Item {
    let mark = mark.unwrap_or_else(|| state.since.timestamp_micros().to_string());
    let key = format!("task/{}/{}/{mark}", state.task, want.kind());
    let room = state.room.as_deref().unwrap_or_default();
    Item::new(room, &state.title, (Handle::user(), state.since), &key, want)
}
