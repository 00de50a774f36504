//! The answer of a call that may wait: what was said, whose turn it is, what to do next.

use serde_json::Value;

use super::super::clean;
use super::Look;
use super::fields::{is_set, items, moment, word, words};
use super::message::messages;
use super::shell::in_shell;
use super::table::pairs;

/// The messages, then the state of the room.
pub(in super::super) fn turn(answer: &Value, look: Look) -> String {
    let known = [
        ("status", word(answer, "status").map(|status| status.replace('_', " "))),
        ("room", word(answer, "room")),
        ("turn", word(answer, "active_turn")),
        ("queue", words(answer, "current_queue")),
        ("key", word(answer, "key")),
        ("posted", posted(&answer["posted"])),
        ("unread", word(answer, "remaining_unread").filter(|count| count != "0")),
        ("pause in", word(answer, "agent_turns_until_pause").map(|turns| format!("{turns} turns"))),
        ("waits for", waits_for(answer)),
        ("other rooms", words(answer, "other_rooms")),
        ("notice", word(answer, "system_notice")),
        ("warning", word(answer, "warning")),
        ("next", word(answer, "next").map(|next| in_shell(&next))),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((name, value?)));
    format!("{}{}", messages(answer, "new_messages", look), pairs(known, look))
}

/// What became of the words of a person; what else was said is shown elsewhere.
pub(in super::super) fn said(answer: &Value, look: Look) -> String {
    let posted = posted(&answer["posted"]);
    let next = if posted.is_some() { None } else { word(answer, "next").map(|next| in_shell(&next)) };
    let calls_nobody =
        |text: String| if text.contains(' ') { text } else { format!("{text}, to nobody in particular") };
    let known = [
        ("posted", posted.map(calls_nobody)),
        ("room", word(answer, "room")),
        ("notice", word(answer, "system_notice")),
        ("warning", word(answer, "warning")),
        ("next", next),
    ];
    pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), look)
}

/// Whose turn it is, after a person has moved it, perhaps to somebody `named`.
pub(in super::super) fn moved(answer: &Value, named: Option<&str>, look: Look) -> String {
    let holder = word(answer, "active_turn");
    let is_named = |handle: &str| named.is_some_and(|named| is_same(handle, named));
    let is_next = !holder.as_deref().is_some_and(is_named)
        && items(answer, "current_queue").iter().any(|handle| handle.as_str().is_some_and(is_named));
    let note = named
        .filter(|_| is_next)
        .map(|named| format!("{} is not here now, and gets the turn on coming", clean::line(named)));
    let known = [
        ("room", word(answer, "room")),
        ("turn", Some(holder.unwrap_or_else(|| "free".to_owned()))),
        ("queue", words(answer, "current_queue")),
        ("note", note),
        ("warning", word(answer, "warning")),
    ];
    pairs(known.into_iter().filter_map(|(name, value)| Some((name, value?))), look)
}

/// Handles may be written without the `@`, in small letters or large ones.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_start_matches('@').to_lowercase() == other.trim_start_matches('@').to_lowercase()
}

/// `#5 to @Bob (woken), @Carol (away since 2026-08-18 10:20:30 UTC)`
fn posted(posted: &Value) -> Option<String> {
    let number = word(posted, "seq_id")?;
    let delivered: Vec<String> = items(posted, "delivery").iter().map(delivery).collect();
    let to = if delivered.is_empty() { words(posted, "recipients") } else { Some(delivered.join(", ")) };
    let mut text = format!("#{number}");
    if let Some(to) = to {
        text = format!("{text} to {to}");
    }
    if let Some(unknown) = words(posted, "unknown") {
        text = format!("{text}; nobody here is {unknown}");
    }
    if is_set(posted, "repeated") {
        text += "; it had been posted before";
    }
    Some(text)
}

fn delivery(delivery: &Value) -> String {
    let handle = word(delivery, "handle").unwrap_or_default();
    let since = moment(delivery, "since").map(|since| format!(" since {since}")).unwrap_or_default();
    match word(delivery, "state") {
        Some(state) => format!("{handle} ({state}{since})"),
        None => handle,
    }
}

fn waits_for(answer: &Value) -> Option<String> {
    let since = moment(answer, "since").map(|since| format!(" since {since}")).unwrap_or_default();
    Some(format!("{}{since}", word(answer, "waiting_for")?))
}
