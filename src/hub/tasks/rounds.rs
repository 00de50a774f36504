//! Looks after the tasks in which it is the turn of an agent: starts agents, and tells when nothing happens.
//!
//! It never asks what has changed, only what is due: so what was missed, by a crash or in a hurry, is made up for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::live::LiveTask;
use super::modes::{SettingsFault, TaskSettings};
use super::outlook::agent;
use super::starts::Begun;
use super::{PROJECT, TaskState};
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::room::Command;
use crate::room::event::Noted;
use crate::task::Status;
use crate::task::turns::{Last, Presence, Tell};

/// How often is looked whether the settings are others, and whether what an earlier hub has started still runs.
const LOOK: Duration = Duration::from_secs(5);
/// What calls within such a moment is looked at once.
const MOMENT: Duration = Duration::from_millis(100);

/// Which tasks have to be looked at.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    due: Mutex<BTreeSet<String>>,
    called: Arc<Notify>,
    /// What people are told, by task.
    told: Mutex<BTreeMap<String, Told>>,
    /// What is wrong with those whose logs are damaged, and since when that is known.
    damaged: Mutex<BTreeMap<String, (String, DateTime<Utc>)>>,
    /// Changes with both.
    revision: AtomicU64,
}

/// What people are told of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    turn: u64,
    version: u64,
    tell: Tell,
}

/// What is to be looked at, and when.
#[derive(Debug, Default)]
struct Plan {
    tasks: BTreeMap<String, Planned>,
    /// The settings that it follows.
    settings: Option<Arc<TaskSettings>>,
    /// What is wrong with their file.
    fault: Option<SettingsFault>,
}

/// When a task is looked at again, and why.
#[derive(Debug, Default)]
struct Planned {
    at: Option<Duration>,
    /// Whether it matters that the agent comes.
    awaits_agent: bool,
    /// Whether it could not be looked at.
    has_failed: bool,
}

impl Rounds {
    /// A task has to be looked at.
    pub(super) fn look_at(&self, task: &str) {
        self.due().insert(task.to_owned());
        self.called.notify_one();
    }

    /// A mark that changes when people are to be told something else.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    /// What people are told of a task that stands like this.
    pub(super) fn told_of(&self, state: &TaskState) -> Option<Tell> {
        let told = self.told().get(&state.task).filter(|told| told.turn == state.turn).cloned()?;
        (told.version == state.version || told.tell == Tell::Turn).then_some(told.tell)
    }

    /// From now on people are told this of a task.
    fn tell(&self, task: &str, told: Option<Told>) {
        let mut all = self.told();
        if all.get(task) == told.as_ref() {
            return;
        }
        match told {
            Some(told) => all.insert(task.to_owned(), told),
            None => all.remove(task),
        };
        self.revision.fetch_add(1, Ordering::SeqCst);
    }

    /// The tasks whose logs are damaged, with what is wrong, and since when that is known.
    pub(super) fn damaged(&self) -> Vec<(String, String, DateTime<Utc>)> {
        let damaged = self.damages();
        damaged.iter().map(|(task, (problem, since))| (task.clone(), problem.clone(), *since)).collect()
    }

    /// A task was looked at, with this damage or none.
    fn note_damage(&self, task: &str, damage: Option<String>, now: DateTime<Utc>) {
        let mut all = self.damages();
        let is_new = match damage {
            Some(_) if all.contains_key(task) => false,
            Some(damage) => all.insert(task.to_owned(), (damage, now)).is_none(),
            None => all.remove(task).is_some(),
        };
        if is_new {
            self.revision.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn damages(&self) -> MutexGuard<'_, BTreeMap<String, (String, DateTime<Utc>)>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> MutexGuard<'_, BTreeMap<String, Told>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.due())
    }

    fn due(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins to look after the tasks.
pub(in crate::hub) fn start(shared: &Arc<Shared>) {
    let (stop, stirs) = (shared.stop.clone(), shared.stirs.subscribe());
    shared.tasks.spawn(go(Arc::downgrade(shared), stop, stirs));
}

async fn go(shared: Weak<Shared>, stop: CancellationToken, mut stirs: watch::Receiver<u64>) {
    let (mut plan, mut seen) = (Plan::default(), None);
    while let Some(hub) = shared.upgrade() {
        let stirred = Some(*stirs.borrow_and_update());
        let has_stirred = std::mem::replace(&mut seen, stirred) != stirred;
        if let Err(error) = hub.round(&mut plan, has_stirred).await {
            tracing::warn!(%error, "what is due in tasks is not known; it is looked at again");
            plan.settings = None;
        }
        let now = hub.clock.now().mono;
        let pause = plan.next().map_or(LOOK, |next| next.saturating_sub(now).clamp(MOMENT, LOOK));
        let (awaits_agent, called) = (plan.awaits_agent(), Arc::clone(&hub.task_list.rounds.called));
        drop(hub);
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => continue,
            () = called.notified() => {}
            _ = stirs.changed(), if awaits_agent => {}
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(MOMENT) => {}
        }
    }
}

impl Plan {
    fn next(&self) -> Option<Duration> {
        self.tasks.values().filter_map(|planned| planned.at).min()
    }

    fn awaits_agent(&self) -> bool {
        self.tasks.values().any(|planned| planned.awaits_agent)
    }

