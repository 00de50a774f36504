//! Rooms with a past, written straight into a journal: the events are those that the rules give, as if two
//! agents had talked.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use turnroom::clock::Clock;
use turnroom::journal::{Journal, NewEvent, SqliteJournal, StreamId, Version};
use turnroom::room::command::{Command, Join, Post};
use turnroom::room::event::{CursorMove, Event};
use turnroom::room::{Declared, Handle, Now, Policy, Room, Via, open};

/// Events in one append.
const BATCH: usize = 4_000;

/// The two who talk.
pub(crate) const TALKERS: [&str; 2] = ["@Ann", "@Ben"];

/// A journal that is being filled.
pub(crate) struct Fixture {
    journal: SqliteJournal,
    rooms: u64,
    clock: Clock,
}

impl Fixture {
    /// Opens the journal of a data folder on which no hub runs.
    pub(crate) fn open(data: &Path) -> Result<Self> {
        std::fs::create_dir_all(data)?;
        let journal = SqliteJournal::open(&data.join("journal.db"))?;
        Ok(Self { journal, rooms: 0, clock: Clock::start() })
    }

    /// Writes a room in which so many messages were said. The first talker speaks next if the number is even.
    pub(crate) async fn room(&mut self, name: &str, notes: &Path, messages: u64) -> Result<()> {
        let stream = StreamId::parse(&format!("room/{name}"))?;
        let path = notes.join(format!("{name}.md"));
        let now = self.clock.now().wall;
        let listed = json!({
            "kind": "room_listed", "room": name, "stream": stream.as_str(), "path": path, "at": now,
        });
        let listed = NewEvent::new("room_listed", &listed)?;
        self.journal.append(&StreamId::parse("rooms")?, Version(self.rooms), vec![listed], now).await?;
        self.rooms += 1;
        let mut past = Past::begin(name, now);
        let (mut version, mut said) = (Version::EMPTY, 0);
        while said < messages || !past.events.is_empty() {
            while said < messages && past.events.len() < BATCH {
                past.say(said);
                said += 1;
            }
            version = self.journal.append(&stream, version, std::mem::take(&mut past.events), now).await?;
        }
        Ok(())
    }

    pub(crate) async fn close(self) {
        self.journal.close().await;
    }
}

struct Past {
    room: Room,
    now: Now,
    events: Vec<NewEvent>,
}

impl Past {
    fn begin(name: &str, wall: DateTime<Utc>) -> Self {
        let lease = Duration::from_hours(24);
        let policy = Policy { max_agent_turns: 0, turn_lease: lease, ..Policy::default() };
        let declared = Declared {
            room: name.to_owned(),
            topic: "load".to_owned(),
            filepath: format!("notes/{name}.md"),
            participants: TALKERS.map(str::to_owned).to_vec(),
            policy,
            ..Declared::default()
        };
        let now = Now { wall: wall - TimeDelta::hours(1), mono: Duration::ZERO };
        let mut past = Self { room: Room::default(), now, events: Vec::new() };
        past.take(open(declared, now).expect("it is allowed"));
        for handle in TALKERS.map(talker) {
            past.obey(Command::Join(Join { handle, name: None, history: 0 }));
        }
        past
    }

    fn say(&mut self, number: u64) {
        let (sender, other) = if number.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        self.obey(Command::Post(Box::new(post(talker(TALKERS[sender]), &text(TALKERS[other], number)))));
        let seen = self.room.last_seq();
        let cursor = |handle| CursorMove { handle, seen, handed: seen, is_settled: true };
        self.take(vec![Event::CursorsMoved { cursors: TALKERS.map(talker).map(cursor).to_vec() }]);
    }

    fn obey(&mut self, command: Command) {
        let events = self.room.decide(command, self.now).expect("it is allowed");
        self.take(events);
    }

    fn take(&mut self, events: Vec<Event>) {
        for event in events {
            self.room.apply(&event, self.now.mono);
            self.events.push(NewEvent::new(event.kind(), &event).expect("every event has a JSON form"));
        }
    }
}

fn talker(name: &str) -> Handle {
    Handle::parse(name).expect("it is a handle")
}

/// A message of some 200 bytes.
pub(crate) fn text(to: &str, number: u64) -> String {
    let word = "the quick brown fox jumps over the lazy dog; ";
    format!("{to} this is message {number}: {}", word.repeat(4))
}

fn post(sender: Handle, content: &str) -> Post {
    Post {
        sender,
        content: content.to_owned(),
        max_bytes: 1 << 20,
        is_private: false,
        recipients: Vec::new(),
        reply_to: None,
        choices: Vec::new(),
        expects_reply: true,
        request_id: None,
        via: Via::Mcp,
        is_verified: false,
        origin: "mcp".to_owned(),
    }
}
