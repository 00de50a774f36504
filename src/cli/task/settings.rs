//! The settings of tasks, as commands write and show them.

use std::io::{self, IsTerminal};

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

use super::super::ask::json_line;
use super::super::clean;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::options::{Output, config_places};
use super::super::screen::{self, Look};
use super::super::signed::agent_here;
use crate::config::{Change, Config, Mode, Places, Tasks};

const ROLES: [&str; 3] = ["architect", "executor", "reviewer"];

/// Writes changes, if it is a person who wants them.
pub(super) fn change(changes: &[Change], is_agreed: bool) -> Result<(), Failure> {
    if let Some(agent) = agent_here() {
        let agent = clean::line(&agent);
        let words =
            format!("nothing was changed: these settings can start programs, and {agent} is no person");
        return Err(anyhow!(words).into());
    }
    if !is_agreed && !io::stdin().is_terminal() {
        let words = "nothing was changed: these settings can start programs, so a person types this at a terminal; a \
                     script of yours says --yes";
        return Err(anyhow!(words).into());
    }
    places().change(changes).context("nothing was changed")?;
    Ok(())
}

/// Prints how tasks go on, or how a role does.
pub(super) fn show(output: Output, role: Option<&str>) -> Result<Ending, Failure> {
    let places = places();
    let tasks = Config::read(&places).map_err(anyhow::Error::from)?.tasks;
    let explained = Config::explain(&places).map_err(anyhow::Error::from)?;
    let origin = explained.iter().find(|setting| setting.key == "tasks.mode");
    let from = origin.map_or_else(String::new, |setting| setting.origin.to_string());
    if output.json {
        screen::print(&json_line(&as_json(&tasks, &from, &places)?))?;
    } else {
        let look = Look::of_stdout();
        screen::tell(&role.map_or_else(|| mode_lines(&tasks, &from, look), |role| line(&tasks, role, look)))?;
    }
    Ok(Ending::Done)
}

/// The user's own file: only that may hold them.
fn places() -> Places {
    Places { project: None, ..config_places() }
}

fn as_json(tasks: &Tasks, from: &str, places: &Places) -> anyhow::Result<Value> {
    let mut all = serde_json::to_value(tasks)?;
    all["mode_from"] = from.into();
    all["file"] = json!(places.user);
    Ok(all)
}

fn mode_lines(tasks: &Tasks, from: &str, look: Look) -> String {
    let mode = format!("{}  {}  ({from})\n", look.strong("mode"), tasks.mode.as_str());
    let roles: String = ROLES.iter().map(|role| line(tasks, role, look)).collect();
    let is_idle = tasks.mode == Mode::Auto && !ROLES.iter().any(|role| is_started(tasks, role));
    let hint = if is_idle {
        "The hub starts nobody: `turnroom task assign ROLE --auto --start COMMAND` says whom, and how.\n"
    } else {
        ""
    };
    format!("{mode}{roles}{hint}")
}

/// A role in one line: who plays it, and how that agent comes.
fn line(tasks: &Tasks, role: &str, look: Look) -> String {
    let Some((handle, starter)) = tasks.part(role) else { return String::new() };
    let is_auto = tasks.auto_roles.iter().any(|known| known == role);
    let start = match (starter.command.is_empty(), is_auto, tasks.mode) {
        (true, false, _) => "comes by itself".to_owned(),
        (true, true, _) => format!("no command yet: `turnroom task assign {role} --start COMMAND`"),
        (false, is_auto, mode) => {
            let by = match (is_auto, mode) {
                (true, Mode::Auto) => "started by the hub",
                (true, Mode::Manual) => "started by the hub in auto mode",
                (false, _) => "not started by the hub",
            };
            format!("{}  ({by})", clean::line(&typed(&starter.command)))
        }
    };
    format!("{}  {}  {start}\n", look.strong(role), clean::line(handle))
}

fn is_started(tasks: &Tasks, role: &str) -> bool {
    let has_command = tasks.part(role).is_some_and(|(_, starter)| !starter.command.is_empty());
    has_command && tasks.auto_roles.iter().any(|known| known == role)
}

/// A command as one would type it.
fn typed(command: &[String]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty() && word.chars().all(|sign| sign.is_alphanumeric() || "-_./=:@,+".contains(sign))
    };
    let word = |word: &String| {
        if is_plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}
