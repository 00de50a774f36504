//! A room for tests.

use chrono::{DateTime, TimeDelta, Utc};

use super::view::{Entry, Head, Latest, Notice, Row, Stage};
use crate::room::{Handle, Language, Status, Via};

pub(crate) fn handle(text: &str) -> Handle {
    Handle::parse(text).unwrap()
}

/// 2026-08-18, at a time of that day.
pub(crate) fn at(time: &str) -> DateTime<Utc> {
    format!("2026-08-18T{time}Z").parse().unwrap()
}

pub(crate) fn head(language: Language) -> Head {
    let row = |text: &str, name: &str, joined| Row {
        handle: handle(text),
        name: name.into(),
        status: Status::Active,
        joined_at: Some(at(joined)),
    };
    Head {
        room: "architecture-review".into(),
        topic: "Multi-Agent Hub Protocol & AIVC Memory".into(),
        file: "notes/Discussions/Architecture_Review.md".into(),
        started: at("10:20:00"),
        language,
        participants: vec![
            row("@user", "User", "10:20:00"),
            row("@Alice", "Alice Architect", "10:20:02"),
            row("@Bob", "Bob Reviewer", "10:20:04"),
        ],
        floor: Some(handle("@Alice")),
        queue: Vec::new(),
        tasks: Vec::new(),
        puzzles_for_people: Vec::new(),
        puzzles: Vec::new(),
        stage: Stage::Open,
        waiting: Vec::new(),
        latest: Some(Latest { seq: 5, who: Some(handle("@user")), at: at("10:21:45") }),
        last_seq: 5,
    }
}

pub(crate) fn message(seq: u64, content: &str) -> Entry {
    let seconds = i64::try_from(seq).unwrap();
    Entry::Message {
        seq,
        at: at("10:20:00") + TimeDelta::seconds(seconds),
        sender: handle(if seq.is_multiple_of(2) { "@Alice" } else { "@Bob" }),
        via: None,
        recipients: vec![handle("@user")],
        is_private: false,
        content: content.into(),
    }
}

/// The conversation of the example in the description of the format.
pub(crate) fn entries(words: [&str; 3]) -> Vec<Entry> {
    let joined = |seq, time, text| Entry::Notice {
        seq,
        at: at(time),
        notice: Notice::Joined { handle: handle(text) },
    };
    let said = |seq, time, from, to: &[&str], is_private, content: &str| Entry::Message {
        seq,
        at: at(time),
        sender: handle(from),
        via: (from == "@user").then_some(Via::Mcp),
        recipients: to.iter().map(|text| handle(text)).collect(),
        is_private,
        content: content.into(),
    };
    vec![
        joined(1, "10:20:02", "@Alice"),
        joined(2, "10:20:04", "@Bob"),
        said(3, "10:20:10", "@Alice", &["@Bob"], false, words[0]),
        said(4, "10:20:30", "@Bob", &["@Alice"], true, words[1]),
        said(5, "10:21:45", "@user", &["@Alice", "@Bob"], false, words[2]),
    ]
}
