//! Files with settings, one laid over the other; each value remembers where it comes from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::fault::{line_at, line_of};
use super::{Config, ConfigError, DEFAULTS, OPEN_TABLES, USER_TABLES, notices, puzzles, tasks};

/// A name that is at least so like another one was probably meant.
const LIKENESS: f64 = 0.7;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody has set it.
    Default,
    /// A file has.
    File(PathBuf),
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its name: table, dot, key.
    pub key: String,
    /// Its value, as TOML.
    pub value: String,
    /// Where the value comes from.
    pub origin: Origin,
}

/// Whose file it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'a> {
    /// The user's own.
    Users,
    /// That of the folder in which somebody works: it may have come with a clone.
    Projects {
        /// The user's own.
        beside: Option<&'a Path>,
    },
}

/// The table of a setting, with dots where it lies in others, and its key. A key outside a table has an empty one.
pub(super) type Name = (String, String);

/// All settings by table and key.
pub(super) struct Layers {
    settings: BTreeMap<Name, (Value, Origin)>,
}

impl Layers {
    /// Nothing but the defaults.
    pub(super) fn defaults() -> Self {
        let tables: Table = DEFAULTS.parse().expect("the defaults are TOML");
        let settings = leaves("", tables, &|_| true).into_iter();
        // An empty table is there to be filled.
        let settings = settings.filter(|(_, value)| !value.is_table());
        Self { settings: settings.map(|(name, value)| (name, (value, Origin::Default))).collect() }
    }

    /// Lays a file over what is there. Either all of it counts or, with an error, nothing.
    pub(super) fn lay(&mut self, path: &Path, text: &str, whose: Whose<'_>) -> Result<(), ConfigError> {
        let tables: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = line_at(text, error.span().map_or(0, |span| span.start));
            ConfigError::Syntax { path: path.to_owned(), line, problem: error.message().to_owned() }
        })?;
        let mut settings = self.settings.clone();
        for (name, value) in leaves("", tables, &|table| self.is_table(table)) {
            if self.is_table(&joined(&name.0, &name.1))
                && matches!(&value, Value::Table(table) if table.is_empty())
            {
                // A table without a setting sets nothing.
                continue;
            }
            self.check(path, &name, &value, whose).map_err(|error| error.in_line(line_of(text, &name)))?;
            settings.insert(name, (value, Origin::File(path.to_owned())));
        }
        self.settings = settings;
        Ok(())
    }

    /// Whether a file may say this.
    fn check(&self, path: &Path, name: &Name, value: &Value, whose: Whose<'_>) -> Result<(), ConfigError> {
        if let Whose::Projects { beside } = whose
            && is_of_the_user(name)
        {
            return Err(not_in_project(path, name, beside));
        }
        if self.is_table(&joined(&name.0, &name.1)) {
            return Err(wrong_value(path, name, value, "a table"));
        }
        let expected = self.expected(path, name)?;
        if !fits(value, &expected) {
            return Err(wrong_value(path, name, value, meaning_of(&expected)));
        }
        let misfit = notices::misfit(&name.0, &name.1, value);
        match misfit
            .or_else(|| tasks::misfit(&name.0, &name.1, value))
            .or_else(|| puzzles::misfit(&name.0, value))
        {
            Some(expected) => Err(wrong_value(path, name, value, expected)),
            None => Ok(()),
        }
    }

    /// Whether settings, or other tables, stand in a table of this name.
    fn is_table(&self, name: &str) -> bool {
        let is_in =
            |table: &str| table == name || table.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let known = self.settings.keys().map(|(table, _)| table.as_str());
        !name.is_empty() && known.chain(OPEN_TABLES.iter().map(|(table, _)| *table)).any(is_in)
    }

    /// An example of what a setting may be.
    fn expected(&self, path: &Path, name: &Name) -> Result<Value, ConfigError> {
        let known = self.settings.get(name).map(|(value, _)| value.clone());
        let like_others = || {
            let open = OPEN_TABLES.iter().find(|(table, _)| *table == name.0);
            open.map(|(_, example)| example.clone())
        };
        known.or_else(like_others).ok_or_else(|| self.unknown(path, name))
    }

    fn unknown(&self, path: &Path, name: &Name) -> ConfigError {
        ConfigError::UnknownSetting {
            path: path.to_owned(),
            line: None,
            key: spelled(name),
            hint: self.nearest(name).map_or_else(String::new, |key| format!("; did you mean `{key}`?")),
        }
    }

    fn nearest(&self, name: &Name) -> Option<String> {
        let asked = spelled(name);
        let likeness = |key: &String| strsim::jaro_winkler(key, &asked);
        let keys = self.settings.keys().map(spelled).filter(|key| likeness(key) >= LIKENESS);
        keys.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
    }

    pub(super) fn values(&self) -> Config {
        let mut tables = Table::new();
        for ((table, key), (value, _)) in &self.settings {
            let table = table.split('.').fold(&mut tables, |outer, name| {
                let inner = outer.entry(name).or_insert_with(|| Value::Table(Table::new()));
                inner.as_table_mut().expect("no setting has the name of a table")
            });
            table.insert(key.clone(), value.clone());
        }
        Config::deserialize(tables).expect("each value was checked when it was laid down")
    }

    pub(super) fn settings(&self) -> Vec<Setting> {
        let settings = self.settings.iter().map(|(name, (value, origin))| Setting {
            key: spelled(name),
            value: shown(name, value),
            origin: origin.clone(),
        });
        settings.collect()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File(path) => write!(formatter, "{}", path.display()),
        }
    }
}

