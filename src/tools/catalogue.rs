//! The tools there are, by toolset. A front lists them; [`super::call`] runs them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::{Outcome, Refused, puzzle, room, task};
use crate::hub::{Caller, Hub};

/// Tools that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolset {
    /// Conversations.
    Room,
    /// Pieces of work.
    Tasks,
    /// Shared state machines.
    Puzzles,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 3] = [Self::Room, Self::Tasks, Self::Puzzles];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Room => "room",
            Self::Tasks => "tasks",
            Self::Puzzles => "puzzles",
        }
    }

    fn tools(self) -> &'static [&'static Tool] {
        match self {
            Self::Room => &room::TOOLS,
            Self::Tasks => &task::TOOLS,
            Self::Puzzles => &puzzle::TOOLS,
        }
    }
}

/// What a call does to the world, as a hint for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only reads.
    Reads,
    /// It changes something; a repeat changes more.
    Acts,
    /// It changes something; a repeat changes nothing more.
    Settles,
    /// It ends something for others.
    Ends,
}

/// One tool.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// When to use it, for a language model; at most 300 characters.
    pub description: &'static str,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether a call may wait for others.
    pub waits: bool,
    pub(super) schema: LazyLock<Arc<Map<String, Value>>>,
    pub(super) run: Run,
}

/// Reads the arguments, asks the hub, and puts the answer into words.
pub(super) type Run =
    for<'a> fn(&'a Hub, &'a Caller, Map<String, Value>) -> BoxFuture<'a, Result<Outcome, Refused>>;

impl Tool {
    /// The JSON schema of its arguments.
    #[must_use]
    pub fn schema(&self) -> &Arc<Map<String, Value>> {
        &self.schema
    }

    pub(super) fn run<'a>(
        &self,
        hub: &'a Hub,
        caller: &'a Caller,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Outcome, Refused>> {
        (self.run)(hub, caller, arguments)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The tools of these toolsets, in the order in which they are listed.
pub fn tools(sets: &[Toolset]) -> impl Iterator<Item = &'static Tool> {
    sets.iter().flat_map(|set| set.tools().iter().copied())
}

/// The tool of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    // Some clients still know the tools of tasks with a dot.
    let has_dotted_name = |tool: &&Tool| tool.name.replacen('_', ".", 1) == name;
    let by_name = tools(&Toolset::ALL).find(|tool| tool.name == name);
    by_name.or_else(|| tools(&[Toolset::Tasks]).find(has_dotted_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_tools_are_the_eleven_that_are_promised() {
        let names: Vec<_> = tools(&[Toolset::Room]).map(|tool| tool.name).collect();
        let promised = [
            "init_conversation",
            "join_conversation",
            "send_message",
            "wait_for_turn",
            "pass_turn",
            "read_messages",
            "search_messages",
            "list_participants",
            "list_conversations",
            "leave_conversation",
            "close_conversation",
        ];
        assert_eq!(names, promised);
    }

    #[test]
    fn descriptions_are_short_enough_to_be_read() {
        for tool in tools(&Toolset::ALL) {
            assert!(tool.description.len() <= 300, "{}: {}", tool.name, tool.description.len());
        }
    }

    #[test]
    fn a_tool_is_found_by_its_exact_name_only() {
        assert_eq!(find("pass_turn").map(|tool| tool.name), Some("pass_turn"));
        assert!(find("Pass_Turn").is_none());
        assert_eq!(find("context.read").map(|tool| tool.name), Some("context_read"));
        assert!(find("pass.turn").is_none() && find("add.puzzle").is_none());
    }
}
