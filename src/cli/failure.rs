//! Why a command came to no answer, what a person is told, and the exit code.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::ending::Ending;
use super::show;

/// Why a command came to no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The words do not make a command.
    #[error("{0}")]
    Usage(String),
    /// No hub runs.
    #[error("no hub runs for the data folder `{0}`")]
    NoHub(PathBuf),
    /// A hub is noted down, but does not answer, or went away.
    #[error("the hub for the data folder `{folder}` does not answer")]
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
    #[error("the hub answered {status}: {body}; is it of another version?")]
    Strange {
        /// The HTTP status.
        status: u16,
        /// What it said.
        body: String,
    },
    /// What is given to the command cannot be read.
    #[error("{name} cannot be read")]
    Unreadable {
        /// A file, or standard input.
        name: String,
        /// What went wrong.
        #[source]
        source: io::Error,
    },
    /// What is given to the command is more than any hub takes.
    #[error("{name} has more than {mib} MiB, the most that a request may hold")]
    TooLong {
        /// A file, or standard input.
        name: String,
        /// The most.
        mib: u64,
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
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => Ending::USAGE,
            Self::NoHub(_) | Self::Unreachable { .. } => Ending::Unreachable.code(),
            // `turnroom read | head` has what it wanted.
            _ if self.is_read_enough() => Ending::Done.code(),
            _ => Ending::Refused.code(),
        }
    }

    /// What to tell a person; nothing when a reader has just closed the pipe.
    pub(super) fn explain(&self) -> Option<String> {
        Some(match self {
            _ if self.is_read_enough() => return None,
            Self::Refused(error) => show::refusal(error),
            Self::NoHub(_) | Self::Strange { .. } | Self::TooLong { .. } => {
                format!("error: {self}; {}\n", self.next())
            }
            Self::Unreachable { .. } => {
                // How the connection failed helps nobody who has to start a hub; with -v it is told.
                tracing::info!("{}", show::with_causes(self));
                format!("error: {self}; {}\n", self.next())
            }
            Self::Other(error) => format!("error: {error:#}\n"),
            Self::Usage(_) | Self::Unreadable { .. } | Self::Output(_) => {
                format!("error: {}\n", show::with_causes(self))
            }
        })
    }

    /// The same for a program, as the hub would say it; nothing when a reader has just closed the pipe.
    pub(super) fn as_json(&self) -> Option<Value> {
        let message = match self {
            _ if self.is_read_enough() => return None,
            Self::Refused(error) => return Some(json!({ "error": error })),
            Self::Other(error) => format!("{error:#}"),
            Self::Unreachable { .. } => self.to_string(),
            _ => show::with_causes(self),
        };
        Some(json!({ "error": { "code": self.code(), "message": message, "next": self.next() } }))
    }

    /// The code of what the command finds by itself.
    fn code(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage",
            Self::NoHub(_) | Self::Unreachable { .. } => "no_hub",
            Self::Unreadable { .. } => "file_unreadable",
            Self::TooLong { .. } => "limit_reached",
            Self::Strange { .. } => "strange_answer",
            Self::Refused(_) | Self::Output(_) | Self::Other(_) => "command_failed",
        }
    }

    /// What to do about it.
    fn next(&self) -> &'static str {
        match self {
            Self::Usage(_) => "`--help` after the command tells what it takes",
            Self::NoHub(_) | Self::Unreachable { .. } => "start one with `turnroom serve`",
            Self::Unreadable { .. } => "name another file, or see the rights of this one",
            Self::TooLong { .. } => "shorten it, or put long text into a file and name its path",
            Self::Strange { .. } => "`turnroom stop` ends it",
            Self::Refused(_) | Self::Output(_) | Self::Other(_) => {
                "mend what the message names, then try again"
            }
        }
    }

    fn is_read_enough(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_finds_by_itself_has_the_form_of_a_refusal() {
        let source = || io::Error::from(io::ErrorKind::NotFound);
        for (failure, code, exit_code) in [
            (Failure::Usage("no".to_owned()), "usage", 2),
            (Failure::NoHub("/d".into()), "no_hub", 3),
            (Failure::Unreadable { name: "`a`".to_owned(), source: source() }, "file_unreadable", 1),
            (Failure::TooLong { name: "`a`".to_owned(), mib: 8 }, "limit_reached", 1),
            (Failure::Strange { status: 404, body: String::new() }, "strange_answer", 1),
            (Failure::Other(anyhow::anyhow!("no")), "command_failed", 1),
        ] {
            let error = failure.as_json().unwrap()["error"].take();
            assert_eq!((error["code"].as_str(), failure.exit_code()), (Some(code), exit_code));
            assert!(error["message"].is_string() && error["next"].is_string(), "{error}");
            assert!(failure.explain().unwrap().contains(&failure.to_string()));
        }
        let refused = json!({ "code": "not_joined" });
        assert_eq!(Failure::Refused(refused.clone()).as_json(), Some(json!({ "error": refused })));
        assert_eq!(Failure::Output(io::ErrorKind::BrokenPipe.into()).as_json(), None);
    }
}
