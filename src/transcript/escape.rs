//! Text of others in lines of ours: topic, names, paths and handles, made harmless where they stand.

use super::clean;
use crate::room::Handle;

/// Characters that mean something in a line of Markdown or Obsidian, except `<` and `&`.
const MARKS: &str = "\\`*_[]|!~$%=^#>";
/// Openings of inline code that a plugin evaluates.
const EVALUATED: [&str; 4] = ["=", "$=", "dv:", "dv="];
/// Words that YAML does not read as text.
const YAML_WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// Text in a line of Markdown, also in a table cell.
pub(super) fn inline(raw: &str) -> String {
    let line = clean::line(raw);
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A word in a line of Markdown.
///
/// Behind a bare address GitHub takes a backslash for a part of the address, and what it should have escaped acts.
/// So a word that needs one is kept from being an address, and `<` and `&` become entities.
fn word(word: &str) -> String {
    if !word.contains(|c| MARKS.contains(c) || c == '<' || c == '&') {
        return word.to_owned();
    }
    let mut safe = String::with_capacity(word.len() + 8);
    for (at, c) in word.char_indices() {
        let (before, after) = (&word[..at], &word[at + c.len_utf8()..]);
        match c {
            '<' => {
                safe.push_str("&lt;");
                continue;
            }
            '&' if after.starts_with(|next: char| next == '#' || next.is_ascii_alphanumeric()) => {
                safe.push_str("&amp;");
                continue;
            }
            '/' if before.ends_with(':') => safe.push('\\'),
            '.' if ends_with_www(before) => safe.push('\\'),
            mark if MARKS.contains(mark) => safe.push('\\'),
            _ => {}
        }
        safe.push(c);
    }
    safe
}

fn ends_with_www(before: &str) -> bool {
    before
        .len()
        .checked_sub(3)
        .and_then(|at| before.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// A handle in a line of Markdown. Only a `_` beside no letter or digit could act: it would slant the text.
pub(super) fn handle(handle: &Handle) -> String {
    let text = handle.as_str();
    let mut safe = String::with_capacity(text.len());
    let mut before = None;
    for (at, c) in text.char_indices() {
        if c == '_' {
            let after = text[at..].chars().find(|next| *next != '_');
            if !(is_inside_a_word(before) && is_inside_a_word(after)) {
                safe.push('\\');
            }
        } else {
            before = Some(c);
        }
        safe.push(c);
    }
    safe
}

fn is_inside_a_word(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(|c| !c.is_ascii_punctuation())
}

/// Text in a code span; as words, if a plugin would evaluate it.
pub(super) fn code_span(raw: &str) -> String {
    let line = clean::line(raw);
    if is_evaluated(&line) {
        return inline(&line);
    }
    let fence = "`".repeat(longest_run(&line, '`') + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') || line.is_empty() { " " } else { "" };
    format!("{fence}{pad}{line}{pad}{fence}")
}

/// Whether inline code is a question that a plugin answers.
pub(super) fn is_evaluated(code: &str) -> bool {
    EVALUATED.iter().any(|open| code.trim_start().starts_with(open))
}

/// Text as a value of YAML: bare if it is a plain word, else quoted.
pub(super) fn yaml_word(raw: &str) -> String {
    let is_plain = raw.starts_with(|c: char| c.is_ascii_lowercase())
        && raw.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_')
        && !YAML_WORDS.contains(&raw);
    if is_plain { raw.to_owned() } else { yaml_string(raw) }
}

/// Text as a quoted string of YAML.
pub(super) fn yaml_string(raw: &str) -> String {
    let line = clean::line(raw);
    format!("\"{}\"", line.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A relative path as the target of a link.
pub(super) fn link_target(path: &str) -> String {
    let mut target = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_alphanumeric() || "/-_.~".contains(c) || (!c.is_ascii() && !c.is_whitespace()) {
            target.push(c);
        } else {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).bytes();
            target.extend(bytes.map(|byte| format!("%{byte:02X}")));
        }
    }
    target
}

/// Length of the longest run of `mark` in `text`.
pub(super) fn longest_run(text: &str, mark: char) -> usize {
    text.split(|c| c != mark).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    /// The events of `markdown` that are more than text in a paragraph.
    fn marks(markdown: &str) -> Vec<String> {
        Parser::new_ext(markdown, Options::all())
            .filter(|event| {
                !matches!(
                    event,
                    Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) | Event::Text(_)
                )
            })
            .map(|event| format!("{event:?}"))
            .collect()
    }

    fn shown(markdown: &str) -> String {
        Parser::new_ext(markdown, Options::ENABLE_TABLES)
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.into_string()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn an_ordinary_topic_is_left_alone() {
        assert_eq!(
            inline("Multi-Agent Hub Protocol & AIVC Memory"),
            "Multi-Agent Hub Protocol & AIVC Memory"
        );
    }

    #[test]
    fn an_address_stays_one_unless_something_in_it_acts() {
        for text in ["see https://example.org/a-b and www.example.org", "me@example.org"] {
            assert_eq!(inline(text), text);
        }
        for (text, want) in [
            ("https://e.x/a_b*c", "https:\\//e.x/a\\_b\\*c"),
            ("ftp://e.x|", "ftp:\\//e.x\\|"),
            ("WWW.e.x!", "WWW\\.e.x\\!"),
            ("<http://e.x>", "&lt;http:\\//e.x\\>"),
        ] {
            assert_eq!(inline(text), want);
            assert_eq!(shown(&format!("x {want}")), format!("x {text}"));
        }
    }

    #[test]
    fn a_path_that_a_plugin_would_evaluate_is_no_code() {
        for path in ["= this.file.md", "$=x.md", "dv:x.md"] {
            let shown = code_span(path);
            assert!(!shown.contains('`'), "{shown}");
        }
        assert_eq!(code_span("a=b.md"), "`a=b.md`");
    }

    #[test]
    fn a_handle_is_shown_as_it_is() {
        for text in ["@_x_", "@__init__", "@a__b", "@a_b", "@gpt-4.1", "@a._b_.c", "@_", "@太郎_"] {
            let handle = Handle::parse(text).unwrap();
            let line = format!("x {} y", super::handle(&handle));
            assert_eq!(marks(&line), [""; 0], "{line}");
            assert_eq!(shown(&line), format!("x {text} y"));
        }
        assert_eq!(super::handle(&Handle::parse("@a_b").unwrap()), "@a_b");
    }

    #[test]
    fn a_code_span_holds_backticks() {
        assert_eq!(code_span("notes/a.md"), "`notes/a.md`");
        assert_eq!(code_span("a`b"), "``a`b``");
        assert_eq!(code_span("`"), "`` ` ``");
    }

    #[test]
    fn yaml_reads_a_room_as_text() {
        assert_eq!(yaml_word("architecture-review"), "architecture-review");
        for word in ["no", "12", "1e3", "", "a b", "a: b", "日本"] {
            assert_eq!(yaml_word(word), format!("\"{word}\""));
        }
        assert_eq!(yaml_string("a \"b\" \\ c\nd"), r#""a \"b\" \\ c d""#);
    }

    #[test]
    fn a_link_target_has_no_blank_and_no_bracket() {
        assert_eq!(link_target("A b (c)/part-001.md"), "A%20b%20%28c%29/part-001.md");
        assert_eq!(link_target("日本/x.md"), "日本/x.md");
    }

    proptest! {
        #[test]
        fn a_line_of_others_is_text_and_nothing_else(raw in "[ -~]{0,30}|\\PC{0,30}|([a-z]|://|www\\.|<|>|!|\\[|\\]|\\(|\\)|`|\\||&|;|#|\\\\){0,20}") {
            let line = format!("x: {} y", inline(&raw));
            prop_assert_eq!(marks(&line), Vec::<String>::new(), "{}", line);
        }

        #[test]
        fn a_cell_stays_one_cell(raw in "[ -~]{0,30}|\\PC{0,30}") {
            let table = format!("| a | b |\n|---|---|\n| {} | z |\n", inline(&raw));
            let cells = Parser::new_ext(&table, Options::all())
                .filter(|event| matches!(event, Event::Start(Tag::TableCell)))
                .count();
            prop_assert_eq!(cells, 4, "{}", table);
        }

        #[test]
        fn a_path_is_one_code_span(raw in "([a-z/. ]|`){0,20}") {
            let line = code_span(&raw);
            let events: Vec<Event<'_>> = Parser::new(&line).collect();
            if !clean::line(&raw).is_empty() {
                prop_assert!(matches!(&events[1], Event::Code(_)) && events.len() == 3, "{}", line);
            }
        }
    }
}
