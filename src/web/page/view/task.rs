//! Tasks: the board, one task with its records, and the form that makes one.

use askama::Template;

use super::{Frame, Html, Moment, Name, StartAgent};

/// The link to the board, with how many tasks are on it. Its element is `#tasks-link`.
#[derive(Clone, Copy, Debug, Default, Template)]
#[template(path = "tasks_link.html")]
pub(in crate::web) struct TasksLink {
    /// How many tasks are not over.
    pub(in crate::web) open: usize,
}

/// What waits for a person anywhere, on a page that shows none of it: its number and titles, for the bar and for
/// notices of the browser. Its element is `#inbox`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "waiting.html")]
pub(in crate::web) struct Waiting {
    /// Ids and titles.
    pub(in crate::web) items: Vec<(String, String)>,
}

/// Who has to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) enum Turn {
    /// A person.
    You,
    /// The agent with this role.
    Agent(Name, &'static str),
    /// It is over, or stands nowhere.
    Nobody,
}

/// The board.
#[derive(Clone, Debug, Template)]
#[template(path = "board.html")]
pub(in crate::web) struct BoardPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// The tasks.
    pub(in crate::web) board: Board,
}

/// Tasks in columns. Its element is `#board`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "columns.html")]
pub(in crate::web) struct Board {
    /// One for each state.
    pub(in crate::web) columns: Vec<Column>,
    /// Whether there are more tasks than are shown.
    pub(in crate::web) has_more: bool,
    /// Whether there are notes of the whole project.
    pub(in crate::web) has_project: bool,
}

impl Board {
    fn is_empty(&self) -> bool {
        self.columns.iter().all(|column| column.tasks.is_empty())
    }
}

/// The tasks of one state.
#[derive(Clone, Debug)]
pub(in crate::web) struct Column {
    /// As it is written in records.
    pub(in crate::web) id: &'static str,
    /// For people.
    pub(in crate::web) status: &'static str,
    /// Who has stood here for longest comes first.
    pub(in crate::web) tasks: Vec<TaskCard>,
}

/// One task of a list.
#[derive(Clone, Debug)]
pub(in crate::web) struct TaskCard {
    /// Its id.
    pub(in crate::web) task: String,
    /// What it is called.
    pub(in crate::web) title: String,
    /// Who has to act.
    pub(in crate::web) turn: Turn,
    /// Where it stands, for people.
    pub(in crate::web) status: &'static str,
    /// How long it stands there: [`Moment::lasting`].
    pub(in crate::web) since: Moment,
    /// Whether something did not fit.
    pub(in crate::web) needs_attention: bool,
    /// Whether an agent has proposed a decision.
    pub(in crate::web) is_proposed: bool,
    /// How many records it has.
    pub(in crate::web) version: u64,
    /// What starts its agent, which is not here.
    pub(in crate::web) start: Option<StartAgent>,
}

/// Tasks that are over.
#[derive(Clone, Debug, Template)]
#[template(path = "over.html")]
pub(in crate::web) struct OverPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// The newest first.
    pub(in crate::web) tasks: Vec<TaskCard>,
    /// Where there are more.
    pub(in crate::web) more: Option<String>,
}

/// One task.
#[derive(Clone, Debug, Template)]
#[template(path = "task.html")]
pub(in crate::web) struct TaskPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// Its id.
    pub(in crate::web) task: String,
    /// What it is called.
    pub(in crate::web) title: String,
    /// What is to be done.
    pub(in crate::web) description: Html,
    /// Who wants it.
    pub(in crate::web) creator: String,
    /// Which way it goes, as a sentence; the project goes none.
    pub(in crate::web) flow: Option<&'static str>,
    /// Where decisions may come from, as a sentence.
    pub(in crate::web) gate: &'static str,
    /// When it was made.
    pub(in crate::web) made: Moment,
    /// The room in which its turns are taken.
    pub(in crate::web) room: Option<String>,
    /// Whether agents can still join that room for it.
    pub(in crate::web) can_join: bool,
    /// Where it stands.
    pub(in crate::web) state: TaskLine,
    /// What a person can do.
    pub(in crate::web) forms: TaskForms,
    /// Who plays which part.
    pub(in crate::web) cast: Vec<(&'static str, Name)>,
    /// The newest records, or those that were asked for, in order.
    pub(in crate::web) records: Vec<Record>,
    /// The newest record on this page.
    pub(in crate::web) last: u64,
    /// Where the records before these are.
    pub(in crate::web) older: Option<String>,
    /// Where the records after these are.
    pub(in crate::web) newer: Option<String>,
}

/// Where a task stands. Its element is `#status`.
#[derive(Clone, Debug, Template)]
#[template(path = "task_line.html")]
pub(in crate::web) struct TaskLine {
    /// Where it stands, for people; the project stands nowhere.
    pub(in crate::web) status: Option<&'static str>,
    /// Since when: [`Moment::lasting`].
    pub(in crate::web) since: Moment,
    /// Who has to act.
    pub(in crate::web) turn: Turn,
    /// What for, if it is a person.
    pub(in crate::web) wanted: Option<String>,
    /// What the agent that it waits for has told last, and when: [`Moment::ago`].
    pub(in crate::web) told: Option<(String, Moment)>,
    /// How many records it has.
    pub(in crate::web) version: u64,
    /// Whether something did not fit.
    pub(in crate::web) needs_attention: bool,
}

