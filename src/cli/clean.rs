//! Takes the power from text that others wrote: on a terminal it can colour nothing, move nothing, hide
//! nothing and turn no reading direction.

use std::fmt::Write;

/// Text of several lines; tabs and line ends stay.
pub(super) fn text(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| if matches!(c, '\n' | '\t') { c } else { picture(c) })
        .collect()
}

/// Text for one line.
pub(super) fn line(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// JSON text in which dangerous characters are escaped. The JSON means the same.
///
/// `serde_json` escapes only what JSON demands; a terminal is also moved by other characters.
pub(super) fn json(json: &str) -> String {
    escaped(json, is_dangerous)
}

/// JSON text in ASCII. The JSON means the same.
pub(super) fn ascii_json(json: &str) -> String {
    escaped(json, |c| !c.is_ascii())
}

fn escaped(json: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut clean = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(clean, "\\u{unit:04x}").expect("a string takes every text");
            }
        } else {
            clean.push(c);
        }
    }
    clean
}

/// The harmless sign that stands for a dangerous character.
fn picture(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_dangerous(c) => '\u{fffd}',
        _ => c,
    }
}

/// Control characters, separators that some programs take for line ends, marks and overrides of the reading
/// direction, invisible tags, and the byte order mark. Joiners stay: scripts and emoji need them.
fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{2028}' | '\u{2029}'
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(text("a\u{1b}[31mred\u{1b}]0;title\u{7}"), "a␛[31mred␛]0;title␇");
        assert_eq!(text("\u{9b}31m and \u{85}"), "\u{fffd}31m and \u{fffd}");
        assert_eq!(text("back\u{8}\u{7f}"), "back␈␡");
    }

    #[test]
    fn the_reading_direction_cannot_be_turned() {
        assert_eq!(text("a\u{202e}b\u{2066}c\u{200f}"), "a\u{fffd}b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn a_carriage_return_overwrites_nothing() {
        assert_eq!(text("one\r\ntwo\rthree"), "one\ntwo␍three");
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(line("a\nb\u{2028}c\td"), "a␊b\u{fffd}c␉d");
    }

    #[test]
    fn words_of_every_script_stay_as_they_are() {
        let words = "crème · 太郎 · नमस्ते · 👩\u{200d}💻 · שלום";
        assert_eq!(text(words), words);
    }

    proptest! {
        #[test]
        fn clean_json_means_the_same(words in any::<String>()) {
            let value = serde_json::json!({ words.clone(): [words] });
            let clean = json(&value.to_string());
            prop_assert!(!clean.chars().any(is_dangerous), "{clean:?}");
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&clean).unwrap(), value);
        }

        #[test]
        fn nothing_dangerous_is_left(words in any::<String>()) {
            prop_assert!(!line(&words).chars().any(is_dangerous));
            prop_assert!(!text(&words).chars().any(|c| is_dangerous(c) && c != '\n' && c != '\t'));
        }
    }
}