    /// The tasks whose time has come, or whose agent may have.
    fn due(&self, now: Duration, has_stirred: bool) -> impl Iterator<Item = &String> {
        let is_due = move |planned: &Planned| {
            planned.at.is_some_and(|at| at <= now) || (has_stirred && planned.awaits_agent)
        };
        self.tasks.iter().filter(move |(_, planned)| is_due(planned)).map(|(task, _)| task)
    }
}

impl Shared {
    /// What waits for people is something else when the settings have a fault, or have it no more.
    fn note_fault(&self, plan: &mut Plan) {
        let fault = self.settings.starter.fault();
        if plan.fault != fault {
            plan.fault = fault;
            self.stirs.stir_elsewhere();
        }
    }

    /// Looks at all that is due.
    async fn round(self: &Arc<Self>, plan: &mut Plan, has_stirred: bool) -> Result<(), HubError> {
        let settings = self.settings.starter.settings();
        self.note_fault(plan);
        let is_new = plan.settings.as_ref() != Some(&settings);
        let mut due = self.task_list.rounds.take();
        due.extend(plan.due(self.clock.now().mono, has_stirred).cloned());
        if due.is_empty() && !is_new {
            return Ok(());
        }
        let listed = {
            let list = self.tasks_list().await?;
            if is_new {
                due.extend(list.all().map(|listed| listed.id.clone()));
            }
            let listed = due.iter().filter_map(|task| list.get(task));
            listed.filter(|listed| listed.is_open && listed.id != PROJECT).cloned().collect::<Vec<_>>()
        };
        plan.settings = Some(Arc::clone(&settings));
        let rounds = &self.task_list.rounds;
        let revision = rounds.revision();
        for listed in listed {
            due.remove(&listed.id);
            let had_failed = plan.tasks.remove(&listed.id).is_some_and(|before| before.has_failed);
            let live = self.task_list.of(&listed);
            let attended = self.attend(&live, &settings).await;
            let now = self.clock.now();
            let damage = attended.as_ref().err().filter(|error| matches!(error, HubError::LogDamaged { .. }));
            rounds.note_damage(&listed.id, damage.map(ToString::to_string), now.wall);
            let planned = attended.unwrap_or_else(|error| {
                if !had_failed {
                    tracing::warn!(task = %listed.id, %error, "what is due in a task cannot be done now");
                }
                Planned { at: Some(now.mono + LOOK), has_failed: true, ..Planned::default() }
            });
            plan.tasks.insert(listed.id, planned);
        }
        for over in due {
            plan.tasks.remove(&over);
            rounds.tell(&over, None);
            rounds.note_damage(&over, None, self.clock.now().wall);
        }
        if rounds.revision() != revision {
            self.stirs.stir_elsewhere();
        }
        Ok(())
    }

    /// Does what is due in one task that was reported about, without waiting for the next round.
    pub(super) async fn attend_at_once(self: &Arc<Self>, live: &Arc<LiveTask>) {
        let settings = self.settings.starter.settings();
        if let Err(error) = self.attend(live, &settings).await {
            // The next round tries again, and tells.
            tracing::debug!(task = %live.log.id, %error, "what is due in a task cannot be done at once");
        }
    }

    /// Does what is due in one task. What people are told of it is settled before it can change again.
    async fn attend(
        self: &Arc<Self>,
        live: &Arc<LiveTask>,
        settings: &TaskSettings,
    ) -> Result<Planned, HubError> {
        let rounds = &self.task_list.rounds;
        let locked = live.log.lock(&*self.journal).await?;
        let state = self.state_of(locked.state()).await;
        self.tell_room_again((live, &state)).await?;
        let is_room_behind = live.is_room_behind();
        if state.status == Some(Status::Closed) && !is_room_behind {
            self.close_task(live, self.clock.now().wall).await?;
            return Ok(Planned::default());
        }
        let now = self.clock.now();
        let mut starts = live.starts(&*self.journal, now).await?;
        let looks_again = self.look_at_left_over((live, &state), &mut starts).await? || is_room_behind;
        let Some((turn, due)) = self.outlook((live, &state), &starts, settings, now).await else {
            rounds.tell(&live.log.id, None);
            let at = looks_again.then(|| now.mono + LOOK);
            return Ok(Planned { at, ..Planned::default() });
        };
        if let Some(attempt) = due.start {
            let begun = Begun::by_hub(turn.role, &state, attempt);
            self.start_agent((live, &state), &mut starts, begun).await?;
        }
        if due.is_stalled && !starts.is_stall_told(state.version) {
            let place = (&*self.journal, &live.log.stream);
            starts.tell_stall(place, state.version, now).await.map_err(HubError::NotStored)?;
            self.tell_stall(&state, turn.quiet).await;
        }
        let told = due.tell.map(|tell| Told { turn: state.turn, version: state.version, tell });
        rounds.tell(&live.log.id, told);
        let again = due.again.into_iter().chain(looks_again.then_some(LOOK)).min();
        Ok(Planned {
            at: again.map(|again| now.mono + again),
            awaits_agent: turn.presence != Presence::Here
                && !matches!(turn.last, Some(Last::Runs { .. }))
                && due.start.is_none(),
            has_failed: false,
        })
    }

    /// Tells the room of a task that nothing comes. That it was told is stored: it is not told again.
    async fn tell_stall(self: &Arc<Self>, state: &TaskState, quiet: Duration) {
        let Some((_, handle)) = agent(state) else { return };
        let minutes = quiet.as_secs() / 60;
        let stalled = Noted::TaskStalled { task: state.task.clone(), handle: handle.clone(), minutes };
        let told = async {
            let Some(live) = self.lodging_of(state).await? else { return Ok(()) };
            live.lock(self).await?.execute(Command::Note(stalled)).await.map(|_| ())
        };
        if let Err(error) = told.await {
            tracing::warn!(task = %state.task, %error, "a room is not told that a task is stalled");
        }
    }
}
