//! A room as a person meets it: open, paused, gathering, closed.

use chrono::TimeDelta;

use super::{TOKEN, ada, before, bob, frame, now, owned, room_inbox};
use crate::web::page::view::{
    Addressees, Closed, Composer, Controls, Entry, Floor, Frame, Hint, Html, Inbox, Message, Moment, Name,
    Notice, People, Person, Problem, ReplyTo, RoomPage, Stage, Status, Trust, Unverified,
};

pub(in crate::web::page) fn message(
    seq: u64,
    sender: Name,
    recipients: &[&str],
    seconds: i64,
    words: &str,
) -> Message {
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

pub(super) fn notice(seq: u64, seconds: i64, text: &str) -> Entry {
    Entry::Notice(Notice { seq, at: Moment::clock(before(seconds)), text: text.into(), link: None })
}

pub(super) fn said(message: Message) -> Entry {
    Entry::Message(Box::new(message))
}

const LONG_CODE: &str = "@Ada here is the schema, it holds for both:\n\n```sql\ncreate table session (id text primary key, opened_at integer not null, closed_at integer, owner text not null references person (id) on delete cascade);\n```\n\n| column | kind | why |\n|---|---|---|\n| `id` | text | chosen by the client, so a retry is the same session |\n| `opened_at` | integer | seconds |\n\n- [x] migration\n- [ ] a test that [measures](https://example.org/bench) it\n\n> one writer is enough\n\nA_very_long_word_without_any_break_that_would_push_the_page_to_the_side_if_nothing_stopped_it_from_doing_so_on_a_phone.";

pub(in crate::web::page) fn entries() -> Vec<Entry> {
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
    let moved = Entry::Notice(Notice {
        seq: 11,
        at: Moment::clock(before(120)),
        text: "Task `parser`, record 3: `review`".into(),
        link: Some("/tasks/parser?at=3#3".into()),
    });
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
        moved,
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
        addressees: Addressees { handles: owned(&["@Ada", "@Bob", "@Carol"]) },
        reply_to: None,
        hint: Hint { sentence: "@Ada keeps the floor; those you name join the queue.".into() },
        unverified: Unverified::default(),
        request_id: "one-request".into(),
        draft: String::new(),
    }
}

pub(in crate::web::page) fn room() -> RoomPage {
    RoomPage {
        frame: frame("design", Some("/stream?room=design"), 3),
        room: "design".into(),
        topic: "How sessions are stored".into(),
        file: "/home/me/transcripts/design.md".into(),
        status: status(),
        tasks: super::task::here(),
        puzzles: super::puzzle::here(),
        inbox: room_inbox(),
        people: people(),
        controls: controls(),
        entries: entries(),
        older: Some("/rooms/design?before=1".into()),
        last_seq: 12,
        newer: None,
        composer: Some(composer()),
        closed: None,
        unsaid: None,
    }
}

pub(in crate::web::page) fn paused() -> RoomPage {
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

pub(in crate::web::page) fn gathering() -> RoomPage {
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

pub(in crate::web::page) fn closed() -> RoomPage {
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
