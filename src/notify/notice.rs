//! What a person is told at once: one thing, or that there are many. Pure.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::news::News;

/// Of many things so many are named,
const NAMED: usize = 5;
/// and so many stand in the JSON: it fits into the pipe of a program that does not read it.
const LISTED: usize = 40;

/// What a person is told at once. There is at least one thing in it.
#[derive(Clone, Debug)]
pub(super) struct Notice {
    items: Vec<Arc<News>>,
}

impl Notice {
    /// Of one thing.
    pub(super) fn one(item: Arc<News>) -> Self {
        Self { items: vec![item] }
    }

    /// Of all these together.
    pub(super) fn of(items: &[Arc<News>]) -> Self {
        Self { items: items.to_vec() }
    }

    /// The names of what is told.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| item.id.as_str())
    }

    /// One line that says what it is.
    pub(super) fn title(&self) -> String {
        if let [item] = &self.items[..] {
            return item.title.clone();
        }
        let rooms = self.items.iter().map(|item| item.room.as_str()).filter(|room| !room.is_empty());
        let rooms: BTreeSet<&str> = rooms.collect();
        let place = match rooms.first() {
            None => String::new(),
            Some(room) if rooms.len() == 1 => format!(" in {room}"),
            Some(_) => format!(" in {} rooms", rooms.len()),
        };
        format!("{} things wait for you{place}", self.items.len())
    }

    /// What more is to say: what was said, or what the things are, one a line. May be empty.
    pub(super) fn text(&self) -> String {
        if let [item] = &self.items[..] {
            return item.body.clone();
        }
        let mut lines: Vec<String> = self.items.iter().take(NAMED).map(|item| item.title.clone()).collect();
        if let Some(more) = self.items.len().checked_sub(NAMED).filter(|more| *more > 0) {
            lines.push(format!("and {more} more"));
        }
        lines.join("\n")
    }

    /// Where to answer it in a browser; of many things, the first place.
    pub(super) fn url(&self) -> Option<&str> {
        self.items.iter().find_map(|item| item.url.as_deref())
    }

    /// Everything that is known of it, for programs.
    pub(super) fn json(&self) -> Value {
        let (kind, id) = match &self.items[..] {
            [item] => (item.kind.as_str(), Some(item.id.as_str())),
            _ => ("several", None),
        };
        json!({
            "id": id,
            "kind": kind,
            "title": self.title(),
            "text": self.text(),
            "url": self.url(),
            "count": self.items.len(),
            "items": self.items.iter().take(LISTED).map(|item| of_one(item)).collect::<Vec<_>>(),
        })
    }
}

fn of_one(item: &News) -> Value {
    json!({
        "id": item.id,
        "kind": item.kind,
        "title": item.title,
        "text": item.body,
        "is_private": item.is_private,
        "room": item.room,
        "to": item.to.to_string(),
        "since": moment(item.since),
        "url": item.url,
        "command": item.command,
    })
}

fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
