//! The settings of known MCP clients: which of them name turnroom, and what time limit they set.

mod codex;
mod json;
mod server;

use std::io;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::paths::home_folder;
use crate::platform::files::read_settings;
use server::Server;

const ABOUT: &str = "clients";

/// A client whose settings lie at known places.
struct Client {
    name: &'static str,
    /// Below the home folder.
    at_home: &'static [&'static str],
    /// Below the current folder, which is that of a project.
    in_project: &'static [&'static str],
    read: fn(&str) -> Option<Vec<Server>>,
    /// What to set, where the client's own time limit is short.
    advice: Option<&'static str>,
}

const CLIENTS: [Client; 7] = [
    Client {
        name: "Claude Code",
        at_home: &[".claude.json"],
        in_project: &[".mcp.json"],
        read: json::servers,
        advice: None,
    },
    Client {
        name: "Claude Desktop",
        at_home: &[
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
        ],
        in_project: &[],
        read: json::servers,
        advice: None,
    },
    Client {
        name: "Codex",
        at_home: &[".codex/config.toml"],
        in_project: &[".codex/config.toml"],
        read: codex::servers,
        advice: Some("set `tool_timeout_sec = 3600` for it: without, a call may last 5 minutes"),
    },
    Client {
        name: "Gemini CLI",
        at_home: &[".gemini/settings.json"],
        in_project: &[".gemini/settings.json"],
        read: json::servers,
        advice: Some("set `\"timeout\": 3600000` for it: without, a call may last 10 minutes"),
    },
    Client {
        name: "Cursor",
        at_home: &[".cursor/mcp.json"],
        in_project: &[".cursor/mcp.json"],
        read: json::servers,
        advice: None,
    },
    Client {
        name: "opencode",
        at_home: &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
        in_project: &["opencode.json", "opencode.jsonc"],
        read: json::servers,
        advice: Some("set a timeout of 3600000 for it (README): without, a call may last one minute"),
    },
    Client {
        name: "VS Code",
        at_home: &[".config/Code/User/mcp.json", "Library/Application Support/Code/User/mcp.json"],
        in_project: &[".vscode/mcp.json"],
        read: json::servers,
        advice: None,
    },
];

pub(super) fn check() -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    report(home_folder().as_deref(), project.as_deref())
}

fn report(home: Option<&Path>, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut without = Vec::new();
    for client in &CLIENTS {
        let found = client.report(home, project);
        if found.is_empty() {
            without.push(client.name);
        }
        findings.extend(found);
    }
    let without = without.join(", ");
    if findings.is_empty() {
        let what = format!("no settings name turnroom (looked for those of {without})");
        findings.push(Finding::warning(
            ABOUT,
            what,
            "`claude mcp add turnroom -- turnroom stdio`; others: README",
        ));
    } else if !without.is_empty() {
        findings.push(Finding::ok(ABOUT, format!("no settings of {without} name turnroom")));
    }
    findings
}

impl Client {
    fn report(&self, home: Option<&Path>, project: Option<&Path>) -> Vec<Finding> {
        let below = |folder: Option<&Path>, names: &[&str]| -> Vec<PathBuf> {
            folder.into_iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
        };
        let mut files = below(home, self.at_home);
        files.extend(below(project, self.in_project));
        // The home folder may be the project.
        files.dedup();
        files.iter().flat_map(|file| self.look_at(file)).collect()
    }

    fn look_at(&self, file: &Path) -> Vec<Finding> {
        let (name, shown) = (self.name, file.display());
        let text = match read_settings(file) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Vec::new();
            }
            Err(error) => {
                let what = format!("{name}: `{shown}` cannot be read: {error}");
                return vec![Finding::warning(ABOUT, what, "see its rights")];
            }
        };
        let Some(servers) = (self.read)(&text) else {
            let what = format!("{name}: `{shown}` cannot be understood");
            let is_ours = text.contains("turnroom");
            return is_ours
                .then(|| Finding::warning(ABOUT, what, "correct it by hand"))
                .into_iter()
                .collect();
        };
        servers.iter().map(|server| self.judge(server, file)).collect()
    }

    fn judge(&self, server: &Server, file: &Path) -> Finding {
        let limit = match server.timeout {
            Some(timeout) => format!("time limit {} s", timeout.as_secs()),
            None => "no time limit set".to_owned(),
        };
        let what = format!("{}: `{}` names {}; {limit}", self.name, file.display(), server.target());
        if let Some(missing) = server.missing_program() {
            return Finding::fault(
                ABOUT,
                what,
                format!("`{}` is not there: correct the path", missing.display()),
            );
        }
        match self.advice {
            Some(advice) if server.timeout.is_none() => Finding::warning(ABOUT, what, advice),
            _ => Finding::ok(ABOUT, what),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::finding::Grade;
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }

    #[test]
    fn settings_that_name_turnroom_are_told_with_their_time_limit() {
        let (home, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(home.path(), ".codex/config.toml", "[mcp_servers.turnroom]\ncommand = \"turnroom\"\n");
        write(
            project.path(),
            ".gemini/settings.json",
            r#"{"mcpServers": {"hub": {"command": "/nowhere/turnroom", "timeout": 3600000}}}"#,
        );
        write(
            project.path(),
            ".mcp.json",
            r#"{"mcpServers": {"turnroom": {"url": "http://127.0.0.1:8000/mcp"}}}"#,
        );
        let findings = report(Some(home.path()), Some(project.path()));
        let grades: Vec<Grade> = findings.iter().map(|finding| finding.grade).collect();
        assert_eq!(grades, [Grade::Ok, Grade::Warning, Grade::Fault, Grade::Ok], "{findings:?}");
        assert!(findings[2].what.contains("time limit 3600 s"), "{findings:?}");
        assert!(findings[3].what.contains("opencode") && !findings[3].what.contains("Codex"), "{findings:?}");
    }

    #[test]
    fn without_any_settings_the_way_to_connect_is_told() {
        let home = tempfile::tempdir().unwrap();
        write(home.path(), ".cursor/mcp.json", r#"{"mcpServers": {"other": {"command": "npx"}}}"#);
        let findings = report(Some(home.path()), None);
        assert!(findings.len() == 1 && findings[0].grade == Grade::Warning, "{findings:?}");
    }
}
