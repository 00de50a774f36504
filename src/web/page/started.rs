//! What a person pastes so that agents come into a room.

use super::view::{Prompt, Snippet};

/// What an agent is told. A room whose handles have keys gives one with each.
pub(in crate::web) fn prompt(room: &str, handle: &str, key: Option<&str>) -> Prompt {
    let key = key.map(|key| format!(" and key \"{key}\"")).unwrap_or_default();
    let text = format!(
        "Take part in a turnroom conversation. You are {handle}.\n\
         Call join_conversation with handle \"{handle}\", room \"{room}\"{key}; give the same in every call.\n\
         Then do what `next` says in each answer, until the status is closed. Mention only those who must \
         answer. Ask @user when a person has to decide. Do not read the transcript file."
    );
    Prompt { handle: handle.to_owned(), text }
}

/// What each client needs once. All start the bridge, which finds the hub.
pub(in crate::web) fn snippets() -> Vec<Snippet> {
    let snippet = |client, place, text: &str| Snippet { client, place, text: text.to_owned() };
    vec![
        snippet(
            "Claude Code",
            "In a terminal, once",
            "claude mcp add --scope user turnroom -- turnroom stdio",
        ),
        snippet(
            "Codex",
            "In ~/.codex/config.toml",
            "[mcp_servers.turnroom]\ncommand = \"turnroom\"\nargs = [\"stdio\"]\ntool_timeout_sec = 3600",
        ),
        snippet(
            "Gemini CLI",
            "In ~/.gemini/settings.json",
            r#"{ "mcpServers": { "turnroom": { "command": "turnroom", "args": ["stdio"], "timeout": 3600000 } } }"#,
        ),
        snippet(
            "opencode",
            "In opencode.json",
            "{ \"mcp\": { \"servers\": { \"turnroom\": {\n  \"type\": \"local\", \"command\": [\"turnroom\", \"stdio\"], \
             \"timeout\": { \"request\": 3600000 } } } } }",
        ),
        snippet(
            "Cursor",
            "In .cursor/mcp.json of the project, or ~/.cursor/mcp.json",
            r#"{ "mcpServers": { "turnroom": { "command": "turnroom", "args": ["stdio"] } } }"#,
        ),
    ]
}
