//! The tools of conversations: one file per tool, with its arguments and its words.

mod close;
mod init;
mod join;
mod leave;
mod list_conversations;
mod list_participants;
mod pass;
mod read;
mod search;
mod send;
mod wait;

use super::catalogue::Tool;
#[cfg(any(test, fuzzing))]
use super::{Refused, arguments};
#[cfg(any(test, fuzzing))]
use serde_json::{Map, Value};

/// The tools, in the order in which a conversation needs them.
pub(super) static TOOLS: [&Tool; 11] = [
    &init::TOOL,
    &join::TOOL,
    &send::TOOL,
    &wait::TOOL,
    &pass::TOOL,
    &read::TOOL,
    &search::TOOL,
    &list_participants::TOOL,
    &list_conversations::TOOL,
    &leave::TOOL,
    &close::TOOL,
];

/// Reads the arguments of a call, and does nothing else.
#[cfg(any(test, fuzzing))]
pub(super) type Reader = fn(&Tool, Map<String, Value>) -> Result<(), Refused>;

/// In the order of [`TOOLS`].
#[cfg(any(test, fuzzing))]
pub(super) const READERS: [Reader; 11] = [
    |tool, given| arguments::read::<init::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<join::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<send::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<wait::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<pass::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<read::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<search::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<list_participants::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<list_conversations::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<leave::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<close::Args>(tool, given).map(|args| drop(args.request())),
];
