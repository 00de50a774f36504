//! Views as a person meets them, for tests and for looking at the page.

mod hostile;
mod puzzle;
mod room;
mod task;

use chrono::{DateTime, TimeDelta, TimeZone, Utc};

pub(super) use hostile::hostile;
pub(super) use puzzle::{asked, new_puzzle, no_puzzles, puzzle, puzzles};
pub(super) use room::{closed, gathering, paused, room};
pub(super) use task::{approved, board, new_task, no_tasks, over, task, working};

use super::started;
use super::view::{
    Elsewhere, EnterPage, Frame, Hit, HomePage, Html, Inbox, Item, Moment, Name, NewRoom, NewRoomPage,
    Problem, ProblemPage, Remedy, RoomRow, Rooms, Search, SearchPage, Stage, StartedPage, Unverified, Want,
};

const TOKEN: &str = "form-token";

fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 12, 1, 14, 32, 5).single().expect("a time")
}

fn before(seconds: i64) -> DateTime<Utc> {
    now() - TimeDelta::seconds(seconds)
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn ada() -> Name {
    Name::agent("@Ada", 0)
}

fn bob() -> Name {
    Name::agent("@Bob", 1)
}

pub(super) fn frame(title: &str, stream: Option<&str>, waiting: usize) -> Frame {
    Frame {
        title: title.into(),
        token: TOKEN.into(),
        stream: stream.map(str::to_owned),
        waiting,
        problem: None,
    }
}

fn item(room: &str, id: &str, title: &str, seconds: i64, want: Want) -> Item {
    Item {
        id: format!("{room}/{id}"),
        room: room.into(),
        topic: "How sessions are stored".into(),
        to: "@user".into(),
        since: Moment::ago(before(seconds), now()),
        title: title.into(),
        command: format!("turnroom answer 12 --room {room}"),
        want,
        is_of_room: false,
        token: TOKEN.into(),
    }
}

/// One thing of each kind.
pub(super) fn inbox() -> Inbox {
    let question = Want::Question {
        seq: 12,
        asker: ada(),
        words: Html::of_markdown(
            "@user Two ways are left:\n\n1. **SQLite**, one file, no server\n2. `postgres`, if several machines write\n\n\
             Which one do you want? I lean to the first.",
        ),
        is_cut: false,
        choices: owned(&["SQLite", "Postgres", "Ask me tomorrow"]),
        is_private: false,
    };
    let stuck =
        Want::Stuck { waiting: owned(&["@Ada", "@Bob"]), remedy: Some(Remedy::Say(owned(&["@Ada"]))) };
    let paused = "The agents have talked for 40 turns without a person.".to_owned();
    let items = vec![
        item("design", "question/12/@user", "@Ada asks in design", 94, question),
        item("review", "paused/40", "review is paused", 300, Want::Paused { reason: paused }),
        item(
            "tests",
            "barrier/3",
            "tests waits for @Carol",
            700,
            Want::Barrier { missing: owned(&["@Carol"]) },
        ),
        item("port", "stuck/17", "Nobody can go on in port", 1_500, stuck),
        item(
            "docs",
            "undelivered/@Bob",
            "@Bob has not read a message in docs",
            7_200,
            Want::Undelivered { handle: "@Bob".into() },
        ),
        item(
            "parser",
            "task/parser/decision/1",
            "task parser waits for your decision",
            94,
            Want::Decision {
                task: "parser".into(),
                version: 4,
                sentence: "The parser.".into(),
                is_at_gate: true,
                is_approved: false,
            },
        ),
        item(
            "parser",
            "task/parser/attention/1",
            "task parser needs a look",
            94,
            Want::Attention {
                task: "parser".into(),
                version: 4,
                warnings: owned(&["Record 4: it does not fit"]),
            },
        ),
        item(
            "parser",
            "task/parser/task_turn/1",
            "it is the turn of @Bob (executor) in task parser",
            40,
            Want::Turn {
                task: "parser".into(),
                words: owned(&["@Bob is not here."]),
                start: Some(task::start(false)),
            },
        ),
        item(
            "legal",
            "note",
            "legal cannot write its transcript",
            90_000,
            Want::NoteUnwritten { problem: "permission denied: /notes/legal.md".into() },
        ),
        settings(),
    ];
    Inbox { items, ..Inbox::default() }
}

/// What is of no room.
fn settings() -> Item {
    let want = Want::Told { sentence: "/home/config.toml, line 3: `tasks.mode` must be \"auto\".".into() };
    item("", "settings/1", "your settings have a fault", 90_000, want)
}

/// The question of `design` on the page of its room.
pub(super) fn room_inbox() -> Inbox {
    let items = inbox().items.into_iter().take(1).map(|item| Item { is_of_room: true, ..item }).collect();
    let elsewhere = inbox().items.into_iter().skip(1).take(2);
    let elsewhere =
        elsewhere.map(|item| Elsewhere { id: item.id, room: item.room, title: item.title }).collect();
    Inbox { items, elsewhere, is_of_room: true, ..Inbox::default() }
}

/// Fifteen more than are shown.
pub(super) fn cut_inbox() -> Inbox {
    Inbox { more: 5, more_elsewhere: 10, ..room_inbox() }
}

fn row(room: &str, topic: &str, stage: Stage, floor: Option<&str>, waiting: usize, seconds: i64) -> RoomRow {
    RoomRow {
        room: room.into(),
        topic: topic.into(),
        stage,
        floor: floor.map(|handle| (handle.to_owned(), Moment::lasting(before(seconds), now()))),
        last_seq: u64::try_from(waiting * 3).expect("small"),
        waiting,
        messages: 48,
        last: Moment::ago(before(seconds), now()),
    }
}

pub(super) fn rooms() -> Rooms {
    let rows = vec![
        row("design", "How sessions are stored", Stage::Open, Some("@Ada"), 1, 12),
        row(
            "review",
            "Review of the parser, with every finding proved by a test",
            Stage::Paused,
            None,
            1,
            300,
        ),
        row("tests", "", Stage::Gathering, None, 0, 700),
        row("old", "Names of the commands", Stage::Closed, None, 0, 400_000),
    ];
    Rooms { rows, more: 3, is_first: true }
}

pub(super) fn home() -> HomePage {
    HomePage {
        frame: frame("", Some("/stream"), 6),
        inbox: inbox(),
        unverified: Unverified::default(),
        rooms: rooms(),
        tasks: task::link(),
        puzzles: puzzle::link(),
    }
}

pub(super) fn search(hits: Option<Vec<Hit>>) -> SearchPage {
    let search = Search {
        words: "one file".into(),
        room: "design".into(),
        rooms: owned(&["design", "review"]),
        ..Search::default()
    };
    SearchPage { frame: frame("search", Some("/stream"), 0), search, hits, has_more: true }
}

pub(super) fn hits() -> Vec<Hit> {
    let hit = |seq, sender, words: &str, is_private| Hit {
        room: "design".into(),
        seq,
        sender,
        at: Moment::ago(before(2_400), now()),
        words: Html::of_markdown(words),
        is_private,
    };
    vec![
        hit(7, Name::person("@user"), "@Ada @Bob no server, please. Keep it to **one file**.", false),
        hit(9, ada(), "@Bob is *one file* enough?", true),
    ]
}

pub(super) fn new_room() -> NewRoomPage {
    NewRoomPage {
        frame: frame("start a room", Some("/stream"), 0),
        folder: "/home/me/transcripts".into(),
        form: NewRoom { topic: "\"Quoted\" & <b>".into(), ..NewRoom::default() },
    }
}

pub(super) fn started() -> StartedPage {
    StartedPage {
        frame: frame("design", Some("/stream"), 0),
        room: "design".into(),
        topic: "How sessions are stored".into(),
        file: "/home/me/transcripts/design.md".into(),
        prompts: vec![
            started::prompt("design", "@Ada", None),
            started::prompt("design", "@Bob", Some("bob-key-of-this-room")),
        ],
        snippets: started::snippets(),
    }
}

pub(super) fn refused() -> ProblemPage {
    let problem = Problem {
        message: "there is no room `desing`".into(),
        allowed: owned(&["design", "review"]),
        next: "Look at all rooms.".into(),
    };
    ProblemPage { frame: frame("No such room", None, 0), problem, back: "/".into() }
}

pub(super) fn enter(is_stale: bool) -> EnterPage {
    EnterPage { frame: Frame { title: "enter".into(), ..Frame::default() }, is_stale }
}

/// A room in which everybody waits.
pub(super) fn stuck(remedy: Remedy) -> Item {
    let want = Want::Stuck { waiting: owned(&["@Ada", "@Bob"]), remedy: Some(remedy) };
    item("port", "stuck/17", "Nobody can go on in port", 1_500, want)
}
