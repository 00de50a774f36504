//! The tools of puzzles: one file per tool, with its arguments and its words.

mod act;
mod add;
mod answer;
mod ask;
mod count;
mod history;
mod list;
mod next;
mod remove;
mod show;
mod snapshot;
mod uri;
mod wait;

use super::catalogue::Tool;
#[cfg(any(test, fuzzing))]
use super::{arguments, room::Reader};
#[cfg(any(test, fuzzing))]
use crate::hub::AtClient;

pub use ask::{Asked, Question, not_taken};
pub(crate) use show::state as puzzle_state;
pub(super) use show::{put_failure, put_refusal};
pub(crate) use uri::{escaped, puzzle_uri, unescaped};

/// The tools, in the order in which a puzzle needs them.
pub(super) static TOOLS: [&Tool; 9] = [
    &add::TOOL,
    &snapshot::TOOL,
    &act::TOOL,
    &wait::TOOL,
    &answer::TOOL,
    &history::TOOL,
    &list::TOOL,
    &count::TOOL,
    &remove::TOOL,
];

/// Whether a call of this tool may have to ask somebody at its client.
pub(crate) fn may_ask(tool: &Tool) -> bool {
    tool.name == act::TOOL.name
}

/// In the order of [`TOOLS`].
#[cfg(any(test, fuzzing))]
pub(super) const READERS: [Reader; 9] = [
    |tool, given| arguments::read::<add::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<snapshot::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<act::Args>(tool, given)?.request(&AtClient::default()).map(drop),
    |tool, given| arguments::read::<wait::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<answer::Args>(tool, given).map(|args| drop(args.request())),
    |tool, given| arguments::read::<history::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<list::Args>(tool, given)?.request().map(drop),
    |tool, given| arguments::read::<count::Args>(tool, given).map(drop),
    |tool, given| arguments::read::<remove::Args>(tool, given).map(drop),
];

#[cfg(test)]
mod tests;
