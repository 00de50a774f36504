//! What makes no sense is refused before anything is taken or made.

use std::path::PathBuf;

use super::ServeOptions;
use crate::paths;

/// A message is escaped on its way, and the whole request has a limit of its own; twice as long it always fits.
const MOST_BYTES: usize = 4 << 20;

/// An option makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum BadOption {
    /// No note could lie there.
    #[error("`--transcripts {}` is no folder; name a folder, or a path at which one can be made", .0.display())]
    NoFolder(PathBuf),
    /// A message could not get through.
    #[error(
        "a message may have 1 to {MOST_BYTES} bytes, not {0}; correct `--max-message`, or `message_bytes` in [limits] of \
         config.toml"
    )]
    MessageBytes(usize),
}

/// Looks at the options.
pub(super) fn check(options: &ServeOptions) -> Result<(), BadOption> {
    if let Some(other) = options.transcripts.iter().find(|folder| !paths::may_be_folder(folder)) {
        return Err(BadOption::NoFolder(other.clone()));
    }
    let bytes = options.config.limits.message_bytes.get();
    if bytes > MOST_BYTES { Err(BadOption::MessageBytes(bytes)) } else { Ok(()) }
}
