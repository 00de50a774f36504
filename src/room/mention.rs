//! Whom does a message address? The one parser of `@Name`, for every path by which a message comes in.
//!
//! Three steps: [`prose`] leaves out what only shows a name (code, markup, link targets, quotes), one regex
//! finds what is written like a mention, and [`name`] finds out who is meant.

mod html;
mod name;
mod nesting;
mod pieces;
mod prose;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::handle::fold;
use super::{Handle, InvalidHandle, Names};
use name::Meant;

/// Unknown names are a hint for the sender; more of them help nobody.
const MAX_UNKNOWN: usize = 20;

/// Whom a text addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Canonical, each once, in the order of first mention. The sender may be among them.
    pub handles: Vec<Handle>,
    /// Whether `@all` stands in it.
    pub has_all: bool,
    /// Names that nobody has: as written, with `@`, each once, at most 20.
    pub unknown: Vec<String>,
}

/// Finds whom `text` addresses.
///
/// It takes time linear in the length of `text`, whatever stands in it. A text with so many containers in
/// each other that the Markdown parser would take more (thousands of levels over thousands of lines)
/// addresses nobody.
#[must_use]
pub fn mentions(text: &str, names: &Names) -> Mentions {
    let said = prose::prose(text);
    let mut search = Search::default();
    for run in name::written(&said) {
        search.take(run, names);
    }
    search.found
}

/// What was found so far.
#[derive(Default)]
struct Search<'a> {
    found: Mentions,
    handles: HashSet<&'a Handle>,
    /// Folded, without `@`.
    unknown: HashSet<String>,
}

impl<'a> Search<'a> {
    fn take(&mut self, run: &str, names: &'a Names) {
        let key = fold(run);
        match name::meant(&key, names) {
            Some(Meant::All) => self.found.has_all = true,
            Some(Meant::One(handle)) => {
                if self.handles.insert(handle) {
                    self.found.handles.push(handle.clone());
                }
            }
            None => self.take_unknown(run, &key),
        }
    }

    fn take_unknown(&mut self, run: &str, key: &str) {
        if self.found.unknown.len() == MAX_UNKNOWN {
            return;
        }
        let name = format!("@{}", name::without_punctuation(run));
        // A reserved name is well-formed, and nobody has it.
        let is_well_formed = !matches!(Handle::parse(&name), Err(InvalidHandle::Malformed(_)));
        if is_well_formed && self.unknown.insert(name::without_punctuation(key).to_owned()) {
            self.found.unknown.push(name);
        }
    }
}
