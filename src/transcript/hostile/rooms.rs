//! Hostile rooms: every text in them that somebody else wrote is hostile.

use chrono::{DateTime, TimeDelta, Utc};

use super::chance::Chance;
use super::tokens;
use crate::room::{Handle, Language, Status, Via};
use crate::transcript::render::{self, Chunk, Span};
use crate::transcript::sample;
use crate::transcript::view::{Entry, Head, Latest, Machine, Notice, Row, Stage, Waiting};
use crate::transcript::{VaultLinks, clean};

const LANGUAGES: [Language; 4] = [Language::En, Language::Fr, Language::Es, Language::Zh];

/// A room, and which of its pages is shown.
pub(super) struct Room {
    pub(super) head: Head,
    /// Name of the note's file, without its ending.
    pub(super) name: String,
    /// The parts that hold older entries.
    pub(super) parts: Vec<Span>,
    pub(super) entries: Vec<Entry>,
    pub(super) links: VaultLinks,
    /// Whether the page is a part, not the note.
    pub(super) is_part: bool,
}

impl Room {
    /// The room with this number.
    pub(super) fn of(number: u64) -> Self {
        let chance = &mut Chance::new(number.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let is_part = chance.percent(20);
        let count = chance.below(6) as u64 + u64::from(is_part);
        let links = if chance.percent(30) { VaultLinks::Shown } else { VaultLinks::Alive };
        let name = clean::line(&format!("{} {}", tokens::words(chance), number)).replace('/', "-");
        let head = head(chance);
        Self {
            name,
            parts: (0..count).map(|part| Span { first: part * 9 + 1, last: part * 9 + 9 }).collect(),
            entries: (1..=1 + chance.below(5) as u64).map(|seq| entry(chance, seq)).collect(),
            head,
            links,
            is_part,
        }
    }

    /// The file of the page.
    pub(super) fn page(&self) -> String {
        let chunks: Vec<Chunk> =
            self.entries.iter().map(|entry| render::entry(entry, &self.head, self.links)).collect();
        if self.is_part {
            return render::part(&self.head, &self.name, &self.parts, chunks.iter()).text;
        }
        let reply = format!("{}.reply.md", self.name);
        render::note(&self.head, &self.name, Some(&reply), &self.parts, chunks.iter()).text
    }
}

fn moment(chance: &mut Chance) -> DateTime<Utc> {
    sample::at("10:20:00") + TimeDelta::minutes(i64::try_from(chance.below(5_000)).unwrap())
}

fn handle(chance: &mut Chance) -> Handle {
    sample::handle(tokens::name(chance))
}

fn head(chance: &mut Chance) -> Head {
    Head {
        room: "talk".to_owned(),
        topic: tokens::words(chance),
        file: format!("{}.md", tokens::words(chance)),
        started: sample::at("10:20:00"),
        language: *chance.pick(&LANGUAGES),
        participants: chance.list(1, 4, |chance| Row {
            handle: handle(chance),
            name: tokens::words(chance),
            status: *chance.pick(&[Status::Expected, Status::Active, Status::Away, Status::Left]),
            joined_at: chance.percent(70).then(|| moment(chance)),
        }),
        floor: chance.percent(80).then(|| handle(chance)),
        queue: chance.list(0, 3, handle),
        stage: *chance.pick(&[Stage::Gathering, Stage::Open, Stage::Paused, Stage::Closed]),
        waiting: chance.list(0, 4, |chance| Waiting {
            asker: handle(chance),
            human: handle(chance),
            since: moment(chance),
        }),
        tasks: Vec::new(),
        puzzles_for_people: Vec::new(),
        puzzles: chance.list(0, 2, |chance| Machine {
            puzzle: "release".to_owned(),
            state: tokens::words(chance),
            drawing: None,
        }),
        latest: chance.percent(80).then(|| Latest {
            seq: 5,
            who: chance.percent(80).then(|| handle(chance)),
            at: moment(chance),
        }),
        last_seq: 5,
    }
}

fn entry(chance: &mut Chance, seq: u64) -> Entry {
    let at = moment(chance);
    if chance.percent(25) {
        return Entry::Notice { seq, at, notice: notice(chance, seq) };
    }
    Entry::Message {
        seq,
        at,
        sender: handle(chance),
        via: *chance.pick(&[None, Some(Via::Mcp), Some(Via::Terminal), Some(Via::Page), Some(Via::System)]),
        recipients: chance.list(0, 3, handle),
        is_private: chance.percent(20),
        content: body(chance, seq),
    }
}

/// Half of the texts end with a word of their own that must be seen: nothing before it may hide it.
fn body(chance: &mut Chance, seq: u64) -> String {
    let text = tokens::text(chance);
    if chance.percent(50) { format!("{text}\n\n{}", end(seq)) } else { text }
}

/// The word with which a text may end.
pub(super) fn end(seq: u64) -> String {
    format!("end{seq}")
}

fn notice(chance: &mut Chance, seq: u64) -> Notice {
    match chance.below(6) {
        0 => Notice::Joined { handle: handle(chance) },
        1 => Notice::Passed { by: handle(chance), to: Some(handle(chance)), reason: Some(body(chance, seq)) },
        2 => Notice::Closed { by: Some(handle(chance)), summary: Some(body(chance, seq)) },
        3 => Notice::Kept { file: format!("{}.md", tokens::words(chance)) },
        4 => Notice::Overdue { missing: chance.list(1, 3, handle) },
        _ => Notice::Passed { by: handle(chance), to: None, reason: None },
    }
}
