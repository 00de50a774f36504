//! Words that must fit on one line: topics, names, reasons. They are cut, never refused.

use super::handle::is_unseen;

const MAX_CHARS: usize = 200;

/// One line of at most 200 characters, without control characters and others that change how text beside them
/// is shown.
#[must_use]
pub fn one_line(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_hidden(*c)).collect();
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<_> = visible.split(breaks).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(MAX_CHARS).collect()
}

/// Whether a name is one line without such characters: who is named with it is who is read.
#[must_use]
pub fn is_plain_line(text: &str) -> bool {
    let breaks = ['\u{2028}', '\u{2029}'];
    !text.chars().any(|c| c.is_control() || is_hidden(c) || breaks.contains(&c))
}

/// Whether a text shows nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_unseen(c))
}

/// Marks of writing direction, and tag characters.
fn is_hidden(c: char) -> bool {
    let marks = ['\u{61c}', '\u{200e}', '\u{200f}'];
    let ranges = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}', '\u{e0000}'..='\u{e007f}'];
    marks.contains(&c) || ranges.iter().any(|range| range.contains(&c))
}
