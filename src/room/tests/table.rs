//! The table at which a room is tried: the only place of these tests that touches the API. Time moves only
//! when a test says so.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::DateTime;

use crate::room::command::{Close, Command, Join, Pass, Post, ReplyTo};
use crate::room::event::CursorMove;
use crate::room::{
    Declared, Event, Handle, News, Now, Participant, Policy, Presence, Refusal, Repeat, Room, Via, open,
};

/// One room, its time, and what the hub would know of those who sit around it.
#[derive(Clone)]
pub(super) struct Table {
    pub room: Room,
    pub now: Now,
    /// Everything that has happened.
    pub log: Vec<Event>,
    presence: BTreeMap<Handle, Presence>,
}

pub(super) fn handle(text: &str) -> Handle {
    Handle::parse(text).unwrap()
}

pub(super) fn declared(participants: &[&str]) -> Declared {
    Declared {
        room: "tea".to_owned(),
        topic: "What to drink".to_owned(),
        filepath: "transcripts/tea.md".to_owned(),
        participants: texts(participants),
        creator: "session".to_owned(),
        ..Declared::default()
    }
}

/// A room that nobody has joined yet.
pub(super) fn empty(participants: &[&str]) -> Table {
    Table::open(declared(participants)).unwrap()
}

/// The same by other rules.
pub(super) fn empty_by(participants: &[&str], rules: impl FnOnce(&mut Policy)) -> Table {
    let mut declared = declared(participants);
    rules(&mut declared.policy);
    Table::open(declared).unwrap()
}

/// A room that everyone who was declared has joined, in order.
pub(super) fn table(participants: &[&str]) -> Table {
    table_by(participants, |_| {})
}

/// The same by other rules.
pub(super) fn table_by(participants: &[&str], rules: impl FnOnce(&mut Policy)) -> Table {
    let mut table = empty_by(participants, rules);
    for name in participants {
        table.join(name);
    }
    table
}

/// A public message to those whom the text names.
pub(super) fn post(sender: &str, content: &str) -> Post {
    Post {
        sender: handle(sender),
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
        origin: "session".to_owned(),
    }
}

/// A private message to those whom the text names.
pub(super) fn private(sender: &str, content: &str) -> Post {
    Post { is_private: true, ..post(sender, content) }
}

/// A message that wants no answer.
pub(super) fn last_word(sender: &str, content: &str) -> Post {
    Post { expects_reply: false, ..post(sender, content) }
}

pub(super) fn reply_to(seq: u64, sender: &str) -> ReplyTo {
    ReplyTo { seq, sender: Some(handle(sender)), is_question: false }
}

