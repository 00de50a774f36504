//! What waits for people: who asks, where, since when, the words, and the command that does it.

use serde_json::Value;

use super::super::clean;
use super::Look;
use super::fields::{is_set, items, moment, plain, word};
use super::message::indented;

/// Lines of a question that are shown; the room has them all.
const MOST_LINES: usize = 20;

/// The whole list.
pub(in super::super) fn inbox(answer: &Value, look: Look) -> String {
    let all: Vec<String> = items(answer, "items").iter().map(|item| inbox_item(item, look)).collect();
    if all.is_empty() { "nothing waits for you\n".to_owned() } else { all.join("\n") }
}

/// One thing.
pub(in super::super) fn inbox_item(item: &Value, look: Look) -> String {
    let title = word(item, "title").unwrap_or_default();
    let marks = [
        word(item, "seq_id").map(|number| format!("#{number}")),
        is_set(item, "is_private").then(|| "private".to_owned()),
        moment(item, "since").map(|since| format!("since {since}")),
        word(item, "topic").map(|topic| format!("topic: {topic}")),
    ];
    let head = marks.into_iter().flatten().fold(look.strong(&title), |head, mark| format!("{head}, {mark}"));
    let choices = (1..).zip(items(item, "choices"));
    let choices: Vec<String> =
        choices.map(|(number, choice)| format!("    {number}  {}\n", plain(choice))).collect();
    let choices = choices.concat();
    let command = word(item, "command").unwrap_or_default();
    format!("{head}\n{}{choices}  {command}\n", body(item))
}

/// That something is settled.
pub(in super::super) fn settled(title: &str, look: Look) -> String {
    look.faint(&format!("settled: {}", clean::line(title))) + "\n"
}

fn body(item: &Value) -> String {
    let whole = indented(item["body"].as_str().unwrap_or_default());
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    match lines.len() {
        0..=MOST_LINES => whole,
        count => format!("{}    … {} more lines\n", lines[..MOST_LINES].concat(), count - MOST_LINES),
    }
}
