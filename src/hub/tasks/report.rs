//! Agents tell how they go on with their turns: from the hooks of their clients, so that nobody has to watch them.

use super::TaskState;
use super::outlook::agent;
use crate::hub::Hub;
use crate::hub::error::HubError;
use crate::room::Handle;
use crate::task::{Activity, Refusal, Report, Role};

/// Tell how an agent goes on with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportTurn {
    /// In which task; else in the one that waits for it, and of several in the one whose turn began last.
    pub task: Option<String>,
    /// The part that it plays.
    pub role: Option<String>,
    /// Who it is.
    pub handle: Option<String>,
    /// What it does.
    pub activity: Activity,
    /// Why, in its words.
    pub reason: Option<String>,
}

/// What was told of a turn.
#[derive(Clone, Debug)]
pub struct ReportedTurn {
    /// How the task stands.
    pub state: TaskState,
    /// The part that the agent plays.
    pub role: Role,
    /// Who it is.
    pub handle: Handle,
    /// What it does.
    pub activity: Activity,
    /// Whether it is new.
    pub is_new: bool,
}

impl Hub {
    /// Takes in what an agent tells of its turn. What it means for people is in the inbox before it is answered.
    pub async fn report_turn(&self, request: ReportTurn) -> Result<ReportedTurn, HubError> {
        self.refuse_if_stopping()?;
        let shared = &self.shared;
        let (task, activity) = (request.task.clone(), request.activity);
        let report = report(request)?;
        let task = match task {
            Some(task) => task,
            None => self.task_of_turn(&report).await?,
        };
        let live = shared.task(&task).await?;
        let mut locked = live.log.lock(&*shared.journal).await?;
        let now = shared.clock.now();
        let events = locked.decide(now.wall, |task| task.report(&report, now.wall)).await?;
        let state = TaskState::of(locked.state());
        live.observe(&state, now);
        drop(locked);
        let (role, handle) = agent(&state).ok_or_else(|| Refusal::NoTurn(report.who()))?;
        let handle = handle.clone();
        if let Some(room) = shared.room_of(&state).await {
            room.bells.hear(&handle);
        }
        if !events.is_empty() {
            tracing::info!(%task, %role, %handle, activity = activity.as_str(), "an agent reports");
            shared.attend_at_once(&live).await;
            shared.task_changed(&task);
        }
        Ok(ReportedTurn { state, role, handle, activity, is_new: !events.is_empty() })
    }

    /// The task that waits for who reports; of several, the one whose turn began last.
    async fn task_of_turn(&self, report: &Report) -> Result<String, HubError> {
        let Some(who) = &report.handle else {
            return Err(Refusal::invalid("handle", "it is missing; say who you are, or name a task").into());
        };
        let tasks = self.open_tasks().await?;
        let is_meant = |state: &&TaskState| {
            agent(state)
                .is_some_and(|(role, handle)| handle == who && report.role.is_none_or(|of| of == role))
        };
        let newest = tasks.iter().filter(is_meant).max_by_key(|state| state.turn_since);
        newest.map(|state| state.task.clone()).ok_or_else(|| Refusal::NoTurn(report.who()).into())
    }
}

/// What is told to the task itself.
fn report(request: ReportTurn) -> Result<Report, Refusal> {
    let role = |name: String| {
        let roles = Role::ALL.map(Role::as_str).join(", ");
        Role::of(&name).ok_or_else(|| Refusal::invalid("role", format!("`{name}` is none of {roles}")))
    };
    let handle =
        |name: String| Handle::parse(&name).map_err(|error| Refusal::invalid("handle", error.to_string()));
    Ok(Report {
        activity: request.activity,
        role: request.role.map(role).transpose()?,
        handle: request.handle.map(handle).transpose()?,
        reason: request.reason,
    })
}
