//! A person starts the agent that a task waits for.

use super::TaskState;
use super::outlook::agent;
use super::starts::Begun;
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::room::Handle;
use crate::task::turns::{End, Ended, Last};
use crate::task::{Role, Status, WaitingFor};

/// What becomes of a start in a turn that has had one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfStarted {
    /// It is refused.
    Refuse,
    /// One that runs is ended, and it is started anew.
    StartAnew,
}

/// An agent that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartedAgent {
    /// For which task.
    pub task: String,
    /// The part that it plays.
    pub role: Role,
    /// Under which handle.
    pub handle: Handle,
    /// Which start it is in its turn: from 1.
    pub attempt: u32,
}

/// Why no agent was started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStarted {
    /// It was, for this turn, or for an earlier one and still runs.
    #[error("{handle} ({role}) was started for {} of task `{task}`, and {}", .how.turn(), .how.words())]
    Already {
        /// Which task.
        task: String,
        /// The part that it plays.
        role: Role,
        /// Under which handle.
        handle: Handle,
        /// What became of it.
        how: How,
    },
    /// It is a person's turn.
    #[error("task `{0}` waits for a person, not for an agent")]
    WaitsForPerson(String),
    /// It is nobody's turn.
    #[error("task `{0}` waits for nobody")]
    WaitsForNobody(String),
    /// Agents have gone round without a person, and it is not known to be one who asks.
    #[error(
        "the agents of task `{task}` went round {times} times without a person, and no person is known to ask"
    )]
    WentRound {
        /// Which task.
        task: String,
        /// So many were started.
        times: u32,
    },
    /// Nobody has said how.
    #[error("no command is set that starts the {role}, {handle}, for which task `{task}` waits")]
    NoCommand {
        /// Which task.
        task: String,
        /// The part that has to be played.
        role: Role,
        /// Who plays it.
        handle: Handle,
    },
}

/// What became of an agent that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It runs.
    Runs,
    /// It runs, and its turn is over.
    RunsOn,
    /// It has ended, and its turn has not.
    HasEnded,
}

impl How {
    fn turn(self) -> &'static str {
        match self {
            Self::Runs | Self::HasEnded => "this turn",
            Self::RunsOn => "an earlier turn",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Runs | Self::RunsOn => "still runs",
            Self::HasEnded => "has ended without ending its turn",
        }
    }
}

impl NotStarted {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Already { .. } => "already_started",
            Self::WaitsForPerson(_)
            | Self::WaitsForNobody(_)
            | Self::WentRound { .. }
            | Self::NoCommand { .. } => "not_startable",
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::Already { task, how: How::Runs, .. } => {
                format!(
                    "wait for its record: `turnroom task watch {task}`; --force ends it and starts it anew"
                )
            }
            Self::Already { how: How::RunsOn, .. } => {
                "it may be about to end; --force ends it, and starts it for this turn".to_owned()
            }
            Self::Already { task, how: How::HasEnded, .. } => {
                format!("`turnroom task read {task}` shows what it did; --force starts it again")
            }
            Self::WaitsForPerson(task) => {
                format!("`turnroom task status {task}` shows what it wants of you: a decision, or a look")
            }
            Self::WaitsForNobody(_) => "`turnroom task list` shows the tasks that are not over".to_owned(),
            Self::WentRound { task, .. } => {
                format!(
                    "a person types `turnroom task start-next {task}` at a terminal, or starts it on the page"
                )
            }
            Self::NoCommand { role, .. } => {
                format!("say how: `turnroom task assign {role} --start COMMAND`; or start it yourself")
            }
        }
    }
}

impl Hub {
    /// Starts the agent that a task waits for: once in a turn, unless it is to be started anew. Whoever is not known to be
    /// a person, such as a script, starts no more of them than the hub would.
    pub async fn start_next(
        &self,
        caller: &Caller,
        task: &str,
        again: IfStarted,
    ) -> Result<StartedAgent, HubError> {
        self.refuse_if_stopping()?;
        let shared = &self.shared;
        let live = shared.task(task).await?;
        let locked = live.log.lock(&*shared.journal).await?;
        let state = shared.state_of(locked.state()).await;
        let (role, handle) = whom(&state)?;
        let now = shared.clock.now();
        let mut starts = live.starts(&*shared.journal, now).await?;
        shared.look_at_left_over((&live, &state), &mut starts).await?;
        let settings = shared.settings.starter.settings();
        if !settings.startable.contains(&role) {
            return Err(NotStarted::NoCommand { task: state.task, role, handle }.into());
        }
        if let Some(times) = starts.went_round(&state, &settings).filter(|_| !caller.is_verified) {
            return Err(NotStarted::WentRound { task: state.task, times }.into());
        }
        let last = starts.last(role, &state, now).as_ref().and_then(how);
        if let Some(how) = last.filter(|_| again == IfStarted::Refuse) {
            return Err(NotStarted::Already { task: state.task, role, handle, how }.into());
        }
        let before = starts.begun(role).filter(|begun| begun.turn == state.turn && last.is_some());
        let attempt = before.map_or(1, |begun| begun.attempt + 1);
        let begun = Begun { is_by_person: caller.is_verified, ..Begun::by_hub(role, &state, attempt) };
        shared.start_agent((&live, &state), &mut starts, begun).await?;
        shared.task_list.rounds.look_at(&state.task);
        Ok(StartedAgent { task: state.task, role, handle, attempt })
    }
}

/// For which agent a task waits.
fn whom(state: &TaskState) -> Result<(Role, Handle), NotStarted> {
    if let Some((role, handle)) = agent(state) {
        return Ok((role, handle.clone()));
    }
    let task = state.task.clone();
    let is_for_person = state.waiting_for == Some(WaitingFor::Human) && state.status != Some(Status::Closed);
    Err(if is_for_person { NotStarted::WaitsForPerson(task) } else { NotStarted::WaitsForNobody(task) })
}

/// What became of a start that stands in the way of another one. A stop of the hub, and an answer to what it has
/// published, begin anew.
fn how(last: &Last) -> Option<How> {
    match last {
        Last::Runs { is_of_earlier, .. } => Some(if *is_of_earlier { How::RunsOn } else { How::Runs }),
        Last::Ended(Ended { end: End::InVain | End::HalfDone, .. }) => Some(How::HasEnded),
        Last::Ended(Ended { end: End::Stopped | End::Answered, .. }) => None,
    }
}
