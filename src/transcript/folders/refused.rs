//! Why a path was refused, which one would be allowed, and the command that would allow it.

use std::fmt;
use std::path::PathBuf;

/// A path for a note was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRefused {
    /// What was asked, cleaned and cut.
    pub asked: String,
    /// Why.
    pub why: Why,
    /// A path that would be allowed; nothing, when no folder is allowed at all.
    pub instead: Option<PathBuf>,
    /// The folder that a person could allow.
    pub folder: Option<PathBuf>,
}

/// Why a path was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// There is none.
    #[error("is empty")]
    Empty,
    /// It is longer than a path may be.
    #[error("is too long")]
    TooLong,
    /// It holds characters that cannot be seen, or blanks at its ends or in a row.
    #[error("holds control characters, or blanks at an end or in a row")]
    Characters,
    /// It is the address of something.
    #[error("is a URL; a path is wanted, without `scheme:`")]
    Url,
    /// A name in it cannot be one on every system.
    #[error(
        "holds a name that not every system takes (`< > : \" | ? * \\`, a dot or a blank at its end, or a device such as `CON`)"
    )]
    Name,
    /// It goes up.
    #[error("holds `..`")]
    Parent,
    /// It begins with the sign for a home folder, which only a shell knows.
    #[error("begins with `~`, which is not expanded")]
    Home,
    /// It is no Markdown file.
    #[error("does not end with `.md`")]
    Ending,
    /// It is a folder, or no ordinary file.
    #[error("is not an ordinary file")]
    Directory,
    /// The name belongs to a file that goes with a note.
    #[error("has a name that is kept for files beside a note")]
    Reserved,
    /// It lies outside.
    #[error("lies outside the folders for transcripts")]
    Outside,
    /// It is, or goes through, a link that leads outside or nowhere.
    #[error("goes through a link that leads outside or nowhere")]
    Link,
    /// No folder is allowed, or the folder is none.
    #[error("has no folder that could hold it")]
    NoFolder,
}

impl PathRefused {
    /// The command with which a person allows the folder that was asked for.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        let folder = self.folder.as_ref()?.to_string_lossy();
        let is_plain = folder.chars().all(|c| c.is_alphanumeric() || "/\\:._-+@,".contains(c));
        let word =
            if is_plain { folder.into_owned() } else { format!("'{}'", folder.replace('\'', r"'\''")) };
        Some(format!("turnroom allow {word}"))
    }
}

impl fmt::Display for PathRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.asked, self.why)?;
        if let Some(instead) = &self.instead {
            write!(f, "; use `{}`", instead.display())?;
        }
        match self.command() {
            Some(command) => write!(f, ", or ask a person to run `{command}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PathRefused {}
