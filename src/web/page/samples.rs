//! Views as a person meets them, for tests and for looking at the page.

use chrono::{DateTime, TimeDelta, TimeZone, Utc};

use super::started;
use super::view::{
    Closed, Composer, Controls, Elsewhere, EnterPage, Entry, Floor, Frame, Hit, HomePage, Html, Inbox, Item,
    Message, Moment, Name, NewRoom, NewRoomPage, Notice, People, Person, Problem, ProblemPage, Remedy,
    ReplyTo, RoomPage, RoomRow, Rooms, Search, SearchPage, Stage, StartedPage, Status, Trust, Want,
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
            "legal",
            "note",
            "legal cannot write its transcript",
            90_000,
            Want::NoteUnwritten { problem: "permission denied: /notes/legal.md".into() },
        ),
    ];
    Inbox { items, elsewhere: Vec::new(), is_of_room: false }
}

/// The question of `design` on the page of its room.
pub(super) fn room_inbox() -> Inbox {
    let items = inbox().items.into_iter().take(1).map(|item| Item { is_of_room: true, ..item }).collect();
    let elsewhere = inbox().items.into_iter().skip(1).take(2);
    let elsewhere =
        elsewhere.map(|item| Elsewhere { id: item.id, room: item.room, title: item.title }).collect();
    Inbox { items, elsewhere, is_of_room: true }
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
    let rooms = vec![
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
    Rooms { rooms, more: 3 }
}

pub(super) fn home() -> HomePage {
    HomePage { frame: frame("", Some("/stream"), 6), inbox: inbox(), rooms: rooms() }
}

pub(super) fn message(seq: u64, sender: Name, recipients: &[&str], seconds: i64, words: &str) -> Message {
    Message {
        seq,
        sender,
        recipients: owned(recipients),
        at: Moment::clock(before(seconds)),
        words: Html::of_markdown(words),
        markdown: words.into(),
        via: None,
        trust: Trust::Agent,
        is_private: false,
        reply_to: None,
        choices: Vec::new(),
        delivery: None,
    }
}

fn notice(seq: u64, seconds: i64, text: &str) -> Entry {
    Entry::Notice(Notice { seq, at: Moment::clock(before(seconds)), text: text.into() })
}

fn said(message: Message) -> Entry {
    Entry::Message(Box::new(message))
}

const LONG_CODE: &str = "@Ada here is the schema, it holds for both:\n\n```sql\ncreate table session (id text primary key, opened_at integer not null, closed_at integer, owner text not null references person (id) on delete cascade);\n```\n\n| column | kind | why |\n|---|---|---|\n| `id` | text | chosen by the client, so a retry is the same session |\n| `opened_at` | integer | seconds |\n\n- [x] migration\n- [ ] a test that [measures](https://example.org/bench) it\n\n> one writer is enough\n\nA_very_long_word_without_any_break_that_would_push_the_page_to_the_side_if_nothing_stopped_it_from_doing_so_on_a_phone.";

pub(super) fn entries() -> Vec<Entry> {
    let user = Name::person("@user");
    let from_agent = Message {
        via: Some("via MCP".into()),
        trust: Trust::Unverified,
        ..message(6, user.clone(), &["@Ada"], 3_000, "@Ada the deadline is Friday.")
    };
    let verified = Message {
        via: Some("via page".into()),
        trust: Trust::Verified,
        reply_to: Some(5),
        ..message(7, user, &["@Ada", "@Bob"], 2_400, "@Ada @Bob no server, please. Keep it to **one file**.")
    };
    let private = Message {
        is_private: true,
        delivery: Some("queued · @Bob is not listening".into()),
        ..message(
            9,
            ada(),
            &["@Bob"],
            600,
            "@Bob I am not sure that this scales. What do you *really* think?",
        )
    };
    let asks = Message {
        choices: owned(&["SQLite", "Postgres", "Ask me tomorrow"]),
        delivery: Some("waits for @user".into()),
        ..message(
            12,
            ada(),
            &["@user"],
            94,
            "@user Two ways are left:\n\n1. **SQLite**, one file, no server\n2. `postgres`, if several machines write\n\nWhich one do you want? I lean to the first.",
        )
    };
    vec![
        notice(1, 90_000, "@Ada joined the conversation"),
        notice(2, 89_000, "@Bob joined the conversation"),
        said(message(
            3,
            ada(),
            &["@Bob"],
            88_000,
            "@Bob let us settle where sessions are kept. What do you need from it?",
        )),
        said(Message { reply_to: Some(3), ..message(5, bob(), &["@Ada"], 3_600, LONG_CODE) }),
        said(from_agent),
        said(verified),
        notice(8, 1_800, "@Bob passed the turn to @Ada"),
        said(private),
        said(Message {
            delivery: Some("read by @Ada".into()),
            ..message(
                10,
                bob(),
                &["@Ada"],
                300,
                "@Ada <script>alert(1)</script> stays text, and so does ![a picture](https://example.org/a.png).",
            )
        }),
        said(asks),
    ]
}

fn status() -> Status {
    Status {
        stage: Stage::Open,
        floor: Some(Floor {
            name: ada(),
            since: Moment::lasting(before(94), now()),
            lease: Some(Moment::left(now() + TimeDelta::seconds(806), now())),
        }),
        queue: owned(&["@Bob", "@Carol"]),
        missing: Vec::new(),
        paused: None,
    }
}

fn people() -> People {
    let person = |name, state: &str, seconds: i64, unread| Person {
        name,
        full_name: None,
        state: state.into(),
        since: Some(Moment::lasting(before(seconds), now())),
        unread,
        has_floor: false,
    };
    let people = vec![
        Person { has_floor: true, ..person(ada(), "working", 12, 0) },
        person(bob(), "listening", 94, 0),
        Person {
            full_name: Some("Carol of the tests".into()),
            ..person(Name::agent("@Carol", 2), "away", 2_000, 4)
        },
        Person { since: None, ..person(Name::person("@user"), "you", 0, 0) },
    ];
    People { people }
}

fn controls() -> Controls {
    Controls {
        room: "design".into(),
        token: TOKEN.into(),
        person: "@user".into(),
        holder: Some("@Ada".into()),
        give_to: owned(&["@Bob"]),
        can_pause: true,
        can_resume: false,
        can_start: false,
        removable: owned(&["@Ada", "@Bob", "@Carol"]),
        can_close: true,
    }
}

fn composer() -> Composer {
    Composer {
        room: "design".into(),
        token: TOKEN.into(),
        speakers: owned(&["@user"]),
        addressees: owned(&["@Ada", "@Bob", "@Carol"]),
        reply_to: None,
        hint: "@Ada keeps the floor; those you name join the queue.".into(),
        draft: String::new(),
    }
}

pub(super) fn room() -> RoomPage {
    RoomPage {
        frame: frame("design", Some("/stream?room=design"), 3),
        room: "design".into(),
        topic: "How sessions are stored".into(),
        file: "/home/me/transcripts/design.md".into(),
        status: status(),
        inbox: room_inbox(),
        people: people(),
        controls: controls(),
        entries: entries(),
        older: Some("/rooms/design?before=1".into()),
        newer: None,
        composer: Some(composer()),
        closed: None,
    }
}

pub(super) fn paused() -> RoomPage {
    let reason = "The agents have talked for 40 turns without a person.".to_owned();
    let status = Status { stage: Stage::Paused, floor: None, paused: Some(reason), ..status() };
    let controls = Controls { can_pause: false, can_resume: true, holder: None, ..controls() };
    let reply_to = Some(ReplyTo { seq: 12, sender: "@Ada".into() });
    let composer = Composer {
        speakers: owned(&["@user", "@Dora"]),
        reply_to,
        draft: "Postgres, because".into(),
        ..composer()
    };
    let problem = Problem {
        message: "`@Carla` is nobody of this room".into(),
        allowed: owned(&["@Ada", "@Bob", "@Carol"]),
        next: "Name one of them, or choose one beside To.".into(),
    };
    let frame = Frame { problem: Some(problem), ..frame("design", Some("/stream?room=design"), 3) };
    RoomPage { frame, status, controls, composer: Some(composer), ..room() }
}

pub(super) fn gathering() -> RoomPage {
    let status = Status {
        stage: Stage::Gathering,
        floor: None,
        queue: Vec::new(),
        missing: owned(&["@Bob", "@Carol"]),
        paused: None,
    };
    let inbox = Inbox { is_of_room: true, ..Inbox::default() };
    let controls =
        Controls { can_start: true, can_pause: false, holder: None, give_to: Vec::new(), ..controls() };
    RoomPage { status, inbox, controls, entries: Vec::new(), older: None, ..room() }
}

pub(super) fn closed() -> RoomPage {
    let status = Status { stage: Stage::Closed, floor: None, queue: Vec::new(), ..status() };
    let closed = Closed {
        by: Some("@user".into()),
        at: Moment::ago(before(60), now()),
        summary: Some(Html::of_markdown(
            "Sessions go into **one SQLite file**.\n\n- open: how old ones are thrown away",
        )),
        messages: 9,
    };
    let inbox = Inbox { is_of_room: true, ..Inbox::default() };
    let controls = Controls { room: "design".into(), ..Controls::default() };
    RoomPage { status, inbox, controls, composer: None, closed: Some(closed), ..room() }
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

/// Views in which all words are `words`.
pub(super) fn hostile(words: &str) -> Vec<(&'static str, String)> {
    let text = || words.to_owned();
    let said = Message {
        via: Some(text()),
        choices: vec![text()],
        delivery: Some(text()),
        ..message(1, Name::agent(words, 0), &[words], 0, words)
    };
    let question = Want::Question {
        seq: 1,
        asker: Name::person(words),
        words: Html::of_markdown(words),
        choices: vec![text()],
        is_private: true,
    };
    let asks = Item { topic: text(), to: text(), command: text(), ..item(words, words, words, 1, question) };
    let composer = Composer {
        room: text(),
        speakers: vec![text(), text()],
        addressees: vec![text()],
        hint: text(),
        draft: text(),
        reply_to: Some(ReplyTo { seq: 1, sender: text() }),
        ..Composer::default()
    };
    let status =
        Status { queue: vec![text()], missing: vec![text()], paused: Some(text()), ..paused().status };
    let room = RoomPage {
        frame: frame(words, Some(words), 1),
        room: text(),
        topic: text(),
        file: text(),
        ..closed()
    };
    let form = NewRoom { topic: text(), participants: text(), filepath: text(), ..NewRoom::default() };
    vec![
        ("message", self::said(said).to_string()),
        ("notice", notice(1, 0, words).to_string()),
        ("question", asks.to_string()),
        ("composer", composer.to_string()),
        ("status", status.to_string()),
        (
            "rooms",
            Rooms { rooms: vec![row(words, words, Stage::Open, Some(words), 1, 1)], more: 0 }.to_string(),
        ),
        ("room", room.to_string()),
        ("new", NewRoomPage { form, folder: text(), ..new_room() }.to_string()),
        (
            "started",
            StartedPage {
                room: text(),
                prompts: vec![started::prompt(words, words, Some(words))],
                ..started()
            }
            .to_string(),
        ),
        (
            "search",
            SearchPage {
                search: Search { words: text(), sender: text(), day: text(), ..Search::default() },
                ..search(None)
            }
            .to_string(),
        ),
        ("problem", Problem { message: text(), allowed: vec![text()], next: text() }.to_string()),
    ]
}
