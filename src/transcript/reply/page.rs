//! The text of a note as it grows: each line of ours gets its mark.

use super::marks::{FORM, Kind, Marks};
use crate::transcript::escape;

/// The field that holds the marks.
pub(super) const FIELD: &str = "reply";
const ROOM_FIELD: &str = "room";

/// A note that is being written.
pub(super) struct Page {
    text: String,
    marks: Marks,
}

impl Page {
    pub(super) fn new(marks: Marks) -> Self {
        Self { text: String::new(), marks }
    }

    /// A line of ours.
    pub(super) fn line(&mut self, kind: Kind, line: &str) {
        self.marks.push(kind, line);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Lines of ours, and a blank one.
    pub(super) fn block(&mut self, kind: Kind, lines: &str) {
        for line in lines.lines() {
            self.line(kind, line);
        }
        self.gap();
    }

    /// A blank line, which is nobody's.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Words of a person, as they are.
    pub(super) fn typed(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    /// The whole file. `others` are lines of the front matter that are not ours.
    pub(super) fn finish(self, room: &str, others: &[String]) -> String {
        let others = if others.is_empty() { String::new() } else { others.join("\n") + "\n" };
        let room = escape::yaml_word(room);
        format!("---\n{ROOM_FIELD}: {room}\n{FIELD}: {}\n{others}---\n\n{}", self.marks, self.text)
    }
}

/// Whether a text has the field that holds the marks.
pub(super) fn has_field(text: &str) -> bool {
    text.lines()
        .any(|line| line.split_once(": ").is_some_and(|(name, value)| name == FIELD && is_form(value)))
}

fn is_form(value: &str) -> bool {
    value.trim_start_matches(['"', '\'']).starts_with(&format!("{FORM}."))
}

/// Whether a line of front matter is one of ours.
pub(super) fn is_ours(line: &str) -> bool {
    let name = line.split_once(':').map_or("", |(name, _)| name);
    name == FIELD || name == ROOM_FIELD
}
