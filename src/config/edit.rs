//! Changes of the user's own file: only what is meant becomes another; comments, order and all else stay.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::layers::{Layers, Whose};
use super::{ConfigError, Mode, Places, is_absent};
use crate::platform::files;

/// One change of how tasks go on. What it makes is checked as if somebody had written it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Who sees to it that agents come.
    Mode(Mode),
    /// Who plays a part.
    Cast {
        /// Which part.
        role: String,
        /// Who.
        handle: String,
    },
    /// How the agent of a part is started.
    Start {
        /// Which part.
        role: String,
        /// The program and its arguments.
        command: Vec<String>,
    },
    /// Whether the hub may start the agent of a part by itself.
    Auto {
        /// Which part.
        role: String,
        /// Whether it may.
        is_auto: bool,
    },
}

impl Places {
    /// Writes changes into the user's file, whole or not at all; gives where that lies. A file that makes no sense,
    /// before or after, is left as it is.
    pub fn change(&self, changes: &[Change]) -> Result<PathBuf, ConfigError> {
        let named = self.user.as_ref().ok_or(ConfigError::NoPlace)?;
        // A file that lies elsewhere, behind a link, is changed there.
        let path = named.canonicalize().unwrap_or_else(|_| named.clone());
        let before = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => String::new(),
            Err(source) => return Err(ConfigError::Unreadable { path, source }),
        };
        let after = changed(&path, &before, changes)?;
        if after != before {
            let written = write(&path, &after);
            written.map_err(|source| ConfigError::Unwritable { path: path.clone(), source })?;
        }
        Ok(path)
    }
}

/// The text of a file after changes.
fn changed(path: &Path, before: &str, changes: &[Change]) -> Result<String, ConfigError> {
    Layers::defaults().lay(path, before, Whose::Users)?;
    let mut file: DocumentMut = before.parse().map_err(|error: toml_edit::TomlError| {
        let problem = error.message().to_owned();
        ConfigError::Syntax { path: path.to_owned(), line: 1, problem }
    })?;
    for change in changes {
        apply(file.as_table_mut(), change);
    }
    let after = file.to_string();
    Layers::defaults().lay(path, &after, Whose::Users)?;
    Ok(after)
}

fn apply(file: &mut Table, change: &Change) {
    let tasks = inner(file, "tasks");
    match change {
        Change::Mode(mode) => set(tasks, "mode", mode.as_str().into()),
        Change::Cast { role, handle } => set(inner(tasks, "cast"), role, handle.into()),
        Change::Start { role, command } => {
            let command: Array = command.iter().map(String::as_str).collect();
            set(inner(inner(tasks, "start"), role), "command", command.into());
        }
        Change::Auto { role, is_auto } => {
            let none = || Item::Value(Array::new().into());
            let roles = tasks.entry("auto_roles").or_insert_with(none);
            let Some(roles) = roles.as_array_mut() else { return };
            let has = roles.iter().any(|known| known.as_str() == Some(role));
            match (has, is_auto) {
                (false, true) => roles.push(role),
                (true, false) => roles.retain(|known| known.as_str() != Some(role)),
                _ => {}
            }
        }
    }
}

/// The table of this name, which the check before has found to be one if it is there.
fn inner<'a>(outer: &'a mut dyn TableLike, name: &str) -> &'a mut dyn TableLike {
    let none = || {
        let mut table = Table::new();
        // No line for a table that only holds others.
        table.set_implicit(true);
        Item::Table(table)
    };
    let table = outer.entry(name).or_insert_with(none);
    table.as_table_like_mut().expect("the settings were checked")
}

/// Sets a value; the words beside it stay.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    let place = table.entry(key).or_insert(Item::None);
    if let Item::Value(before) = place {
        *value.decor_mut() = before.decor().clone();
    }
    *place = Item::Value(value);
}

