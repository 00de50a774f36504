//! Cleaning at the door: what must not reach a note as it is. The stored message keeps its bytes.

use std::borrow::Cow;

/// Stands for a character that has no picture of its own.
const PICTURE: char = '\u{2426}';
/// Stands for a line break of another kind.
const BREAK: char = '\u{2424}';

/// Text of several lines: every line break is a line feed, and nothing is left that is invisible and acts
/// (control characters, bidi overrides, tag characters).
#[must_use]
pub fn text(raw: &str) -> Cow<'_, str> {
    if !raw.chars().any(|c| c != '\n' && picture(c) != c) {
        return Cow::Borrowed(raw);
    }
    let mut clean = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                clean.push('\n');
            }
            '\n' => clean.push('\n'),
            other => clean.push(picture(other)),
        }
    }
    Cow::Owned(clean)
}

/// Text of one line: like [`text`], with every run of white space as one space, and none at the ends.
#[must_use]
pub fn line(raw: &str) -> String {
    let words: Vec<String> = raw
        .split(|c: char| c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().map(picture).collect())
        .collect();
    words.join(" ")
}

/// What is shown for `c`: itself, unless it acts without being seen.
fn picture(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(PICTURE),
        '\u{7f}' => '\u{2421}',
        '\u{85}' | '\u{2028}' | '\u{2029}' => BREAK,
        // C1 controls, bidi embeddings, overrides and isolates, deprecated format characters, the byte order
        // mark, annotation marks, what is no character, and tags.
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => PICTURE,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(text("a\tb\n\nc — 日本 🔔"), Cow::Borrowed(_)));
    }

    #[test]
    fn every_line_break_is_a_line_feed() {
        assert_eq!(text("a\r\nb\rc\r\r\nd"), "a\nb\nc\n\nd");
        assert_eq!(text("a\u{2028}b\u{2029}c\u{85}d"), "a␤b␤c␤d");
    }

    #[test]
    fn what_acts_without_being_seen_is_shown() {
        assert_eq!(text("\0\u{1b}[2J\u{7f}\u{9b}"), "␀␛[2J␡␦");
        assert_eq!(text("a\u{202e}b\u{2066}c\u{e0041}d\u{feff}"), "a␦b␦c␦d␦");
        assert_eq!(text("a\u{b}b\u{c}c"), "a␋b␌c");
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(line(" a\r\n\n# b\t\u{2028}c\u{a0}d "), "a # b c d");
        assert_eq!(line("\u{202e}x\0"), "␦x␀");
        assert_eq!(line("\n \t"), "");
    }

    #[test]
    fn cleaning_twice_is_cleaning_once() {
        let raw: String = (0..=0x2100_u32).chain(0xfe00..=0x1_0010).filter_map(char::from_u32).collect();
        let once = text(&raw).into_owned();
        assert_eq!(text(&once), once);
        assert_eq!(line(&line(&raw)), line(&raw));
    }
}
