//! How a hub is set up.

use std::path::PathBuf;

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
    /// What may be had at most.
    pub limits: Limits,
}

/// What may be had at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rooms that are open.
    pub open_rooms: usize,
    /// Participants of a room.
    pub participants: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            folders: Vec::new(),
            allowed_folders: None,
            briefs: None,
            max_message: 1 << 20,
            limits: Limits { open_rooms: 10_000, participants: 2_000 },
        }
    }
}
