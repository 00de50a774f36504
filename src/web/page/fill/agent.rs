//! Agents for which tasks wait, which do not come by themselves, and which the hub can start.

use std::collections::BTreeMap;

use crate::hub::{Item, Want};
use crate::web::page::view::StartAgent;

/// Such agents, by task.
pub(in crate::web::page) type Agents = BTreeMap<String, Agent>;

/// An agent that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web::page) struct Agent {
    /// What is known of it.
    words: Vec<String>,
    /// Whether it was started for this turn before.
    is_again: bool,
}

/// The agents that can be started.
pub(in crate::web::page) fn agents(items: &[Item]) -> Agents {
    let agent = |item: &Item| {
        let (task, is_again) = start(item)?;
        Some((task.to_owned(), Agent { words: words(item), is_again }))
    };
    items.iter().filter_map(agent).collect()
}

/// What is known of an agent, line by line.
pub(super) fn words(item: &Item) -> Vec<String> {
    item.body().lines().map(str::to_owned).collect()
}

/// The button of what waits, if it can be settled so.
pub(super) fn button(item: &Item, token: &str) -> Option<StartAgent> {
    let (task, is_again) = start(item)?;
    Some(StartAgent { task: task.to_owned(), token: token.to_owned(), is_again })
}

/// The button of a task.
pub(super) fn button_of(agents: &Agents, task: &str, token: &str) -> Option<StartAgent> {
    let Agent { is_again, .. } = agents.get(task)?;
    Some(StartAgent { task: task.to_owned(), token: token.to_owned(), is_again: *is_again })
}

/// What is known of the agent of a task, and its button.
pub(super) fn told(agents: &Agents, task: &str, token: &str) -> Option<(Vec<String>, StartAgent)> {
    Some((agents.get(task)?.words.clone(), button_of(agents, task, token)?))
}

/// The task whose agent can be started, and whether it was before.
fn start(item: &Item) -> Option<(&str, bool)> {
    match &item.want {
        Want::TaskTurn { task, can_start: true, .. }
        | Want::Stalled { task, can_start: true, .. }
        | Want::WentRound { task, can_start: true, .. }
        | Want::Stopped { task, can_start: true, .. } => Some((task, false)),
        Want::StartFailed { task, can_start: true, .. }
        | Want::RunsOn { task, can_start: true, .. }
        | Want::Blocked { task, can_start: true, .. } => Some((task, true)),
        _ => None,
    }
}
