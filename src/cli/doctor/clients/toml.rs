//! Servers in Codex's settings: sections `[mcp_servers.NAME]` of TOML, as far as that needs to be understood.

use std::time::Duration;

use super::server::Server;

const TABLE: &str = "mcp_servers.";
/// No client waits longer; more is a slip.
const MOST_SECONDS: f64 = 1e9;

/// The servers that are turnroom. `None`: it is no TOML.
pub(super) fn servers(text: &str) -> Option<Vec<Server>> {
    let mut servers: Vec<Server> = Vec::new();
    let mut is_inside = false;
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let name = section.split_once(']')?.0.trim().strip_prefix(TABLE).map(unquoted);
            // A section below that of a server, such as its environment, has a dot.
            is_inside = name.is_some_and(|name| !name.contains('.'));
            if let (true, Some(name)) = (is_inside, name) {
                servers.push(Server { name: name.to_owned(), ..Server::default() });
            }
        } else if let (true, Some((key, value)), Some(server)) =
            (is_inside, line.split_once('='), servers.last_mut())
        {
            set(server, key.trim(), value.trim());
        }
    }
    servers.retain(Server::is_ours);
    Some(servers)
}

fn set(server: &mut Server, key: &str, value: &str) {
    match key {
        "command" => server.command = Some(text(value)),
        "url" => server.url = Some(text(value)),
        "tool_timeout_sec" => {
            let number = value.split('#').next().unwrap_or_default().trim().replace('_', "");
            let seconds = number.parse::<f64>().ok().filter(|seconds| (0.0..MOST_SECONDS).contains(seconds));
            server.timeout = seconds.map(Duration::from_secs_f64);
        }
        _ => {}
    }
}

/// A string in quotes; what follows it is a comment.
fn text(value: &str) -> String {
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let inner = quote.and_then(|quote| value[1..].split(quote).next());
    inner.unwrap_or(value).to_owned()
}

fn unquoted(name: &str) -> &str {
    name.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_of_turnroom_is_read_and_others_are_not() {
        let text = "\
model = \"x\"
[mcp_servers.other]
command = \"npx\"
[mcp_servers.\"turnroom\"] # ours
command = \"turnroom\" # in the path
args = [\"stdio\"]
tool_timeout_sec = 3_600 # an hour
[mcp_servers.turnroom.env]
url = \"no\"
[mcp_servers.hub]
command = '/opt/turnroom'
";
        let ours = Server {
            name: "turnroom".to_owned(),
            command: Some("turnroom".to_owned()),
            url: None,
            timeout: Some(Duration::from_hours(1)),
        };
        let other =
            Server { name: "hub".to_owned(), command: Some("/opt/turnroom".to_owned()), ..Server::default() };
        assert_eq!(servers(text).unwrap(), [ours, other]);
    }

    #[test]
    fn odd_lines_do_no_harm() {
        for text in [
            "",
            "[mcp_servers.]",
            "[mcp_servers.turnroom]\ncommand",
            "=",
            "[mcp_servers.turnroom]\ncommand=\"",
        ] {
            assert!(servers(text).is_some_and(|found| found.len() <= 1), "{text}");
        }
        assert!(servers("[mcp_servers.turnroom\ncommand=\"").is_none());
    }
}
