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
    /// A part is played by whom the defaults name.
    NoCast {
        /// Which part.
        role: String,
    },
    /// The agent of a part is started by no command.
    NoStart {
        /// Which part.
        role: String,
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
        let before = match files::read_settings(&path) {
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
        match change {
            Change::NoCast { role } => {
                let usual = usual_handle(role);
                file = without(file, &["tasks", "cast"], role, usual.into());
            }
            Change::NoStart { role } => {
                file = without(file, &["tasks", "start", role], "command", Array::new().into());
            }
            change => apply(file.as_table_mut(), change),
        }
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
        Change::NoCast { .. } | Change::NoStart { .. } => {}
    }
}

/// Who plays a part of which no file says anything.
fn usual_handle(role: &str) -> String {
    let tasks = Layers::defaults().values().tasks;
    tasks.part(role).map(|(handle, _)| handle.to_owned()).unwrap_or_default()
}

/// A file without a setting. Words of a person that stand beside it stay: then it gets the value that says the same.
fn without(mut file: DocumentMut, tables: &[&str], key: &str, nothing: Value) -> DocumentMut {
    let mut less = file.clone();
    if !remove(less.as_table_mut(), tables, key) {
        return file;
    }
    if keeps_comments(&file.to_string(), &less.to_string()) {
        return less;
    }
    let table =
        tables.iter().fold(file.as_table_mut() as &mut dyn TableLike, |table, name| inner(table, name));
    set(table, key, nothing);
    file
}

/// Takes a setting away, with the tables of which nothing is left. Gives whether it was there.
fn remove(table: &mut dyn TableLike, tables: &[&str], key: &str) -> bool {
    let Some((name, further)) = tables.split_first() else { return table.remove(key).is_some() };
    let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) else { return false };
    let was_there = remove(inner, further, key);
    if was_there && inner.is_empty() {
        table.remove(name);
    }
    was_there
}

/// Whether each line with a comment is there still.
fn keeps_comments(before: &str, after: &str) -> bool {
    let mut left: Vec<&str> = after.lines().collect();
    let mut is_left =
        |line: &str| left.iter().position(|other| *other == line).map(|at| left.swap_remove(at));
    before.lines().filter(|line| line.contains('#')).all(|line| is_left(line).is_some())
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

    fn no_cast(role: &str) -> Change {
        Change::NoCast { role: role.to_owned() }
    }

    fn no_start(role: &str) -> Change {
        Change::NoStart { role: role.to_owned() }
    }

    #[test]
    fn what_was_set_is_taken_away_again_and_nothing_is_left_of_it() {
        let both = [cast("executor", "@Bob"), start("executor", &["my-agent", "--go"])];
        for before in ["", "# Mine.\n\n[limits]\nopen_rooms = 7 # few\n", "[tasks]\nmode = \"auto\" # now\n"]
        {
            let set = after(before, &both);
            assert_eq!(after(&set, &[no_start("executor"), no_cast("executor")]), before);
            assert_eq!(after(before, &[no_start("executor"), no_cast("reviewer")]), before, "none was set");
        }
        let other = "[tasks.start.executor]\ncommand = [\"a\"]\nfolder = \"/work\"\n";
        let expected = "[tasks.start.executor]\nfolder = \"/work\"\n";
        assert_eq!(after(other, &[no_start("executor")]), expected);
    }

    #[test]
    fn comments_beside_what_is_taken_away_stay() {
        let before = "\
# Who is who.
[tasks.cast]
# The usual one.
executor = '@Bob' # since spring
reviewer = '@Carol'

[tasks.start.executor]
# It works alone.
command = ['my-agent']
";
        let expected = before.replace("'@Bob'", "\"@Executor\"").replace("['my-agent']", "[]");
        assert_eq!(after(before, &[no_cast("executor"), no_start("executor")]), expected);
        assert_eq!(after(before, &[no_cast("reviewer")]), before.replace("reviewer = '@Carol'\n", ""));
    }

    #[test]
    fn a_setting_is_taken_away_however_it_is_written() {
        for before in [
            "tasks = { cast = { executor = \"@Bob\" }, start = { executor = { command = [\"a\"] } } }\n",
            "tasks.cast.executor = \"@Bob\"\ntasks.start.executor.command = [\"a\"]\n",
            "# One.\ntasks.cast.executor = \"@Bob\"\n# Two.\ntasks.start.executor.command = [\"a\"]\n",
            "[tasks]\nmode = \"manual\"\ncast.executor = \"@Bob\"\nstart.executor.command = [\"a\"]\n",
        ] {
            let text = after(before, &[no_cast("executor"), no_start("executor")]);
            let mut layers = Layers::defaults();
            layers.lay(Path::new("/x/config.toml"), &text, Whose::Users).unwrap();
            let tasks = layers.values().tasks;
            assert_eq!((tasks.cast.executor.as_str(), tasks.start.executor.command.len()), ("@Executor", 0));
            assert_eq!(text.matches('#').count(), before.matches('#').count(), "{text}");
        }
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
