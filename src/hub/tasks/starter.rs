//! Starts the programs that are agents, and takes note of how they end.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::TaskState;
use super::live::LiveTask;
use super::modes::Start;
use super::starts::{Begun, Starts, place};
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::room::Handle;
use crate::task::Role;
use crate::task::turns::GRACE;

/// How often, and after what, is looked whether a program that was killed is gone.
const LOOKS: u32 = 20;
const LOOK: Duration = Duration::from_millis(50);
/// Records that are looked at for those of the program.
const LOOKED_AT: usize = 200;

impl Hub {
    /// How many agents run that this hub has started.
    #[must_use]
    pub fn agents_at_work(&self) -> usize {
        self.shared.task_list.running.load(Ordering::SeqCst)
    }
}

impl Shared {
    /// Starts the agent whose turn it is. That it was started is stored before it runs, while the task stands still.
    pub(super) async fn start_agent(
        self: &Arc<Self>,
        (live, state): (&Arc<LiveTask>, &TaskState),
        starts: &mut Starts,
        begun: Begun,
    ) -> Result<(), HubError> {
        self.refuse_if_over()?;
        let Begun { role, attempt, .. } = begun;
        let Some(handle) = state.cast.get(&role).cloned() else { return Ok(()) };
        let place_in_log = (&*self.journal, &live.log.stream);
        let ending = self.stop.child_token();
        let guard = ending.clone().drop_guard();
        starts.begin(place_in_log, begun, guard, self.clock.now()).await.map_err(HubError::NotStored)?;
        self.count_as_at_work(state, starts, role).await;
        let start = Start {
            place: place(&live.log.stream, role),
            task: state.task.clone(),
            title: state.title.clone(),
            description: state.description.clone(),
            role,
            handle,
            room: state.room.clone(),
            version: state.version,
            attempt,
        };
        tracing::info!(task = %start.task, %role, handle = %start.handle, attempt, "an agent is started");
        let (shared, live) = (Arc::clone(self), Arc::clone(live));
        self.task_list.running.fetch_add(1, Ordering::SeqCst);
        self.tasks.spawn(async move {
            let words = ending.run_until_cancelled(shared.settings.starter.run(&start)).await;
            shared.ended(&live, begun, words).await;
            shared.task_list.running.fetch_sub(1, Ordering::SeqCst);
        });
        Ok(())
    }

    /// The program of a role has ended, or was ended because the hub stops or another one has taken its place.
    async fn ended(&self, live: &LiveTask, begun: Begun, words: Option<String>) {
        let role = begun.role;
        if words.is_none() && self.runs_on(&place(&live.log.stream, role)).await {
            return;
        }
        let ended = async {
            let locked = live.log.lock(&*self.journal).await?;
            let version = locked.state().version();
            let mut starts = live.starts(&*self.journal, self.clock.now()).await?;
            if starts.begun(role) != Some(begun) {
                return Ok(());
            }
            self.take_end((live, version), &mut starts, role, words).await
        };
        if let Err(error) = ended.await {
            // As after a crash: the next hub finds that it runs no more.
            tracing::warn!(task = %live.log.id, %role, %error, "the end of an agent is not stored");
        }
        self.task_list.rounds.look_at(&live.log.id);
    }

    /// A task is over: whoever works for it has a moment to end.
    pub(super) fn end_agents(&self, live: &Arc<LiveTask>) {
        let (live, stop) = (Arc::clone(live), self.stop.clone());
        self.tasks.spawn(async move {
            stop.run_until_cancelled(tokio::time::sleep(GRACE)).await;
            live.end_agents().await;
        });
    }

    /// Whether what was ended has left something that runs on. Then the start stays open: whoever looks next finds that
    /// it runs.
    async fn runs_on(&self, place: &str) -> bool {
        for _ in 0..LOOKS {
            if !self.settings.starter.is_running(place) {
                return false;
            }
            tokio::time::sleep(LOOK).await;
        }
        true
    }

    async fn take_end(
        &self,
        (live, version): (&LiveTask, u64),
        starts: &mut Starts,
        role: Role,
        words: Option<String>,
    ) -> Result<(), HubError> {
        let began_at = starts.begun(role).map_or(version, |begun| begun.version);
        let records = live.read(&*self.journal, began_at + 1, LOOKED_AT).await?;
        let has_published = records.iter().any(|record| record.role == role.as_str());
        tracing::info!(task = %live.log.id, %role, has_published, words = words.as_deref(), "an agent has ended");
        let place_in_log = (&*self.journal, &live.log.stream);
        let now = self.clock.now();
        starts
            .end(place_in_log, (role, version, has_published), words, now)
            .await
            .map_err(HubError::NotStored)
    }

    /// Looks at what an earlier hub has started: what runs on counts as at work, of the rest the end is stored. Gives
    /// whether something runs on.
    pub(super) async fn look_at_left_over(
        &self,
        (live, state): (&LiveTask, &TaskState),
        starts: &mut Starts,
    ) -> Result<bool, HubError> {
        let mut runs_on = false;
        for begun in starts.left_over() {
            if self.settings.starter.is_running(&place(&live.log.stream, begun.role)) {
                self.count_as_at_work(state, starts, begun.role).await;
                runs_on = true;
            } else {
                let words = "it ended while the hub was down".to_owned();
                self.take_end((live, state.version), starts, begun.role, Some(words)).await?;
            }
        }
        Ok(runs_on)
    }

    async fn count_as_at_work(&self, state: &TaskState, starts: &mut Starts, role: Role) {
        let room = self.room_of(state).await;
        let handle: Option<&Handle> = state.cast.get(&role);
        starts.count_as_at_work(role, || Some(room?.bells.work(handle?)));
    }

    fn refuse_if_over(&self) -> Result<(), HubError> {
        if self.stop.is_cancelled() { Err(HubError::Stopping) } else { Ok(()) }
    }
}
