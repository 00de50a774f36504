//! What is said, as it is said: one block per message, a faint line per notice, and who has the floor when it moves.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::clean;
use super::fields::{is_set, items, word, words};
use super::message::indented;
use super::{Look, SYSTEM};

/// The messages of all rooms in the order of their times, each with its room; of many, the last.
pub(in super::super) fn said_in_rooms(answer: &Value, last: usize) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::new();
    for page in items(answer, "rooms") {
        messages.extend(items(page, "messages").iter().cloned().map(|mut message| {
            message["room"] = page["room"].clone();
            message
        }));
    }
    // Times of the hub have one form; those of one room are in order already.
    messages.sort_by(|one, other| one["timestamp"].as_str().cmp(&other["timestamp"].as_str()));
    messages.split_off(messages.len().saturating_sub(last))
}

/// Tells what is said, and remembers what need not be told again.
pub(in super::super) struct Story {
    names_rooms: bool,
    look: Look,
    day: String,
    floors: BTreeMap<String, String>,
}

impl Story {
    pub(in super::super) fn new(names_rooms: bool, look: Look) -> Self {
        Self { names_rooms, look, day: String::new(), floors: BTreeMap::new() }
    }

    /// Messages, and then who has the floor in their rooms, where it has moved.
    pub(in super::super) fn tell(&mut self, messages: &[Value], answer: &Value) -> String {
        let mut text = String::new();
        for message in messages {
            text.push_str(&self.day(message));
            text.push_str(&self.entry(message));
        }
        for page in items(answer, "rooms") {
            text.push_str(&self.floor(page));
        }
        text
    }

    fn day(&mut self, message: &Value) -> String {
        let day = stamp(message).get(..10).unwrap_or_default().to_owned();
        if day == self.day {
            return String::new();
        }
        self.day.clone_from(&day);
        self.look.faint(&format!("{day}, times in UTC")) + "\n"
    }

    fn entry(&self, message: &Value) -> String {
        let time = stamp(message).get(11..19).unwrap_or_default().to_owned();
        let room = self.room(message);
        let content = message["content"].as_str().unwrap_or_default();
        let sender = word(message, "sender").unwrap_or_default();
        if sender == SYSTEM {
            return self.notice(&format!("{time} {room}"), content);
        }
        let choices = words(message, "choices").map(|choices| format!("    choices: {choices}\n"));
        let head = self.look.strong(&head(message, &sender));
        format!("{time} {room}{head}\n{}{}", indented(content), choices.unwrap_or_default())
    }

    fn notice(&self, head: &str, content: &str) -> String {
        let lines = clean::text(content);
        let faint: Vec<String> = lines
            .split('\n')
            .enumerate()
            .map(|(at, line)| {
                self.look.faint(&format!("{}{line}", if at == 0 { head } else { "    " })) + "\n"
            })
            .collect();
        faint.concat()
    }

    fn floor(&mut self, page: &Value) -> String {
        let room = word(page, "room").unwrap_or_default();
        let holder = word(page, "active_turn").unwrap_or_default();
        if self.floors.insert(room, holder.clone()).is_some_and(|before| before == holder) {
            return String::new();
        }
        let said = if holder.is_empty() {
            "nobody has the floor".to_owned()
        } else {
            format!("{holder} has the floor")
        };
        self.look.faint(&format!("         {}{said}", self.room(page))) + "\n"
    }

    fn room(&self, value: &Value) -> String {
        let room = word(value, "room").filter(|_| self.names_rooms);
        room.map(|room| format!("{room} ")).unwrap_or_default()
    }
}

/// `#4 @Bob to @Alice, private, answers #3, via page, verified`
fn head(message: &Value, sender: &str) -> String {
    let number = word(message, "seq_id").unwrap_or_default();
    let to = words(message, "recipients").map(|to| format!(" to {to}")).unwrap_or_default();
    let marks = [
        is_set(message, "is_private").then(|| "private".to_owned()),
        word(message, "reply_to").map(|number| format!("answers #{number}")),
        way(message, sender),
        is_set(message, "verified").then(|| "verified".to_owned()),
    ];
    marks
        .into_iter()
        .flatten()
        .fold(format!("#{number} {sender}{to}"), |head, mark| format!("{head}, {mark}"))
}

/// The way it came, where that tells something: agents come over MCP.
fn way(message: &Value, sender: &str) -> Option<String> {
    match word(message, "via")?.as_str() {
        "mcp" => (sender == "@user").then(|| "via MCP".to_owned()),
        way => Some(format!("via {way}")),
    }
}

/// When it was said, as the hub writes it.
fn stamp(message: &Value) -> String {
    word(message, "timestamp").unwrap_or_default()
}
