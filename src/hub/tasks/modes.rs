//! What whoever opens a hub says about its tasks, and does for it: who starts the programs that are agents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::turn::usual;
use crate::room::Handle;
use crate::task::Role;

/// How tasks go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSettings {
    /// Whether the hub starts agents by itself.
    pub is_auto: bool,
    /// The roles whose agents it may start by itself.
    pub auto_roles: BTreeSet<Role>,
    /// The roles whose agents it knows how to start.
    pub startable: BTreeSet<Role>,
    /// After how long without a record somebody is told.
    pub stalled_after: Duration,
    /// After how many starts by the hub without a word of a person nobody is started; 0: never.
    pub max_auto_turns: u32,
    /// Who plays which part in a task that names nobody.
    pub cast: BTreeMap<Role, Handle>,
}

/// An agent that is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// A plain name that no other task and role has.
    pub place: String,
    /// Its task.
    pub task: String,
    /// What that is called.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// The part that it plays.
    pub role: Role,
    /// Under which handle.
    pub handle: Handle,
    /// In which room.
    pub room: Option<String>,
    /// How many records the task has.
    pub version: u64,
    /// Which start it is in its turn: from 1.
    pub attempt: u32,
}

/// What is wrong with a file of settings, in words that hold none of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// Which file.
    pub file: PathBuf,
    /// Where: from 1.
    pub line: Option<usize>,
    /// What.
    pub problem: String,
}

/// Knows the settings, and starts programs.
#[async_trait]
pub trait Starter: Debug + Send + Sync {
    /// The present settings.
    fn settings(&self) -> Arc<TaskSettings>;

    /// What is wrong with them, as long as it is: so long they stay as they were.
    fn fault(&self) -> Option<SettingsFault> {
        None
    }

    /// Runs the program of a role, and comes back at its end with what it said last, or with why it did not start.
    /// Whoever drops this ends the program, with its children.
    async fn run(&self, start: &Start) -> String;

    /// Whether a program runs that an earlier hub has started in this place.
    fn is_running(&self, place: &str) -> bool;
}

/// Settings that nobody changes, and no program to start.
#[async_trait]
impl Starter for TaskSettings {
    fn settings(&self) -> Arc<TaskSettings> {
        Arc::new(self.clone())
    }

    async fn run(&self, _: &Start) -> String {
        "this hub starts nothing".to_owned()
    }

    fn is_running(&self, _: &str) -> bool {
        false
    }
}

impl Default for TaskSettings {
    fn default() -> Self {
        Self {
            is_auto: false,
            auto_roles: BTreeSet::new(),
            startable: BTreeSet::new(),
            stalled_after: Duration::from_mins(30),
            max_auto_turns: 20,
            cast: Role::ALL.into_iter().map(|role| (role, usual(role))).collect(),
        }
    }
}

impl TaskSettings {
    /// Whether the hub starts the agent of this role by itself.
    pub(super) fn starts(&self, role: Role) -> bool {
        self.is_auto && self.auto_roles.contains(&role) && self.startable.contains(&role)
    }
}