impl TaskLine {
    /// For the style sheet.
    fn look(&self) -> &'static str {
        match (&self.turn, self.needs_attention) {
            _ if self.status.is_none() => "open",
            (Turn::You, true) => "paused",
            (Turn::You, false) => "gathering",
            (Turn::Agent(..), _) => "open",
            (Turn::Nobody, _) => "closed",
        }
    }

    /// What a screen reader says when it has changed.
    fn sentence(&self) -> String {
        let Some(status) = self.status else { return format!("Record {}", self.version) };
        match &self.turn {
            Turn::You => format!("The task is {status} and waits for you"),
            Turn::Agent(name, role) => format!("The task is {status} and waits for {}, {role}", name.handle),
            Turn::Nobody => format!("The task is {status}"),
        }
    }
}

/// What a person can do with a task. Its element is `#decide`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "task_forms.html")]
pub(in crate::web) struct TaskForms {
    /// Its id.
    pub(in crate::web) task: String,
    /// The token of the forms.
    pub(in crate::web) token: String,
    /// What they depend on beside the version: with another key they are other forms.
    pub(in crate::web) key: String,
    /// The newest record that was shown: a decision is about what was seen.
    pub(in crate::web) version: u64,
    /// What did not fit: of which record, and what is wrong with it.
    pub(in crate::web) warnings: Vec<(u64, &'static str)>,
    /// What is known of its agent, which does not come by itself, and what starts it.
    pub(in crate::web) agent: Option<(Vec<String>, StartAgent)>,
    /// The decisions that were proposed, as sentences, and by which records.
    pub(in crate::web) proposed: Vec<(String, u64)>,
    /// Whether it can be approved or rejected.
    pub(in crate::web) can_decide: bool,
    /// Whether it can be closed.
    pub(in crate::web) can_close: bool,
    /// Whether closing is what it waits for.
    pub(in crate::web) is_approved: bool,
    /// A reason that was not taken, so that it is not lost.
    pub(in crate::web) reason: String,
}

/// One record of a task, as an `<li>`. Its element has its version as id.
#[derive(Clone, Debug, Template)]
#[template(path = "record.html")]
pub(in crate::web) struct Record {
    /// Its version.
    pub(in crate::web) version: u64,
    /// What it is, for people.
    pub(in crate::web) kind: String,
    /// Who wrote it, if that was said.
    pub(in crate::web) agent: Option<Name>,
    /// The part that its writer plays.
    pub(in crate::web) role: String,
    /// The model behind it.
    pub(in crate::web) model: Option<String>,
    /// When: [`Moment::clock`].
    pub(in crate::web) at: Moment,
    /// What it says in a line.
    pub(in crate::web) summary: String,
    /// What it says beside that.
    pub(in crate::web) words: Option<Html>,
    /// The same as it was written, for copying.
    pub(in crate::web) markdown: String,
    /// What it comes to, in words: a verdict, a decision.
    pub(in crate::web) outcome: Option<(Tone, String)>,
    /// Who vouches for it.
    pub(in crate::web) verified_by: Option<String>,
    /// Whether it is only a proposal.
    pub(in crate::web) is_proposed: bool,
    /// Whether it is in the name of a person who does not vouch for it.
    pub(in crate::web) is_unverified: bool,
    /// The record that it is about.
    pub(in crate::web) about: Option<u64>,
    /// Commits that it names, each with its page.
    pub(in crate::web) commits: Vec<(String, Option<String>)>,
    /// More that its writer put into it, as JSON.
    pub(in crate::web) more: Option<String>,
    /// What does not fit.
    pub(in crate::web) warnings: Vec<&'static str>,
}

/// How an outcome looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Tone {
    /// It is good.
    Good,
    /// Something is to be done again.
    Bad,
    /// Neither.
    Plain,
}

impl Tone {
    pub(super) fn look(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Plain => "plain",
        }
    }
}

/// The tasks whose turns are taken in a room, on its page. Its element is `#tasks-here`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "tasks_here.html")]
pub(in crate::web) struct TasksHere {
    /// They.
    pub(in crate::web) tasks: Vec<TaskCard>,
}

/// The form that makes a task.
#[derive(Clone, Debug, Template)]
#[template(path = "new_task.html")]
pub(in crate::web) struct NewTaskPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// What was filled in, when it was refused.
    pub(in crate::web) form: NewTask,
}

/// What is filled in.
#[derive(Clone, Debug)]
pub(in crate::web) struct NewTask {
    /// What it is called.
    pub(in crate::web) title: String,
    /// What is to be done.
    pub(in crate::web) description: String,
    /// `full`, `direct` or `solo`.
    pub(in crate::web) flow: String,
    /// Handles: who designs, implements, reviews.
    pub(in crate::web) cast: [String; 3],
    /// `human` or `open`.
    pub(in crate::web) gate: String,
    /// The same form sent again makes the same task.
    pub(in crate::web) request_id: String,
}
