//! What the server says of itself.
#![expect(deprecated, reason = "logging is advertised for clients of older revisions")]

use std::sync::LazyLock;

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};

/// Teaches the loop to every model that connects. At most 700 tokens.
const INSTRUCTIONS: &str = include_str!("instructions.md");

static INFO: LazyLock<ServerConfig> = LazyLock::new(|| {
    let capabilities = ServerCapabilities::builder()
        .enable_logging()
        .enable_completions()
        .enable_prompts()
        .enable_resources()
        .enable_resources_subscribe()
        .enable_resources_list_changed()
        .enable_tools()
        .build();
    ServerConfig::new(capabilities)
        .with_server_info(Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")))
        .with_instructions(INSTRUCTIONS)
});

/// Name, version, capabilities and instructions.
pub(super) fn info() -> ServerConfig {
    INFO.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructions_are_short_enough_to_be_read_in_every_session() {
        assert!(INSTRUCTIONS.len() <= 2600, "{}", INSTRUCTIONS.len());
    }

    #[test]
    fn the_instructions_name_only_tools_that_exist() {
        let words = INSTRUCTIONS.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let calls: Vec<_> = words
            .filter(|word| {
                word.ends_with("_conversation") || word.ends_with("_turn") && word.contains("wait")
            })
            .collect();
        assert!(!calls.is_empty());
        for call in calls {
            assert!(crate::tools::find(call).is_some(), "{call}");
        }
    }

    #[test]
    fn the_server_says_who_it_is_and_what_it_serves() {
        let info = info();
        assert_eq!(info.server_info.name, "turnroom");
        let capabilities = serde_json::to_value(&info.capabilities).unwrap();
        for area in ["tools", "resources", "prompts", "completions", "logging"] {
            assert!(capabilities.get(area).is_some(), "{area}");
        }
        assert_eq!(capabilities["resources"]["subscribe"], true);
    }
}
