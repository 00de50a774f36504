//! Why a command came to no answer, what a person is told, and the exit code.

use std::io;
use std::path::PathBuf;

use serde_json::Value;

use super::ending::Ending;
use super::show;

/// Why a command came to no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The words do not make a command.
    #[error("{0}")]
    Usage(String),
    /// No hub runs.
    #[error("no hub runs for the data folder `{0}`; start one with `turnroom serve`")]
    NoHub(PathBuf),
    /// A hub is noted down, but does not answer, or went away.
    #[error("the hub for the data folder `{folder}` does not answer; start one with `turnroom serve`")]
    Unreachable {
        /// Its data folder.
        folder: PathBuf,
        /// What went wrong.
        #[source]
        source: reqwest::Error,
    },
    /// The hub refused: its own words, `{code, message, allowed?, next}`.
    #[error("refused")]
    Refused(Value),
    /// The hub answered something that no hub of this version says.
    #[error("the hub answered {status}: {body}; is it of another version? `turnroom stop` ends it")]
    Strange {
        /// The HTTP status.
        status: u16,
        /// What it said.
        body: String,
    },
    /// The answer could not be written.
    #[error("the answer cannot be written")]
    Output(#[from] io::Error),
    /// Anything else, with its causes.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl Failure {
    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => Ending::USAGE,
            Self::NoHub(_) | Self::Unreachable { .. } => Ending::Unreachable.code(),
            // `turnroom read | head` has what it wanted.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Ending::Done.code(),
            Self::Refused(_) | Self::Strange { .. } | Self::Output(_) | Self::Other(_) => {
                Ending::Refused.code()
            }
        }
    }

    /// What to tell a person; nothing when a reader has just closed the pipe.
    pub(super) fn explain(&self) -> Option<String> {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::Refused(error) => Some(show::refusal(error)),
            Self::Unreachable { .. } => {
                // How the connection failed helps nobody who has to start a hub; with -v it is told.
                tracing::info!("{}", show::with_causes(self));
                Some(format!("error: {self}\n"))
            }
            Self::Other(error) => Some(format!("error: {error:#}\n")),
            _ => Some(format!("error: {}\n", show::with_causes(self))),
        }
    }
}
