//! What the page shows: plain values that somebody else fills, and the templates that make HTML of them.
//!
//! Nothing here knows the hub, and nothing reads a clock. All text is escaped by the templates; only [`Html`] and
//! other views pass unescaped. `templates/` has one file per view, under the name of the view.

mod agent;
mod commit;
mod document;
mod drawing;
mod entry;
mod forms;
mod home;
mod inbox;
mod name;
mod pages;
mod puzzle;
mod room;
mod task;
mod time;

pub(in crate::web) use agent::StartAgent;
pub(in crate::web) use commit::{CommitPage, diff_lines};
pub(in crate::web) use document::{DocumentPage, Text};
pub(in crate::web) use drawing::{Drawing, Sketch, SketchState, SketchWay};
pub(in crate::web) use entry::{Entry, Message, Notice, Trust};
pub(in crate::web) use forms::{NewRoom, NewRoomPage, Prompt, Snippet, StartedPage};
pub(in crate::web) use home::{HomePage, RoomRow, Rooms};
pub(in crate::web) use inbox::{Elsewhere, Inbox, Item, Remedy, Want};
pub(in crate::web) use name::{LOOKS, Name};
pub(in crate::web) use pages::{EnterPage, Frame, Hit, Problem, ProblemPage, Search, SearchPage};
pub(in crate::web) use puzzle::{
    Answer, Demand, GuardCard, Mermaid, NewPuzzle, NewPuzzlePage, PuzzleForms, PuzzleLine, PuzzlePage,
    PuzzleRow, Puzzles, PuzzlesHere, PuzzlesLink, PuzzlesPage, Question, StateRow, Step, WayRow, Ways,
};
pub(in crate::web) use room::{
    Addressees, Closed, Composer, Controls, Floor, Hint, People, Person, ReplyTo, RoomPage, Stage, Status,
    Unverified,
};
pub(in crate::web) use task::{
    Board, BoardPage, Column, NewTask, NewTaskPage, OverPage, Record, TaskCard, TaskForms, TaskLine,
    TaskPage, TasksHere, TasksLink, Tone, Turn, Waiting,
};
pub(in crate::web) use time::Moment;

use std::fmt;

use askama::filters::{self, HtmlSafe};

/// HTML that is known to be harmless: it was made by us from the words of a participant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::web) struct Html(String);

impl Html {
    /// The words of a participant, which are Markdown.
    pub(in crate::web) fn of_markdown(content: &str) -> Self {
        Self(crate::transcript::html(content))
    }

    /// A line of ours, in which names stand between backticks.
    pub(in crate::web) fn of_line(line: &str) -> Self {
        let parts: Vec<&str> = line.split('`').collect();
        let last = parts.len() - 1;
        let shown = parts.into_iter().enumerate().map(|(number, part)| {
            let Ok(words) = filters::escape(part, filters::Html);
            match (number % 2 == 1, number == last) {
                (false, _) => words.to_string(),
                (true, false) => format!("<code>{words}</code>"),
                // It has no other one.
                (true, true) => format!("`{words}"),
            }
        });
        Self(shown.collect())
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}

/// Views that stand in other views.
macro_rules! stand_in_views {
    ($($view:ty),* $(,)?) => { $(impl HtmlSafe for $view {})* };
}

stand_in_views!(
    Addressees,
    Board,
    Composer,
    Controls,
    Demand,
    Drawing,
    Entry,
    Hint,
    Inbox,
    Item,
    Mermaid,
    Moment,
    Name,
    People,
    Problem,
    PuzzleForms,
    PuzzleLine,
    Puzzles,
    PuzzlesHere,
    PuzzlesLink,
    Record,
    Rooms,
    StartAgent,
    Status,
    Step,
    TaskForms,
    TaskLine,
    TasksHere,
    TasksLink,
    Waiting,
    Ways,
    Unverified,
);