/// Every key with its table. A table within another one is a value, unless it `is_table` of settings.
fn leaves(table: &str, content: Table, is_table: &dyn Fn(&str) -> bool) -> Vec<(Name, Value)> {
    let of_one = |(key, value): (String, Value)| match value {
        Value::Table(inner) if !inner.is_empty() && (table.is_empty() || is_table(&joined(table, &key))) => {
            leaves(&joined(table, &key), inner, is_table)
        }
        other => vec![((table.to_owned(), key), other)],
    };
    content.into_iter().flat_map(of_one).collect()
}

fn joined(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

fn is_of_the_user((table, key): &Name) -> bool {
    let outermost = if table.is_empty() { key } else { table };
    USER_TABLES.contains(&outermost.split('.').next().unwrap_or_default())
}

fn spelled((table, key): &Name) -> String {
    let is_bare = |key: &str| key.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign));
    if is_bare(key) { joined(table, key) } else { joined(table, &Value::String(key.clone()).to_string()) }
}

/// A value for eyes: of a secret only so much as tells that it is there.
fn shown(name: &Name, value: &Value) -> String {
    notices::hidden(&name.0, &name.1, value).unwrap_or_else(|| value.clone()).to_string()
}

/// Whether a setting may be this, when that is a value it may have.
fn fits(value: &Value, example: &Value) -> bool {
    match (value, example) {
        (Value::Integer(number), Value::Integer(_)) => (1..=i64::from(u32::MAX)).contains(number),
        (Value::Array(list), Value::Array(_)) => list.iter().all(Value::is_str),
        _ => value.same_type(example),
    }
}

/// What may stand where this does, in words.
fn meaning_of(example: &Value) -> &'static str {
    match example {
        Value::Integer(_) => "a whole number from 1 to 4294967295",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list of texts in quotes",
        _ => "a text in quotes",
    }
}

fn not_in_project(path: &Path, name: &Name, beside: Option<&Path>) -> ConfigError {
    let users = beside.unwrap_or(Path::new("turnroom/config.toml"));
    let (path, users) = (path.to_owned(), users.to_owned());
    ConfigError::NotInProject { path, line: None, key: spelled(name), users }
}

fn wrong_value(path: &Path, name: &Name, value: &Value, expected: &'static str) -> ConfigError {
    let (path, key, value) = (path.to_owned(), spelled(name), shown(name, value));
    ConfigError::WrongValue { path, line: None, key, value, expected }
}
