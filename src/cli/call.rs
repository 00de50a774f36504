//! What a command asks of the hub: a path, and arguments exactly like those of the MCP tools.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// What may wait for others, or has as much to do as was ever said.
const LONG: [&str; 12] = [
    "tools/join_conversation",
    "tools/send_message",
    "tools/wait_for_turn",
    "tools/context_wait",
    "tools/perform_action_on_puzzle",
    "tools/wait_for_puzzle",
    "commands/remind",
    "commands/backup",
    "commands/export",
    "commands/delete",
    "commands/inbox",
    "commands/watch",
];

/// What a command asks of the hub.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// Path below `/api/`.
    pub(super) path: String,
    /// The arguments. What was not given is not in it, so that the hub's defaults hold.
    pub(super) arguments: Map<String, Value>,
    /// Folders for transcripts that the caller brings along.
    pub(super) folders: Vec<PathBuf>,
    /// Which of several sessions of one program; without it, the call stands alone.
    pub(super) session: Option<String>,
    /// Whether it is for people to make, so that the hub is shown that one sits at the terminal, if one does.
    pub(super) is_for_people: bool,
}

impl Call {
    /// Calls a tool, as an agent would over MCP.
    pub(super) fn tool(name: &str) -> Self {
        Self::new(format!("tools/{name}"))
    }

    /// Calls what only people may do.
    pub(super) fn command(name: &str) -> Self {
        Self::new(format!("commands/{name}"))
    }

    /// Whether the hub may take for it as long as it needs.
    pub(super) fn may_wait(&self) -> bool {
        LONG.contains(&self.path.as_str())
    }

    fn new(path: String) -> Self {
        Self { path, arguments: Map::new(), folders: Vec::new(), session: None, is_for_people: false }
    }

    /// Sets an argument.
    pub(super) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(name.to_owned(), value.into());
        self
    }

    /// Sets an argument if it was given.
    pub(super) fn set_some(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self,
        }
    }

    /// Sets a list if it has entries.
    pub(super) fn set_list(self, name: &str, values: &[String]) -> Self {
        if values.is_empty() { self } else { self.set(name, values.to_vec()) }
    }

    /// Sets a switch if it is on.
    pub(super) fn set_switch(self, name: &str, is_on: bool) -> Self {
        if is_on { self.set(name, true) } else { self }
    }

    /// Says that it is for people to make.
    pub(super) fn by_person(mut self) -> Self {
        self.is_for_people = true;
        self
    }

    /// Makes it in a session.
    pub(super) fn in_session(mut self, session: &str) -> Self {
        self.session = Some(session.to_owned());
        self
    }

    /// Brings a folder for transcripts along.
    pub(super) fn with_folder(mut self, folder: PathBuf) -> Self {
        self.folders.push(folder);
        self
    }
}
