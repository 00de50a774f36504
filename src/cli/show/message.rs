//! Messages: a head that turnroom writes, and under it, indented, what was said.

use serde_json::Value;

use super::super::clean;
use super::fields::{is_set, items, moment, word, words};
use super::{Look, SYSTEM};

const INDENT: &str = "    ";

/// Messages that were read.
pub(in super::super) fn page(answer: &Value, look: Look) -> String {
    let found = messages(answer, "messages", look);
    match (found.is_empty(), is_set(answer, "more")) {
        (true, _) => "no messages\n".to_owned(),
        (false, true) => {
            format!("{found}there are more; --limit, --after-seq-id and --before-seq-id choose\n")
        }
        (false, false) => found,
    }
}

/// What a search found.
pub(in super::super) fn hits(answer: &Value, look: Look) -> String {
    let hits = items(answer, "hits");
    if hits.is_empty() {
        return "nothing found\n".to_owned();
    }
    hits.iter().map(|hit| entry(hit, hit["snippet"].as_str().or(hit["content"].as_str()), look)).collect()
}

/// A list of messages, oldest first.
pub(super) fn messages(answer: &Value, name: &str, look: Look) -> String {
    items(answer, name).iter().map(|message| entry(message, message["content"].as_str(), look)).collect()
}

fn entry(message: &Value, text: Option<&str>, look: Look) -> String {
    let head = head(message);
    let choices = words(message, "choices").map(|choices| format!("{INDENT}choices: {choices}\n"));
    format!("{}\n{}{}\n", look.strong(&head), indented(text.unwrap_or_default()), choices.unwrap_or_default())
}

/// `#4 @Bob to @Alice, private, answers #3, 2026-08-18 10:20:30 UTC`
fn head(message: &Value) -> String {
    let number = word(message, "seq_id").unwrap_or_default();
    let sender = word(message, "sender").unwrap_or_default();
    let recipients = words(message, "recipients").filter(|_| sender != SYSTEM);
    let mut head = format!("#{number} {sender}");
    if let Some(recipients) = recipients {
        head = format!("{head} to {recipients}");
    }
    let marks = [
        is_set(message, "is_private").then(|| "private".to_owned()),
        word(message, "reply_to").map(|number| format!("answers #{number}")),
        is_set(message, "verified").then(|| "verified".to_owned()),
        is_set(message, "redelivered").then(|| "given again".to_owned()),
        moment(message, "timestamp"),
    ];
    marks.into_iter().flatten().fold(head, |head, mark| format!("{head}, {mark}"))
}

pub(super) fn indented(text: &str) -> String {
    clean::text(text)
        .split('\n')
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{INDENT}{line}\n") })
        .collect()
}
