//! What is wrong with a file of settings, and in which line: for people, and without any value.

use std::path::{Path, PathBuf};

use toml_edit::{Document, TableLike};

use super::ConfigError;
use super::layers::Name;

/// What is wrong with a file of settings. Its words hold no values: one may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which file.
    pub file: PathBuf,
    /// Where: from 1.
    pub line: Option<usize>,
    /// What.
    pub words: String,
}

impl ConfigError {
    /// What is wrong with a file, if this is about what somebody has written into one.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        let (path, line, words) = match self {
            Self::NoPlace | Self::Unwritable { .. } => return None,
            Self::Unreadable { path, source } => (path, None, format!("it cannot be read: {source}")),
            Self::Syntax { path, line, problem } => {
                (path, Some(*line), format!("it is no valid TOML: {problem}"))
            }
            Self::UnknownSetting { path, line, key, hint } => {
                (path, *line, format!("there is no setting `{key}`{hint}"))
            }
            Self::NotInProject { path, line, key, users } => {
                let words = format!(
                    "the file of a project may not set `{key}`; put it into your own, `{}`",
                    users.display()
                );
                (path, *line, words)
            }
            Self::WrongValue { path, line, key, expected, .. } => {
                (path, *line, format!("`{key}` must be {expected}"))
            }
        };
        Some(Fault { file: path.clone(), line, words })
    }

    /// The same, of a setting in this line.
    pub(super) fn in_line(mut self, at: Option<usize>) -> Self {
        match &mut self {
            Self::UnknownSetting { line, .. }
            | Self::NotInProject { line, .. }
            | Self::WrongValue { line, .. } => *line = at,
            Self::Unreadable { .. } | Self::Unwritable { .. } | Self::NoPlace | Self::Syntax { .. } => {}
        }
        self
    }
}

/// A place in a file, as it stands at the start of a sentence.
pub(super) fn place(path: &Path, line: Option<usize>) -> String {
    let line = line.map_or_else(String::new, |line| format!(", line {line},"));
    format!("`{}`{line}", path.display())
}

/// The line of a place in a text: from 1.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or_default().matches('\n').count() + 1
}

/// The line in which a setting stands; of one that is not found, that of the table around it.
pub(super) fn line_of(text: &str, (table, key): &Name) -> Option<usize> {
    let file = Document::parse(text).ok()?;
    let names = table.split('.').filter(|name| !name.is_empty()).chain([key.as_str()]);
    let (mut at, mut found): (&dyn TableLike, _) = (file.as_table(), None);
    for name in names {
        let Some((known, item)) = at.get_key_value(name) else { break };
        found = known.span().or_else(|| item.span()).or(found);
        let Some(inner) = item.as_table_like() else { break };
        at = inner;
    }
    found.map(|span| line_at(text, span.start))
}
