//! Words that must fit on one line: topics, names, reasons. They are cut, never refused.

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

/// Marks of writing direction, and tag characters.
fn is_hidden(c: char) -> bool {
    let marks = ['\u{61c}', '\u{200e}', '\u{200f}'];
    let ranges = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}', '\u{e0000}'..='\u{e007f}'];
    marks.contains(&c) || ranges.iter().any(|range| range.contains(&c))
}
