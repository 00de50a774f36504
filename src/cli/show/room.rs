//! Rooms and those in them.

use serde_json::Value;

use super::fields::{is_set, items, moment, word, words};
use super::shell::in_shell;
use super::table::{pairs, table};
use super::{Look, turn};

/// A room that was started.
pub(in super::super) fn initialized(answer: &Value, look: Look) -> String {
    let known = [
        ("room", word(answer, "room")),
        ("topic", word(answer, "topic")),
        ("transcript", word(answer, "filepath")),
        ("participants", words(answer, "participants")),
        ("keys", keys(answer)),
        ("message", word(answer, "message").map(|message| in_shell(&message))),
        ("next", word(answer, "next").map(|next| in_shell(&next))),
    ];
    pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), look)
}

/// A room that was deleted.
pub(in super::super) fn deleted(answer: &Value, look: Look) -> String {
    let path = word(answer, "filepath").unwrap_or_default();
    let stays = if is_set(answer, "keeps_transcript") { "stays at" } else { "deleted:" };
    let known = [
        ("deleted", word(answer, "deleted")),
        ("messages", word(answer, "messages")),
        ("transcript", Some(format!("{stays} {path}"))),
        ("warning", word(answer, "warning")),
    ];
    pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), look)
}

/// A room and everyone in it.
pub(in super::super) fn state(answer: &Value, look: Look) -> String {
    if items(answer, "participants").is_empty() {
        // Some commands answer with less than the whole room.
        return turn(answer, look);
    }
    let known = [
        ("room", word(answer, "room")),
        ("topic", word(answer, "topic")),
        ("transcript", word(answer, "filepath")),
        ("phase", word(answer, "phase")),
        ("turn", turn_since(answer)),
        ("queue", words(answer, "turn_queue")),
        ("messages", word(answer, "message_count")),
    ];
    let head = pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), look);
    let rows: Vec<_> = items(answer, "participants").iter().map(member).collect();
    format!("{head}\n{}", table(["HANDLE", "STATUS", "SEEN", "UNREAD", "WAITS", "NAME"], &rows, look))
}

/// All rooms.
pub(in super::super) fn rooms(answer: &Value, look: Look) -> String {
    let rooms = items(answer, "rooms");
    if rooms.is_empty() {
        return "no rooms; `turnroom new --help` says how to start one\n".to_owned();
    }
    let rows: Vec<_> = rooms.iter().map(summary).collect();
    table(["ROOM", "PHASE", "TURN", "MESSAGES", "LAST", "TOPIC"], &rows, look)
}

fn keys(answer: &Value) -> Option<String> {
    let key = |invite: &Value| Some(format!("{} {}", word(invite, "handle")?, word(invite, "key")?));
    let keys: Vec<String> = items(answer, "invites").iter().filter_map(key).collect();
    (!keys.is_empty()).then(|| keys.join(", "))
}

fn turn_since(answer: &Value) -> Option<String> {
    let holder = word(answer, "active_turn")?;
    Some(match moment(answer, "turn_since") {
        Some(since) => format!("{holder} since {since}"),
        None => holder,
    })
}

fn member(member: &Value) -> [String; 6] {
    let text = |name| word(member, name).unwrap_or_default();
    let waits = if is_set(member, "is_waiting") { "yes" } else { "" };
    [text("handle"), text("status"), text("last_read_seq_id"), text("unread"), waits.to_owned(), text("name")]
}

fn summary(room: &Value) -> [String; 6] {
    let text = |name| word(room, name).unwrap_or_default();
    let last = moment(room, "last_activity").unwrap_or_default();
    [text("room"), text("phase"), text("active_turn"), text("message_count"), last, text("topic")]
}
