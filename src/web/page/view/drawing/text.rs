//! How wide words are about, where nobody can measure them: rather too wide than too narrow.

/// Characters of one line of a label.
const LINE: usize = 28;

/// The width of a line of text in pixels, in letters of this size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| size * share(c)).sum()
}

/// A line that is not too long to be drawn.
pub(super) fn clipped(text: &str) -> String {
    if text.chars().count() <= LINE {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LINE - 1).collect();
    format!("{}…", kept.trim_end())
}

/// The width of a character, as a share of the size of the letters.
fn share(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '→' | '…' => 0.95,
        'A'..='Z' => 0.72,
        '\u{0}'..='\u{10ff}' => 0.6,
        // Scripts whose characters are squares.
        _ => 1.05,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_wider_and_long_lines_are_cut() {
        assert!(width("WWW", 14.0) > width("aaa", 14.0) && width("aaa", 14.0) > width("iii", 14.0));
        assert!(width("状態", 14.0) > width("st", 14.0));
        assert_eq!(clipped("short"), "short");
        assert_eq!(clipped(&"é".repeat(40)), format!("{}…", "é".repeat(27)));
    }
}
