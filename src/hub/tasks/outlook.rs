//! How the turn of an agent stands, as far as the hub knows, and what is due in it.

use std::sync::Arc;
use std::time::Duration;

use super::TaskState;
use super::live::LiveTask;
use super::modes::TaskSettings;
use super::starts::Starts;
use crate::hub::live::LiveRoom;
use crate::hub::shared::Shared;
use crate::room::{Handle, Now};
use crate::task::turns::{Due, GRACE, HERE, Heard, Presence, Turn, due};
use crate::task::{Role, WaitingFor};

/// Who called within this may be between two calls.
const LATELY: Duration = Duration::from_mins(2);

/// Whose turn it is, if it is an agent's.
pub(super) fn agent(state: &TaskState) -> Option<(Role, &Handle)> {
    match state.waiting_for? {
        WaitingFor::Agent(role) => Some((role, state.cast.get(&role)?)),
        WaitingFor::Human | WaitingFor::Nobody => None,
    }
}

impl Shared {
    /// What is due in a task, if it is the turn of an agent.
    pub(super) async fn outlook(
        &self,
        (live, state): (&LiveTask, &TaskState),
        starts: &Starts,
        settings: &TaskSettings,
        now: Now,
    ) -> Option<(Turn, Due)> {
        let (role, handle) = agent(state)?;
        let seen = live.observe(state, now);
        let room = self.room_of(state).await;
        let presence = if self.task_list.awaited.is_awaited(&state.task, role) {
            Presence::Here
        } else {
            let called = presence(room.as_deref(), handle, seen.began(), now.mono);
            called.max(live.turn_told(state.turn).map_or(Presence::Absent, |told| heard(told, now.mono)))
        };
        let turn = Turn {
            role,
            quiet: seen.quiet(now.mono),
            age: now.mono.saturating_sub(seen.began().unwrap_or_default()),
            presence,
            is_started_by_us: settings.starts(role),
            last: starts.last(role, state, now),
            heard: state.reported.as_ref().map(|reported| Heard {
                activity: reported.activity,
                ago: seen.heard(now.mono).unwrap_or_default(),
            }),
            has_published: state.published.is_some(),
            went_round: starts.went_round(state, settings),
        };
        let due = due(&turn, settings.stalled_after);
        Some((turn, due))
    }

    /// The room of a task, as it is: at rest or not.
    pub(super) async fn room_of(&self, state: &TaskState) -> Option<Arc<LiveRoom>> {
        let entry = self.lodging(state.room.as_deref()?, state.room_stream.as_deref()).await?;
        Some(self.room(&entry))
    }
}

/// Where an agent is whose turn began then, or before this hub.
fn presence(room: Option<&LiveRoom>, handle: &Handle, began: Option<Duration>, now: Duration) -> Presence {
    let Some(room) = room else { return Presence::Absent };
    if room.bells.is_waiting(handle) {
        return Presence::Here;
    }
    let called = room.bells.last_call(handle);
    let in_turn = called.filter(|called| *called >= began.unwrap_or_default());
    let here = in_turn.map_or(Presence::Absent, |called| heard(called, now));
    // Those who waited at a hub before this one come back within a moment.
    let is_late = began.is_none() && now < GRACE;
    if is_late || called.is_some_and(|called| now.saturating_sub(called) < LATELY) {
        return here.max(Presence::Lately);
    }
    here
}

/// Where an agent is that was told of its turn, or has called in it, then.
fn heard(then: Duration, now: Duration) -> Presence {
    let left = HERE.saturating_sub(now.saturating_sub(then));
    if left.is_zero() { Presence::Absent } else { Presence::Heard(left) }
}
