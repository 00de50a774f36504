//! The tools as MCP lists them.

use std::sync::LazyLock;

use rmcp::model::{ListToolsResult, Tool, ToolAnnotations};

use crate::tools::{self, Effect, Toolset, Toolsets};

static LISTING: LazyLock<Vec<Tool>> = LazyLock::new(|| tools::tools(&Toolset::ALL).map(listed).collect());

/// The tools of these toolsets.
pub(super) fn of(sets: &Toolsets) -> ListToolsResult {
    ListToolsResult::with_all_items(tools::tools(sets.as_slice()).map(listed).collect())
}

/// The tool of this name.
pub(super) fn find(name: &str) -> Option<Tool> {
    LISTING.iter().find(|tool| tool.name == name).cloned()
}

fn listed(tool: &'static tools::Tool) -> Tool {
    Tool::new(tool.name, tool.description, tool.schema().clone()).with_annotations(annotations(tool.effect))
}

/// Only what differs from what a client assumes anyway. No tool reaches beyond the hub.
fn annotations(effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match effect {
        Effect::Reads => hints.read_only(true),
        Effect::Acts => hints.destructive(false),
        Effect::Settles => hints.destructive(false).idempotent(true),
        Effect::Ends => hints.idempotent(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_of_the_room_tools_is_small() {
        let bytes = serde_json::to_vec(&of(&"room".parse().unwrap())).unwrap().len();
        assert!(bytes <= 8_700, "{bytes} bytes");
    }

    #[test]
    fn the_catalogue_is_as_it_was_agreed() {
        insta::assert_json_snapshot!(of(&Toolsets::default()));
    }

    #[test]
    fn a_tool_is_found_by_its_name() {
        assert_eq!(find("send_message").map(|tool| tool.name), Some("send_message".into()));
        assert!(find("shout").is_none());
    }
}
