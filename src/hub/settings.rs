//! How a hub is set up.

use std::path::PathBuf;
use std::sync::Arc;

use super::commits::{Commits, NoCommits};
use super::patience::Waits;
use super::puzzles::{Judge, NoJudge};
use super::tasks::{Starter, TaskSettings};

/// How a hub is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folders in which transcripts may lie; the first one is where relative paths begin.
    pub folders: Vec<PathBuf>,
    /// A file with more folders, one a line; `turnroom allow` adds to it.
    pub allowed_folders: Option<PathBuf>,
    /// A file in which a hub leaves to the next one how its rooms stand. It may be deleted at any time.
    pub briefs: Option<PathBuf>,
    /// How many bytes a message may have.
    pub max_message: usize,
    /// Whether the hub before this one died, and so has not told what it gave to whom last.
    pub is_after_crash: bool,
    /// How long calls of clients may block that name no time.
    pub waits: Waits,
    /// A file for what is learned of clients.
    pub learned_waits: Option<PathBuf>,
    /// What may be had at most.
    pub limits: Limits,
    /// How tasks go on, and who starts their agents.
    pub starter: Arc<dyn Starter>,
    /// Who knows the commits that tasks name.
    pub commits: Arc<dyn Commits>,
    /// Who runs the programs that judge guards of puzzles.
    pub judge: Arc<dyn Judge>,
}

/// What may be had at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rooms that are open.
    pub open_rooms: usize,
    /// Participants of a room.
    pub participants: usize,
    /// Other names of participants in a room, all together.
    pub aliases: usize,
    /// Calls that wait under one handle in one room.
    pub waits: usize,
    /// Resources to which one session, or one `subscriptions/listen`, subscribes.
    pub subscriptions: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            folders: Vec::new(),
            allowed_folders: None,
            briefs: None,
            max_message: 1 << 20,
            is_after_crash: false,
            waits: Waits::default(),
            learned_waits: None,
            limits: Limits::default(),
            starter: Arc::new(TaskSettings::default()),
            commits: Arc::new(NoCommits),
            judge: Arc::new(NoJudge),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { open_rooms: 10_000, participants: 2_000, aliases: 1_000, waits: 64, subscriptions: 100 }
    }
}
