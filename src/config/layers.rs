//! Files with settings, one laid over the other; each value remembers where it comes from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::{Config, ConfigError, DEFAULTS, OPEN_TABLES};

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

/// All settings by table and key.
pub(super) struct Layers {
    settings: BTreeMap<(String, String), (Value, Origin)>,
}

impl Layers {
    /// Nothing but the defaults.
    pub(super) fn defaults() -> Self {
        let tables: Table = DEFAULTS.parse().expect("the defaults are TOML");
        let settings = leaves(tables).map(|(name, value)| (name, (value, Origin::Default)));
        Self { settings: settings.collect() }
    }

    /// Lays a file over what is there. Either all of it counts or, with an error, nothing.
    pub(super) fn lay(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let tables: Table =
            text.parse().map_err(|source| ConfigError::Syntax { path: path.to_owned(), source })?;
        let mut settings = self.settings.clone();
        for (name, value) in leaves(tables) {
            if name.1.is_empty() && matches!(&value, Value::Table(table) if table.is_empty()) {
                // A table without a setting sets nothing; but there must be one of that name.
                if self.settings.keys().any(|(table, _)| *table == name.0) {
                    continue;
                }
                return Err(self.unknown(path, &name));
            }
            if name.1.is_empty() && self.settings.keys().any(|(table, _)| *table == name.0) {
                return Err(wrong_value(path, &name, &value, "a table"));
            }
            let expected = self.expected(path, &name)?;
            if !fits(&value, expected) {
                return Err(wrong_value(path, &name, &value, meaning_of(expected)));
            }
            settings.insert(name, (value, Origin::File(path.to_owned())));
        }
        self.settings = settings;
        Ok(())
    }

    /// The value that a setting has now, as an example of what it may be.
    fn expected(&self, path: &Path, name: &(String, String)) -> Result<&Value, ConfigError> {
        let known = self.settings.get(name).map(|(value, _)| value);
        let like_others = || {
            let is_open = OPEN_TABLES.contains(&name.0.as_str()) && !name.1.is_empty();
            let others = || self.settings.iter().find(|((table, _), _)| *table == name.0);
            is_open.then(others).flatten().map(|(_, (value, _))| value)
        };
        known.or_else(like_others).ok_or_else(|| self.unknown(path, name))
    }

    fn unknown(&self, path: &Path, name: &(String, String)) -> ConfigError {
        ConfigError::UnknownSetting {
            path: path.to_owned(),
            key: spelled(name),
            hint: self.nearest(name).map_or_else(String::new, |key| format!("; did you mean `{key}`?")),
        }
    }

    fn nearest(&self, name: &(String, String)) -> Option<String> {
        let asked = spelled(name);
        let likeness = |key: &String| strsim::jaro_winkler(key, &asked);
        let keys = self.settings.keys().map(spelled).filter(|key| likeness(key) >= LIKENESS);
        keys.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
    }

    pub(super) fn values(&self) -> Config {
        let mut tables = Table::new();
        for ((table, key), (value, _)) in &self.settings {
            let table = tables.entry(table.clone()).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(table) = table {
                table.insert(key.clone(), value.clone());
            }
        }
        Config::deserialize(tables).expect("each value was checked when it was laid down")
    }

    pub(super) fn settings(&self) -> Vec<Setting> {
        let settings = self.settings.iter().map(|(name, (value, origin))| Setting {
            key: spelled(name),
            value: value.to_string(),
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

/// Every key with its table. A key outside a table stands under its own name with an empty key.
fn leaves(tables: Table) -> impl Iterator<Item = ((String, String), Value)> {
    tables.into_iter().flat_map(|(name, value)| match value {
        Value::Table(table) if !table.is_empty() => {
            let settings = table.into_iter().map(|(key, value)| ((name.clone(), key), value));
            settings.collect::<Vec<_>>()
        }
        other => vec![((name, String::new()), other)],
    })
}

fn spelled((table, key): &(String, String)) -> String {
    let is_bare = |key: &str| key.chars().all(|sign| sign.is_ascii_alphanumeric() || "-_".contains(sign));
    match key.as_str() {
        "" => table.clone(),
        key if is_bare(key) => format!("{table}.{key}"),
        key => format!("{table}.{}", Value::String(key.to_owned())),
    }
}

/// Whether a setting may be this, when that is a value it may have.
fn fits(value: &Value, example: &Value) -> bool {
    match (value, example) {
        (Value::Integer(number), Value::Integer(_)) => (1..=i64::from(u32::MAX)).contains(number),
        _ => value.same_type(example),
    }
}

/// What may stand where this does, in words.
fn meaning_of(example: &Value) -> &'static str {
    match example {
        Value::Integer(_) => "a whole number from 1 to 4294967295",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list",
        _ => "a text in quotes",
    }
}

fn wrong_value(path: &Path, name: &(String, String), value: &Value, expected: &'static str) -> ConfigError {
    ConfigError::WrongValue { path: path.to_owned(), key: spelled(name), value: value.to_string(), expected }
}
