//! Puzzles as a person meets them: the list, one puzzle, a question before an act, the form that adds one.

use super::{TOKEN, ada, before, bob, frame, now, owned, task::waiting};
use crate::web::page::view::{
    Answer, Demand, Drawing, GuardCard, Html, Mermaid, Moment, Name, NewPuzzle, NewPuzzlePage, PuzzleForms,
    PuzzleLine, PuzzlePage, PuzzleRow, Puzzles, PuzzlesHere, PuzzlesLink, PuzzlesPage, Question, Sketch,
    SketchState, SketchWay, StateRow, Step, Tone, WayRow, Ways,
};

fn row(name: &str, state: &str) -> PuzzleRow {
    PuzzleRow {
        path: "/puzzles/release".into(),
        name: name.into(),
        state: state.into(),
        since: Moment::lasting(before(400), now()),
        called: vec![bob()],
        is_yours: false,
        pending: 0,
        is_over: false,
    }
}

fn list() -> Puzzles {
    let mine = PuzzleRow { is_yours: true, called: Vec::new(), pending: 1, ..row("Colours", "review") };
    let over = PuzzleRow { is_over: true, called: Vec::new(), ..row("The old one", "done") };
    let rows = vec![row("A release", "draft"), mine, over];
    let older = Some("/puzzles?before=release".into());
    Puzzles { rows, damaged: vec!["lamp".into()], older, is_first: true }
}

pub(in crate::web::page) fn puzzles() -> PuzzlesPage {
    let frame = frame("puzzles", Some("/stream?puzzles=yes"), 1);
    PuzzlesPage { frame, waiting: waiting("one"), puzzles: list() }
}

pub(in crate::web::page) fn no_puzzles() -> PuzzlesPage {
    PuzzlesPage { puzzles: Puzzles { is_first: true, ..Puzzles::default() }, ..puzzles() }
}

pub(super) fn here() -> PuzzlesHere {
    PuzzlesHere { puzzles: list().rows }
}

pub(super) fn link() -> PuzzlesLink {
    PuzzlesLink { count: 3 }
}

fn answer(by: &str, pass: bool) -> Answer {
    Answer {
        by: by.into(),
        pass,
        is_verified: pass,
        reason: (!pass).then(|| Html::of_markdown("a test is *missing*")),
    }
}

fn guard() -> GuardCard {
    GuardCard {
        guard: "g4".into(),
        action: "approve".into(),
        actor: Some(ada()),
        target: "published".into(),
        question: Html::of_markdown("May this go **out**?"),
        asks: vec![Name::person("@user"), bob()],
        answers: vec![answer("@Carol", true)],
        needed: Some(2),
        expires: Some(Moment::left(before(-300), now())),
        is_yours: true,
        has_passed: false,
        reason: "Because".into(),
    }
}

fn forms() -> PuzzleForms {
    let others = GuardCard { guard: "g3".into(), is_yours: false, actor: None, ..guard() };
    let passed =
        GuardCard { guard: "g2".into(), is_yours: false, has_passed: true, asks: Vec::new(), ..guard() };
    PuzzleForms {
        path: "/puzzles/release".into(),
        token: TOKEN.into(),
        version: 4,
        guards: vec![guard(), others, passed],
        actions: owned(&["send back", "approve"]),
        others: vec![("publish".into(), Html::of_line("only @Bob may do `publish` in `review`"))],
        is_over: false,
    }
}

fn step(version: u64, what: &str) -> Step {
    Step {
        version,
        what: what.into(),
        way: Some(("draft".into(), "review".into())),
        through: Vec::new(),
        actor: Some(ada()),
        at: Moment::clock(before(500)),
        outcome: None,
        is_verified: false,
        words: None,
        answers: Vec::new(),
        unguarded: Vec::new(),
        more: None,
    }
}

fn sketch(names: [&str; 3], label: &str) -> Sketch {
    let state = |name: &str| SketchState { name: name.into(), ..SketchState::default() };
    let mut states = names.map(state);
    states[1].is_current = true;
    states[2].is_final = true;
    let way = |from, to| SketchWay { from, to, label: label.into() };
    Sketch { states: states.into(), ways: vec![way(0, 1), way(1, 2), way(1, 0)], first: 0 }
}

fn ways() -> Ways {
    let way = WayRow { name: "approve".into(), target: "published".into(), notes: owned(&["only @Bob"]) };
    let review = StateRow {
        state: "review".into(),
        kind: None,
        description: Some("It is read.".into()),
        document: Some("/puzzles/release/states/review".into()),
        who: owned(&["@Bob"]),
        guards: owned(&["before it is left: only if the actor is @Bob"]),
        ways: vec![way.clone(), way],
    };
    let end = StateRow {
        state: "published".into(),
        kind: Some("end"),
        document: None,
        ways: Vec::new(),
        ..review.clone()
    };
    Ways { states: vec![review, end], is_beside: true }
}

