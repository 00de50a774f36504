//! Tasks as a person meets them: the board, one task, the form that makes one.

use super::{TOKEN, ada, before, bob, frame, now, owned};
use crate::web::page::view::{
    Board, BoardPage, Column, Html, Moment, Name, NewTask, NewTaskPage, OverPage, Record, StartAgent,
    TaskCard, TaskForms, TaskLine, TaskPage, TasksHere, TasksLink, Tone, Turn, Waiting,
};

pub(super) fn waiting(words: &str) -> Waiting {
    Waiting { items: vec![(words.into(), words.into())] }
}

fn card(title: &str, turn: Turn) -> TaskCard {
    TaskCard {
        task: "parser".into(),
        title: title.into(),
        turn,
        status: "reviewing",
        since: Moment::lasting(before(400), now()),
        needs_attention: false,
        is_proposed: false,
        version: 3,
        start: None,
    }
}

pub(super) fn start(is_again: bool) -> StartAgent {
    StartAgent { task: "parser".into(), token: TOKEN.into(), is_again }
}

pub(in crate::web::page) fn board() -> BoardPage {
    let mine = TaskCard { task: "colours".into(), needs_attention: true, ..card("Colours", Turn::You) };
    let columns = vec![
        Column { id: "designing", status: "designing", tasks: Vec::new() },
        Column {
            id: "reviewing",
            status: "reviewing",
            tasks: vec![
                TaskCard { start: Some(start(false)), ..card("The parser", Turn::Agent(bob(), "reviewer")) },
                mine,
            ],
        },
    ];
    let board = Board { columns, has_more: true, has_project: true };
    BoardPage { frame: frame("tasks", Some("/stream?board=yes"), 1), waiting: waiting("one"), board }
}

pub(in crate::web::page) fn no_tasks() -> BoardPage {
    BoardPage { board: Board::default(), ..board() }
}

pub(in crate::web::page) fn over() -> OverPage {
    OverPage {
        frame: frame("closed tasks", Some("/stream?board=yes"), 1),
        waiting: waiting("one"),
        tasks: vec![card("The parser", Turn::Nobody)],
        more: Some("/tasks?closed=yes&after=parser".into()),
    }
}

fn record(version: u64, kind: &str, agent: Option<Name>, summary: &str) -> Record {
    Record {
        version,
        kind: kind.into(),
        agent,
        role: "executor".into(),
        model: None,
        at: Moment::clock(before(500)),
        summary: summary.into(),
        words: Some(Html::of_markdown("What was **done**, and <b>why</b>.")),
        markdown: "What was **done**, and <b>why</b>.".into(),
        outcome: None,
        verified_by: None,
        is_proposed: false,
        is_unverified: false,
        about: None,
        commits: Vec::new(),
        more: None,
        warnings: Vec::new(),
    }
}

fn forms() -> TaskForms {
    TaskForms {
        task: "parser".into(),
        token: TOKEN.into(),
        key: "pending_approval".to_owned(),
        version: 4,
        warnings: vec![(4, "this record does not fit")],
        agent: None,
        proposed: vec![("@Ada proposes to approve".into(), 3)],
        can_decide: true,
        can_close: true,
        is_approved: false,
        reason: "Because".into(),
    }
}

pub(in crate::web::page) fn task() -> TaskPage {
    let changes = Record {
        commits: vec![("3f9c2ab".to_owned(), Some("/tasks/parser/commits/3f9c2ab".to_owned()))],
        model: Some("a model".into()),
        ..record(1, "Code changes", Some(bob()), "The parser")
    };
    let review = Record {
        outcome: Some((Tone::Bad, "the code has to be mended".into())),
        about: Some(1),
        ..record(2, "Review", Some(ada()), "A test is missing")
    };
    let proposal = Record {
        outcome: Some((Tone::Plain, "proposes to approve".into())),
        is_proposed: true,
        ..record(3, "Decision", None, "Good")
    };
    let decision = Record {
        outcome: Some((Tone::Good, "approved".into())),
        verified_by: Some("@user".into()),
        words: None,
        more: Some("{ \"ticket\": 7 }".into()),
        warnings: vec!["this record does not fit"],
        ..record(4, "Decision", Some(Name::person("@user")), "Good")
    };
    TaskPage {
        frame: frame("parser", Some("/stream?task=parser"), 1),
        waiting: waiting("one"),
        task: "parser".into(),
        title: "The parser".into(),
        description: Html::of_markdown("Write *it*."),
        creator: "@user".into(),
        flow: Some("A design exists."),
        gate: "Only a person decides.",
        made: Moment::ago(before(9_000), now()),
        room: Some("parser".into()),
        can_join: true,
        state: TaskLine {
            status: Some("pending approval"),
            since: Moment::lasting(before(94), now()),
            turn: Turn::You,
            wanted: Some("to approve or reject it".into()),
            told: None,
            version: 4,
            needs_attention: true,
        },
        forms: forms(),
        cast: vec![("executor", bob()), ("reviewer", ada())],
        records: vec![changes, review, proposal, decision],
        last: 4,
        older: Some("/tasks/parser?since=1".into()),
        newer: None,
    }
}