pub(super) fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Table {
    pub(super) fn open(declared: Declared) -> Result<Self, Refusal> {
        let now = Now { wall: DateTime::UNIX_EPOCH, mono: Duration::ZERO };
        let events = open(declared, now)?;
        let mut table = Self { room: Room::default(), now, log: Vec::new(), presence: BTreeMap::new() };
        table.apply(events);
        Ok(table)
    }

    /// Hands a command over, and gives what happened.
    pub(super) fn command(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        let events = self.room.decide(command, self.now)?;
        self.apply(events.clone());
        Ok(events)
    }

    fn apply(&mut self, events: Vec<Event>) {
        for event in &events {
            self.room.apply(event, self.now.mono);
        }
        self.log.extend(events);
    }

    /// A call of `name`, which is no wait, came in and obeyed.
    pub(super) fn call(&mut self, name: &str, command: Command) -> Vec<Event> {
        self.acts(name);
        self.command(command).unwrap()
    }

    /// The hub hears from `name`, and nothing else happens.
    pub(super) fn acts(&mut self, name: &str) {
        let mono = self.now.mono;
        self.presence.insert(handle(name), Presence { heard: mono, acted: mono, is_waiting: false });
    }

    /// `name` begins to wait.
    pub(super) fn waits(&mut self, name: &str) {
        self.command(Command::Contact(handle(name))).unwrap();
        self.is_waiting(name);
    }

    pub(super) fn is_waiting(&mut self, name: &str) {
        self.presence.entry(handle(name)).or_default().is_waiting = true;
    }

    /// `name` does not wait any more.
    pub(super) fn ends_its_wait(&mut self, name: &str) {
        let mono = self.now.mono;
        let presence = self.presence.entry(handle(name)).or_default();
        (presence.heard, presence.is_waiting) = (mono, false);
    }

    pub(super) fn join(&mut self, name: &str) {
        self.join_as(name, None, 0);
    }

    pub(super) fn join_as(&mut self, name: &str, shown: Option<&str>, history: u64) {
        let join = Join { handle: handle(name), name: shown.map(str::to_owned), history };
        self.call(name, Command::Join(join));
    }

    /// Speaks; gives the number of the message.
    pub(super) fn say(&mut self, sender: &str, content: &str) -> u64 {
        self.post(post(sender, content)).expect("it is the sender's turn")
    }

    /// Whether the room takes a message now.
    pub(super) fn takes(&mut self, sender: &str, content: &str) -> bool {
        self.post(post(sender, content)).is_some()
    }

    /// Speaks; gives the number of the message, if it was posted.
    pub(super) fn post(&mut self, post: Post) -> Option<u64> {
        let sender = post.sender.to_string();
        let events = self.call(&sender, Command::Post(Box::new(post)));
        events.iter().find_map(|event| match event {
            Event::Posted(posted) => Some(posted.seq),
            _ => None,
        })
    }

    pub(super) fn refusal(&mut self, command: Command) -> Refusal {
        self.command(command).unwrap_err()
    }

    pub(super) fn refused_post(&mut self, post: Post) -> Refusal {
        self.refusal(Command::Post(Box::new(post)))
    }

    pub(super) fn pass(&mut self, by: &str, to: Option<&str>) -> Vec<Event> {
        let pass = Pass { by: handle(by), to: to.map(str::to_owned), reason: None };
        self.call(by, Command::Pass(pass))
    }

    pub(super) fn request_turn(&mut self, name: &str) {
        self.call(name, Command::RequestTurn(handle(name)));
    }

    pub(super) fn leave(&mut self, name: &str) {
        self.call(name, Command::Leave(handle(name)));
    }

    pub(super) fn remove(&mut self, name: &str, by: &str) {
        self.call(by, Command::Remove { handle: handle(name), by: handle(by) });
    }

    pub(super) fn resume(&mut self, by: &str) {
        self.call(by, Command::Resume(handle(by)));
    }

    pub(super) fn start(&mut self, by: &str) {
        self.call(by, Command::Start(handle(by)));
    }

    pub(super) fn close(&mut self, by: &str) {
        let close = Close { by: Some(handle(by)), summary: None, is_creator: false };
        self.call(by, Command::Close(close));
    }

    /// `name` acknowledges everything up to `seen`; an answer of another call has arrived.
    pub(super) fn acknowledges(&mut self, name: &str, seen: u64, is_settled: bool) {
        let cursor = CursorMove { handle: handle(name), seen, handed: seen, is_settled };
        self.apply(vec![Event::CursorsMoved { cursors: vec![cursor] }]);
    }

    /// Time goes by; what becomes due in it happens at its moment.
    pub(super) fn after(&mut self, seconds: u64) {
        let end = self.now.mono + Duration::from_secs(seconds);
        while let Some(due) = self.deadline().filter(|due| *due <= end) {
            self.now.mono = self.now.mono.max(due);
            let events = self.due();
            assert!(!events.is_empty(), "a deadline brings something");
            self.apply(events);
        }
        self.now.mono = end;
    }

    /// What is due now.
    pub(super) fn due(&self) -> Vec<Event> {
        self.room.tick(self.now, &|name| self.presence_of(name))
    }

    pub(super) fn deadline(&self) -> Option<Duration> {
        self.room.deadline(&|name| self.presence_of(name))
    }

    /// Whether a call of `name` waits.
    pub(super) fn waits_now(&self, name: &Handle) -> bool {
        self.presence_of(name).is_waiting
    }

    fn presence_of(&self, name: &Handle) -> Presence {
        self.presence.get(name).copied().unwrap_or_default()
    }

    /// Who has the floor, and who comes next: `@Alice < @Bob < @Carol`; `-` is nobody.
    pub(super) fn turns(&self) -> String {
        let floor = self.room.active_turn().map_or_else(|| "-".to_owned(), |holder| holder.to_string());
        let queue = self.room.queue().into_iter().map(|queued| queued.to_string());
        [floor].into_iter().chain(queue).collect::<Vec<_>>().join(" < ")
    }

    /// The questions that are open: `@Alice asks @user`.
    pub(super) fn questions(&self) -> Vec<String> {
        let questions = self.room.questions().iter();
        questions.map(|question| format!("{} asks {}", question.asker, question.human)).collect()
    }

    pub(super) fn member(&self, name: &str) -> &Participant {
        self.room.participant(&handle(name)).unwrap()
    }

    /// What ends a wait of `name` that has been given everything up to `cursor`.
    pub(super) fn news(&self, name: &str, cursor: u64) -> Option<News> {
        self.room.news(&handle(name), cursor, self.room.freed())
    }

    pub(super) fn repeat(&self, post: &Post) -> Result<Option<u64>, Refusal> {
        let repeat: Option<Repeat> = self.room.repeat_of(post)?;
        Ok(repeat.map(|repeat| repeat.seq))
    }

    /// Whom the newest message addresses.
    pub(super) fn recipients(&self) -> Vec<String> {
        let newest = self.log.iter().rev().find_map(|event| match event {
            Event::Posted(posted) => Some(posted),
            _ => None,
        });
        newest.unwrap().recipients.iter().map(ToString::to_string).collect()
    }
}
