//! Long lines for narrow terminals: they break between words, and go on below where they began.
//!
//! What is to be copied stays in one line, and the terminal breaks it as it can: commands, code, and words that
//! are too long for a line of their own.

/// Narrower than this, every rule makes it worse.
const FEWEST_COLUMNS: usize = 20;
/// Code in a message is indented so far beyond the message.
const CODE_INDENT: usize = 8;
/// How far a line without columns goes on from the left.
const USUAL_INDENT: usize = 4;
const FENCES: [&str; 2] = ["```", "~~~"];

/// The text with its long lines broken. Escape sequences that give it a look take no room.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    if columns < FEWEST_COLUMNS {
        return text.to_owned();
    }
    let mut is_fenced = false;
    let lines = text.split_inclusive('\n').map(|line| {
        let is_fence = FENCES.iter().any(|fence| line.trim_start().starts_with(fence));
        // Whoever speaks next has no part in a fence that was left open.
        is_fenced = line.starts_with([' ', '\n']) && (is_fenced != is_fence);
        if is_fenced || is_fence || is_copied(line) { line.to_owned() } else { line_wrapped(line, columns) }
    });
    lines.collect()
}

/// Code and commands.
fn is_copied(line: &str) -> bool {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let is_code = indent >= CODE_INDENT && !line.trim_start().starts_with('@');
    is_code
        || value_column(line).is_some_and(|at| line[at..].starts_with("turnroom "))
        || line.trim_start().starts_with("turnroom ")
}

fn line_wrapped(line: &str, columns: usize) -> String {
    let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
    if width(line) <= columns {
        return format!("{line}{end}");
    }
    let indent = hanging(line, columns);
    let mut wrapped = String::new();
    let mut used = 0;
    for (at, word) in line.split(' ').enumerate() {
        let room = width(word) + usize::from(at > 0);
        if at > 0 && used + room > columns && used > indent {
            wrapped.truncate(wrapped.trim_end_matches(' ').len());
            wrapped = format!("{wrapped}\n{}{word}", " ".repeat(indent));
            used = indent + width(word);
        } else {
            wrapped = if at > 0 { format!("{wrapped} {word}") } else { word.to_owned() };
            used += room;
        }
    }
    wrapped + end
}

/// Where a broken line goes on: below its own indent, or below its value.
fn hanging(line: &str, columns: usize) -> usize {
    let own = line.len() - line.trim_start_matches(' ').len();
    let value = value_column(line).map(|at| width(&line[..at]));
    match (own, value) {
        (0, Some(column)) if column <= columns / 2 => column,
        (0, _) => USUAL_INDENT,
        (own, _) if own <= columns / 2 => own,
        _ => USUAL_INDENT,
    }
}

/// The byte at which the value of a name begins, if the line has that form: `name    value`.
fn value_column(line: &str) -> Option<usize> {
    if line.starts_with(' ') {
        return None;
    }
    let gap = line.find("  ")?;
    let value = gap + line[gap..].len() - line[gap..].trim_start_matches(' ').len();
    (value < line.trim_end().len()).then_some(value)
}

/// Characters that take room; wide ones of some scripts may shift a line, no more.
fn width(text: &str) -> usize {
    let mut is_escape = false;
    let visible = text.chars().filter(|c| {
        let was_escape = is_escape;
        is_escape = if was_escape { *c != 'm' } else { *c == '\u{1b}' };
        !was_escape && !is_escape
    });
    visible.count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_line_breaks_between_words_and_goes_on_below_its_beginning() {
        let text = "    one two three four five six\nshort\n";
        assert_eq!(wrapped(text, 20), "    one two three\n    four five six\nshort\n");
        let pair = "next  call again with one of these\n";
        assert_eq!(wrapped(pair, 22), "next  call again with\n      one of these\n");
        assert_eq!(wrapped("09:30 somebody has joined us", 20), "09:30 somebody has\n    joined us");
    }

    #[test]
    fn what_is_copied_stays_in_one_line() {
        for text in [
            "  turnroom answer design#12 'a long answer to it'\n",
            "type  turnroom say design '@Alice please go on'\n",
            "    ```\n    let answer = question.map(other);\n    ```\n",
            "        let answer = question.map(other);\n",
            "page  http://127.0.0.1:8000/enter?code=0123456789\n",
        ] {
            let whole = wrapped(text, 20).split_whitespace().count() == text.split_whitespace().count();
            assert!(whole, "{text}");
        }
        assert_eq!(wrapped("    ```\n    a b c d e f g h i j\n", 20), "    ```\n    a b c d e f g h i j\n");
        let after = "    ```\n#2 @Bob to @Alice, private, verified\n";
        assert_eq!(wrapped(after, 20).lines().count(), 4, "{}", wrapped(after, 20));
    }

    #[test]
    fn the_look_takes_no_room() {
        let bold = "\u{1b}[1m#4 @Bob to @Alice\u{1b}[0m\n";
        assert_eq!(wrapped(bold, 20), bold);
    }

    proptest! {
        #[test]
        fn no_word_is_lost(text in "[a-z `\u{1b}\n]{0,200}", columns in 0_usize..60) {
            let after = wrapped(&text, columns);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&after), words(&text));
        }
    }
}
