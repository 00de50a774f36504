//! What is around every page, and the small pages: search, entering, a refusal.

use askama::Template;

use super::{Html, Moment, Name};

/// What is around every page.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct Frame {
    /// What the page is called in a tab.
    pub(in crate::web) title: String,
    /// The token of the forms.
    pub(in crate::web) token: String,
    /// Where the page's events come from: one stream for each page.
    pub(in crate::web) stream: Option<String>,
    /// How many things wait for a person, in all rooms.
    pub(in crate::web) waiting: usize,
    /// What went wrong with the form that was sent before, for a browser without script.
    pub(in crate::web) problem: Option<Problem>,
}

impl Frame {
    /// The title with what waits, as a browser's tab shows it.
    pub(super) fn tab(&self) -> String {
        let name = if self.title.is_empty() { "turnroom" } else { &self.title };
        if self.waiting == 0 { name.to_owned() } else { format!("({}) {name}", self.waiting) }
    }
}

#[expect(clippy::unused_self, reason = "templates call them on a value")]
impl Frame {
    pub(super) fn stylesheet(&self) -> String {
        super::super::assets::STYLE.address()
    }

    pub(super) fn script(&self) -> String {
        super::super::assets::SCRIPT.address()
    }

    pub(super) fn icon(&self) -> String {
        super::super::assets::ICON.address()
    }
}

/// What went wrong, in the words of an error of the hub.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "problem.html")]
pub(in crate::web) struct Problem {
    /// What was wrong.
    pub(in crate::web) message: String,
    /// What would do.
    pub(in crate::web) allowed: Vec<String>,
    /// What to do now.
    pub(in crate::web) next: String,
}

/// A page that says what went wrong: no such room, a refusal, a fault.
#[derive(Clone, Debug, Template)]
#[template(path = "refused.html")]
pub(in crate::web) struct ProblemPage {
    /// What is around it; the title says what went wrong in a few words. No stream.
    pub(in crate::web) frame: Frame,
    /// What went wrong.
    pub(in crate::web) problem: Problem,
    /// Where to go on.
    pub(in crate::web) back: String,
}

/// For a browser that has not been let in: how to get a link.
#[derive(Clone, Debug, Template)]
#[template(path = "enter.html")]
pub(in crate::web) struct EnterPage {
    /// What is around it. No stream, no token.
    pub(in crate::web) frame: Frame,
    /// Whether a link was shown that has been used or is too old.
    pub(in crate::web) is_stale: bool,
}

/// What is searched for.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct Search {
    /// The words.
    pub(in crate::web) words: String,
    /// Only in this room; empty is everywhere.
    pub(in crate::web) room: String,
    /// The rooms there are.
    pub(in crate::web) rooms: Vec<String>,
    /// Only what this participant said; empty is everybody.
    pub(in crate::web) sender: String,
    /// Only on this day, such as `2026-12-01`; empty is always.
    pub(in crate::web) day: String,
}

/// What was found.
#[derive(Clone, Debug, Template)]
#[template(path = "search.html")]
pub(in crate::web) struct SearchPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What was searched for.
    pub(in crate::web) search: Search,
    /// What was found, the best first; nothing was searched for yet.
    pub(in crate::web) hits: Option<Vec<Hit>>,
    /// Whether there is more than is shown.
    pub(in crate::web) has_more: bool,
}

/// One message that was found.
#[derive(Clone, Debug)]
pub(in crate::web) struct Hit {
    /// Its room.
    pub(in crate::web) room: String,
    /// Its number.
    pub(in crate::web) seq: u64,
    /// Who said it.
    pub(in crate::web) sender: Name,
    /// When: [`Moment::ago`].
    pub(in crate::web) at: Moment,
    /// What was said.
    pub(in crate::web) words: Html,
    /// Whether only sender and recipients may read it.
    pub(in crate::web) is_private: bool,
}
