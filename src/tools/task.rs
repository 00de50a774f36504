//! The tools of tasks: one file per tool, with its arguments and its words.

mod create;
mod decide;
mod list;
mod publish;
mod read;
mod show;
mod wait;

use serde_json::{Value, json};

use super::catalogue::Tool;
#[cfg(any(test, fuzzing))]
use super::{arguments, room::Reader};
use crate::hub::{ReportedTurn, StartedAgent, TaskState};
use crate::task::Activity;

/// How a task stands, for who follows it.
pub(crate) fn task_state(state: &TaskState) -> Value {
    show::whole(state).into()
}

/// How a task stands, for who has just changed it.
pub(crate) fn task_line(state: &TaskState) -> Value {
    show::state(state).into()
}

/// An agent that was started.
pub(crate) fn started(agent: &StartedAgent) -> Value {
    json!({
        "started": agent.handle.as_str(),
        "role": agent.role.as_str(),
        "task_id": agent.task,
        "attempt": agent.attempt,
        "next": format!("`turnroom task watch {}` tells what it publishes", agent.task),
    })
}

/// What an agent has told of its turn.
pub(crate) fn reported(told: &ReportedTurn) -> Value {
    let next = match told.activity {
        Activity::Blocked => "a person is told; tell when you work on",
        Activity::Done if told.state.published.is_none() => {
            "a person is told that nothing was published; publish, or tell when you work on"
        }
        Activity::Working | Activity::Done => "nobody is told",
    };
    json!({
        "reported": told.activity.as_str(),
        "task_id": told.state.task,
        "role": told.role.as_str(),
        "handle": told.handle.as_str(),
        "is_new": told.is_new,
        "next": next,
    })
}

/// The tools, in the order in which a task needs them.
pub(super) static TOOLS: [&Tool; 6] =
    [&create::TOOL, &publish::TOOL, &read::TOOL, &list::TOOL, &decide::TOOL, &wait::TOOL];

/// In the order of [`TOOLS`].
#[cfg(any(test, fuzzing))]
pub(super) const READERS: [Reader; 6] = [
    |tool, given| arguments::read::<create::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<publish::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<read::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<list::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<decide::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<wait::Args>(tool, given)?.request().map(drop),
];