pub(in crate::web::page) fn approved() -> TaskPage {
    let forms = TaskForms { can_decide: false, is_approved: true, ..forms() };
    TaskPage { forms, records: Vec::new(), newer: Some("/tasks/parser?since=9".into()), ..task() }
}

pub(in crate::web::page) fn working() -> TaskPage {
    let agent = Some((owned(&["@Bob is not here."]), start(true)));
    let forms = TaskForms { can_decide: false, warnings: Vec::new(), proposed: Vec::new(), agent, ..forms() };
    let told = Some(("blocked: which port?".into(), Moment::ago(before(180), now())));
    let state = TaskLine { turn: Turn::Agent(bob(), "executor"), wanted: None, told, ..task().state };
    TaskPage { state, forms, ..task() }
}

pub(in crate::web::page) fn new_task() -> NewTaskPage {
    let form = NewTask { title: "\"Quoted\" & <b>".into(), ..NewTask::default() };
    NewTaskPage { frame: frame("start a task", Some("/stream?board=yes"), 1), waiting: waiting("one"), form }
}

pub(super) fn here() -> TasksHere {
    TasksHere { tasks: vec![card("The parser", Turn::Agent(bob(), "reviewer")), card("Colours", Turn::You)] }
}

pub(super) fn link() -> TasksLink {
    TasksLink { open: 3 }
}

/// Views of tasks in which all words are `words`.
pub(super) fn hostile(words: &str) -> Vec<(&'static str, String)> {
    let text = || words.to_owned();
    let name = || Name::agent(words, 0);
    let record = Record {
        kind: text(),
        role: text(),
        model: Some(text()),
        words: Some(Html::of_markdown(words)),
        markdown: text(),
        outcome: Some((Tone::Plain, text())),
        verified_by: Some(text()),
        commits: vec![(text(), None)],
        more: Some(text()),
        ..record(1, words, Some(name()), words)
    };
    let turn = || Turn::Agent(name(), "executor");
    let start = || StartAgent { task: text(), ..start(false) };
    let cards = || vec![TaskCard { task: text(), start: Some(start()), ..card(words, turn()) }];
    let column = Column { id: "designing", status: "designing", tasks: cards() };
    let agent = Some((vec![text()], start()));
    let forms = TaskForms { task: text(), proposed: vec![(text(), 1)], reason: text(), agent, ..forms() };
    let told = Some((text(), Moment::ago(before(94), now())));
    let state = TaskLine { turn: turn(), wanted: Some(text()), told, ..task().state };
    let page = TaskPage {
        title: text(),
        description: Html::of_markdown(words),
        creator: text(),
        room: Some(text()),
        cast: vec![("executor", name())],
        ..task()
    };
    let form = NewTask {
        title: text(),
        description: text(),
        flow: text(),
        cast: [text(), text(), text()],
        gate: text(),
        request_id: text(),
    };
    vec![
        ("record", record.to_string()),
        ("board", Board { columns: vec![column], ..Board::default() }.to_string()),
        ("over", OverPage { tasks: cards(), more: Some(text()), ..over() }.to_string()),
        ("forms", forms.to_string()),
        ("state", state.to_string()),
        ("task", page.to_string()),
        ("here", TasksHere { tasks: cards() }.to_string()),
        ("waiting", waiting(words).to_string()),
        ("new task", NewTaskPage { form, ..new_task() }.to_string()),
    ]
}
