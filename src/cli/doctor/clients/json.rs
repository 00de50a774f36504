//! Servers in settings that are JSON, with or without comments.

use std::time::Duration;

use serde_json::{Map, Value};

use super::server::Server;

/// The servers that are turnroom, wherever they stand. `None`: it is no JSON.
pub(super) fn servers(text: &str) -> Option<Vec<Server>> {
    let settings: Value = serde_json::from_str(text).or_else(|_| serde_json::from_str(&plain(text))).ok()?;
    let mut servers = Vec::new();
    collect(&settings, &mut servers);
    Some(servers)
}

fn collect(settings: &Value, servers: &mut Vec<Server>) {
    for (name, value) in settings.as_object().into_iter().flatten() {
        match value.as_object().and_then(|fields| server(name, fields)) {
            Some(server) if server.is_ours() => servers.push(server),
            _ => collect(value, servers),
        }
    }
}

/// A server has a command or an address.
fn server(name: &str, fields: &Map<String, Value>) -> Option<Server> {
    let command = match fields.get("command") {
        // opencode: the program and its arguments.
        Some(Value::Array(words)) => words.first().and_then(Value::as_str),
        command => command.and_then(Value::as_str),
    };
    let url = ["url", "httpUrl", "serverUrl"].iter().find_map(|name| fields.get(*name)?.as_str());
    let timeout = fields.get("timeout").and_then(|timeout| match timeout {
        Value::Object(limits) => limits.get("request")?.as_u64(),
        milliseconds => milliseconds.as_u64(),
    });
    (command.is_some() || url.is_some()).then(|| Server {
        name: name.to_owned(),
        command: command.map(str::to_owned),
        url: url.map(str::to_owned),
        timeout: timeout.map(Duration::from_millis),
    })
}

/// JSON without comments and without commas behind the last entry.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => string_end(rest),
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.split_once("*/").map_or("", |(_, rest)| rest);
                continue;
            }
            ']' | '}' => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
                1
            }
            other => other.len_utf8(),
        };
        plain.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    plain
}

/// Where the string that begins here is over.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Server {
        let [server] = <[Server; 1]>::try_from(servers(text).unwrap()).unwrap();
        server
    }

    #[test]
    fn servers_are_found_wherever_a_client_keeps_them() {
        for text in [
            r#"{"mcpServers": {"turnroom": {"command": "turnroom", "args": ["stdio"]}, "x": {"command": "npx"}}}"#,
            r#"{"projects": {"/home/a": {"mcpServers": {"turnroom": {"command": "turnroom"}}}}}"#,
            r#"{"mcp": {"servers": {"turnroom": {"command": ["turnroom", "stdio"]}}}}"#,
            "{\"servers\": { // mine\n \"turnroom\": {\"command\": \"turnroom\", /* , */ }, },\n}",
        ] {
            assert_eq!(one(text).command.as_deref(), Some("turnroom"), "{text}");
        }
    }

    #[test]
    fn time_limits_are_milliseconds() {
        let limit = |text: &str| one(text).timeout.map(|timeout| timeout.as_secs());
        assert_eq!(limit(r#"{"turnroom": {"url": "http://x//y", "timeout": 5000}}"#), Some(5));
        assert_eq!(limit(r#"{"turnroom": {"url": "x", "timeout": {"request": 7000}}}"#), Some(7));
        assert_eq!(limit(r#"{"turnroom": {"httpUrl": "x"}}"#), None);
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        for text in ["", "{", "\"", "// turnroom", "{\"a\": \"\\"] {
            assert!(servers(text).is_none(), "{text}");
        }
    }
}