pub(in crate::web::page) fn puzzle() -> PuzzlePage {
    let asked = Step {
        outcome: Some((Tone::Plain, "waits for @user".into())),
        words: Some(Html::of_markdown("May this go **out**?")),
        is_verified: true,
        ..step(2, "approve")
    };
    let moved = Step {
        answers: vec![answer("@user", true), answer("@Bob", false)],
        unguarded: owned(&["the guard of `review`"]),
        more: Some("{ \"tries\": 1 }".into()),
        ..step(3, "approve")
    };
    PuzzlePage {
        frame: frame("release", Some("/stream?puzzle=release"), 1),
        waiting: waiting("one"),
        puzzle: "release".into(),
        name: "A release".into(),
        description: Some(Html::of_markdown("How a text goes *out*.")),
        creator: Some(ada()),
        made: Moment::ago(before(9_000), now()),
        room: Some("release".into()),
        oddities: vec![("config.states.lost".into(), Html::of_line("nothing leads to `lost`"))],
        state: PuzzleLine {
            state: "review".into(),
            description: Some("It is read.".into()),
            document: Some("/puzzles/release/states/review".into()),
            since: Moment::lasting(before(94), now()),
            called: vec![bob()],
            is_yours: true,
            due: Some(Moment::left(before(-300), now())),
            version: 4,
            is_over: false,
        },
        demand: Demand::default(),
        forms: forms(),
        drawing: Drawing::of(&sketch(["draft", "review", "published"], "go")),
        ways: ways(),
        mermaid: Mermaid { text: "stateDiagram-v2\n".into() },
        steps: vec![step(1, "submit"), asked, moved],
        last: 3,
        older: Some("/puzzles/release?since=1".into()),
        newer: None,
    }
}

fn question() -> Question {
    Question {
        path: "/puzzles/release".into(),
        token: TOKEN.into(),
        version: 4,
        action: "approve".into(),
        target: "published".into(),
        words: Html::of_markdown("Have you read **all**?"),
        entered_version: 3,
        demand: "d1".into(),
        said: "[]".into(),
    }
}

/// A large puzzle that has ended, with a question before an act.
pub(in crate::web::page) fn asked() -> PuzzlePage {
    let forms =
        PuzzleForms { guards: Vec::new(), actions: Vec::new(), others: Vec::new(), is_over: true, ..forms() };
    PuzzlePage {
        demand: Demand { question: Some(question()) },
        forms,
        drawing: None,
        ways: Ways { is_beside: false, ..ways() },
        newer: Some("/puzzles/release?since=9".into()),
        ..puzzle()
    }
}

pub(in crate::web::page) fn new_puzzle() -> NewPuzzlePage {
    NewPuzzlePage {
        frame: frame("add a puzzle", Some("/stream?puzzles=yes"), 1),
        waiting: waiting("one"),
        form: NewPuzzle { machine: "{ \"<b>\": 1 }".into(), ..NewPuzzle::default() },
        faults: vec![("config.states".into(), Html::of_line("it is missing"))],
        example: "{}",
    }
}

/// Views of puzzles in which all words are `words`.
pub(super) fn hostile(words: &str) -> Vec<(&'static str, String)> {
    let text = || words.to_owned();
    let all = || vec![text()];
    let name = || Name::agent(words, 0);
    let rows = || vec![PuzzleRow { path: text(), called: vec![name()], ..row(words, words) }];
    let guard = GuardCard {
        guard: text(),
        action: text(),
        actor: Some(name()),
        target: text(),
        question: Html::of_markdown(words),
        asks: vec![name()],
        answers: vec![Answer { by: text(), reason: Some(Html::of_markdown(&text())), ..answer("", true) }],
        reason: text(),
        ..guard()
    };
    let forms = PuzzleForms {
        path: text(),
        guards: vec![guard],
        actions: all(),
        others: vec![(text(), Html::of_line(&text()))],
        ..forms()
    };
    let step = Step {
        way: Some((text(), text())),
        actor: Some(name()),
        outcome: Some((Tone::Bad, text())),
        words: Some(Html::of_markdown(words)),
        answers: vec![Answer { by: text(), reason: Some(Html::of_markdown(&text())), ..answer("", true) }],
        unguarded: all(),
        more: Some(text()),
        ..step(1, words)
    };
    let question = Question {
        path: text(),
        action: text(),
        target: text(),
        words: Html::of_markdown(words),
        demand: text(),
        said: text(),
        ..question()
    };
    let way = WayRow { name: text(), target: text(), notes: all() };
    let state = StateRow {
        state: text(),
        kind: None,
        description: Some(text()),
        document: Some(text()),
        who: all(),
        guards: all(),
        ways: vec![way],
    };
    let line =
        PuzzleLine { state: text(), description: Some(text()), called: vec![name()], ..puzzle().state };
    let page =
        PuzzlePage { puzzle: text(), name: text(), creator: Some(name()), room: Some(text()), ..puzzle() };
    let form = NewPuzzle { machine: text(), name: text(), room: text(), request_id: text() };
    let new = NewPuzzlePage { form, faults: vec![(text(), Html::of_line(&text()))], ..new_puzzle() };
    vec![
        (
            "puzzles",
            Puzzles { rows: rows(), damaged: vec![text()], older: Some(text()), is_first: true }.to_string(),
        ),
        ("puzzles here", PuzzlesHere { puzzles: rows() }.to_string()),
        ("puzzle forms", forms.to_string()),
        ("puzzle step", step.to_string()),
        ("demand", Demand { question: Some(question) }.to_string()),
        ("ways", Ways { states: vec![state], is_beside: false }.to_string()),
        ("mermaid", Mermaid { text: text() }.to_string()),
        ("puzzle line", line.to_string()),
        ("puzzle", page.to_string()),
        ("new puzzle", new.to_string()),
        ("drawing", Drawing::of(&sketch([words; 3], words)).expect("it is small").to_string()),
    ]
}