/// Puts a file in the place of another; who may read it stays.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let before = fs::metadata(path).ok();
    files::replace(path, text.as_bytes())?;
    if let Some(before) = before {
        files::take_over_mode_and_owner(&fs::File::open(path)?, &before);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn after(before: &str, changes: &[Change]) -> String {
        changed(Path::new("/x/config.toml"), before, changes).unwrap()
    }

    fn cast(role: &str, handle: &str) -> Change {
        Change::Cast { role: role.to_owned(), handle: handle.to_owned() }
    }

    fn start(role: &str, command: &[&str]) -> Change {
        let command = command.iter().map(ToString::to_string).collect();
        Change::Start { role: role.to_owned(), command }
    }

    fn auto(role: &str, is_auto: bool) -> Change {
        Change::Auto { role: role.to_owned(), is_auto }
    }

    #[test]
    fn comments_order_and_everything_else_stay() {
        let before = "\
# My settings.
[limits]
open_rooms = 7 # few

[tasks.cast] # who is who
executor   =   '@Bob'  # the usual one

# How it goes on.
[tasks]
mode = \"manual\" # for now
auto_roles = [
    \"reviewer\", # she is quick
]
";
        let changes = [Change::Mode(Mode::Auto), cast("executor", "@Eve"), auto("executor", true)];
        let expected = before
            .replace("\"manual\"", "\"auto\"")
            .replace("'@Bob'", "\"@Eve\"")
            .replace("\"reviewer\", # she is quick\n", "\"reviewer\", \"executor\", # she is quick\n");
        assert_eq!(after(before, &changes), expected);
    }

    #[test]
    fn an_empty_file_gets_only_what_is_set() {
        let changes = [start("executor", &["my-agent", "--go", "a \"b\""]), auto("executor", true)];
        let expected = "\
[tasks]
auto_roles = [\"executor\"]

[tasks.start.executor]
command = [\"my-agent\", \"--go\", 'a \"b\"']
";
        assert_eq!(after("", &changes), expected);
        assert_eq!(after("", &[cast("reviewer", "@Carol")]), "[tasks.cast]\nreviewer = \"@Carol\"\n");
    }

    #[test]
    fn tables_may_be_written_in_any_way() {
        for before in [
            "tasks = { mode = \"manual\", cast = { executor = \"@Bob\" } }\n",
            "tasks.mode = \"manual\"\ntasks.cast.executor = \"@Bob\"\n",
            "[tasks]\nmode = \"manual\"\ncast.executor = \"@Bob\"\n",
        ] {
            let changes = [
                Change::Mode(Mode::Auto),
                cast("executor", "@Eve"),
                start("reviewer", &["my-agent"]),
                auto("reviewer", true),
            ];
            let folder = tempfile::tempdir().unwrap();
            let places = Places { user: Some(folder.path().join("config.toml")), project: None };
            fs::write(places.user.as_ref().unwrap(), before).unwrap();
            places.change(&changes).unwrap();
            let tasks = Config::read(&places).unwrap().tasks;
            assert_eq!((tasks.mode, tasks.cast.executor.as_str()), (Mode::Auto, "@Eve"), "{before}");
            assert_eq!((tasks.auto_roles, tasks.start.reviewer.command.len()), (vec!["reviewer".into()], 1));
        }
    }

    #[test]
    fn a_role_is_added_once_and_taken_away() {
        let once = after("", &[auto("executor", true), auto("executor", true), auto("reviewer", true)]);
        assert_eq!(once, "[tasks]\nauto_roles = [\"executor\", \"reviewer\"]\n");
        let less = after(&once, &[auto("reviewer", false), auto("architect", false)]);
        assert_eq!(less, "[tasks]\nauto_roles = [\"executor\"]\n");
    }

    #[test]
    fn what_makes_no_sense_before_or_after_changes_nothing() {
        let path = Path::new("/x/config.toml");
        for (before, change) in [
            ("[taks]\nmode = 1\n", Change::Mode(Mode::Auto)),
            ("[tasks\n", Change::Mode(Mode::Auto)),
            ("tasks = 1\n", Change::Mode(Mode::Auto)),
            ("", cast("executor", "Bob!")),
            ("", start("executor", &["./here"])),
        ] {
            assert!(changed(path, before, std::slice::from_ref(&change)).is_err(), "{before} {change:?}");
        }
    }

    #[test]
    fn a_file_is_made_with_its_folder_and_one_behind_a_link_stays_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/turnroom/config.toml");
        let places = Places { user: Some(path.clone()), project: None };
        places.change(&[Change::Mode(Mode::Auto)]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[tasks]\nmode = \"auto\"\n");
        #[cfg(unix)]
        {
            let link = folder.path().join("config.toml");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            let places = Places { user: Some(link.clone()), project: None };
            places.change(&[Change::Mode(Mode::Manual)]).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&path).unwrap(), "[tasks]\nmode = \"manual\"\n");
        }
    }
}
