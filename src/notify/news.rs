//! One thing that waits for a person, as notices need it.

use chrono::{DateTime, Utc};

use crate::room::{Handle, is_unseen};

/// Of a text so much is shown.
const MAX_CHARS: usize = 200;

/// One thing that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The same while it waits.
    pub id: String,
    /// What kind of thing it is, in one word, such as `question`.
    pub kind: String,
    /// One line that says what it is.
    pub title: String,
    /// What was said; may be empty.
    pub body: String,
    /// Whether only the person may see the body.
    pub is_private: bool,
    /// Its room; empty for what is of no room.
    pub room: String,
    /// The person for whom it waits.
    pub to: Handle,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Where to answer it in a browser.
    pub url: Option<String>,
    /// The terminal command that answers it; may be empty.
    pub command: String,
}

impl News {
    /// As it is shown: short, in one line, and without private words unless they are wanted.
    pub(super) fn for_eyes(self, show_private: bool) -> Self {
        let body = if self.is_private && !show_private {
            format!("a private {}", self.kind)
        } else {
            one_line(&self.body)
        };
        Self { title: one_line(&self.title), body, ..self }
    }
}

/// The start of a text in one line, without characters that could move a terminal or turn the reading direction.
pub(super) fn one_line(text: &str) -> String {
    // A long message need not be read to its end for that.
    let mut line = String::new();
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        for c in word.chars().filter(|c| is_shown(*c)) {
            if count >= MAX_CHARS {
                line.push('…');
                return line;
            }
            line.push(c);
            count += 1;
        }
    }
    line
}

/// Joiners and the choice of a picture stay: scripts and emoji need them.
fn is_shown(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}') || !is_unseen(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_one_clean_line() {
        let cases = [
            ("  Which\n\tport?\r\n", "Which port?"),
            ("red \u{1b}[31m \u{202e}evil\u{2066}", "red [31m evil"),
            ("👩\u{200d}🚀 a\u{0}b", "👩\u{200d}🚀 a b"),
            ("", ""),
        ];
        for (text, line) in cases {
            assert_eq!(one_line(text), line);
        }
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let line = one_line(&"é".repeat(100_000));
        assert_eq!(line.chars().count(), MAX_CHARS + 1);
        assert!(line.ends_with("é…"), "{line}");
    }
}
