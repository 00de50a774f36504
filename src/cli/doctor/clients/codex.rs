//! Servers in Codex's settings: tables `mcp_servers.NAME` of TOML.

use std::time::Duration;

use toml::{Table, Value};

use super::server::Server;

/// The servers that are turnroom. `None`: it is no TOML.
pub(super) fn servers(text: &str) -> Option<Vec<Server>> {
    let settings: Table = text.parse().ok()?;
    let servers = settings.get("mcp_servers").and_then(Value::as_table);
    let all = servers.into_iter().flatten().filter_map(|(name, fields)| server(name, fields.as_table()?));
    Some(all.filter(Server::is_ours).collect())
}

/// A server has a command or an address.
fn server(name: &str, fields: &Table) -> Option<Server> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let (command, url) = (text("command"), text("url"));
    let timeout = fields.get("tool_timeout_sec").and_then(|seconds| match seconds {
        Value::Integer(seconds) => u64::try_from(*seconds).ok().map(Duration::from_secs),
        Value::Float(seconds) => Duration::try_from_secs_f64(*seconds).ok(),
        _ => None,
    });
    (command.is_some() || url.is_some()).then(|| Server { name: name.to_owned(), command, url, timeout })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_turnroom_is_read_and_others_are_not() {
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
tool_timeout_sec = 1.5
";
        let server = |name: &str, command: &str, timeout| Server {
            name: name.to_owned(),
            command: Some(command.to_owned()),
            url: None,
            timeout: Some(timeout),
        };
        let mut found = servers(text).unwrap();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        let hub = server("hub", "/opt/turnroom", Duration::from_millis(1_500));
        assert_eq!(found, [hub, server("turnroom", "turnroom", Duration::from_hours(1))]);
    }

    #[test]
    fn odd_settings_do_no_harm() {
        for text in ["", "mcp_servers = 3", "[mcp_servers.turnroom]\ncommand = 7\ntool_timeout_sec = -1"] {
            assert_eq!(servers(text), Some(Vec::new()), "{text}");
        }
        assert_eq!(servers("[mcp_servers.turnroom\ncommand=\""), None);
    }
}
