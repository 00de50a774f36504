//! What acts in Obsidian and is not Markdown: looked for in text that is not code, with every escaped character
//! replaced.

use crate::transcript::VaultLinks;

/// Stands for an escaped character.
pub(super) const ESCAPED: char = '\u{1}';
/// Stands for code, an entity, or another thing that is no text.
pub(super) const OTHER: char = '\u{2}';

/// Names of what acts in the text of one block.
pub(super) fn acts(text: &str, opens_quote: bool, links: VaultLinks) -> Vec<&'static str> {
    let is_shown = links == VaultLinks::Shown;
    let found = [
        ("a comment", text.contains("%%")),
        ("an embed", text.contains("![")),
        ("a formula", text.contains("$$") || has_formula(text)),
        ("an inline footnote", text.contains("^[")),
        ("a callout", opens_quote && text.trim_start().starts_with("[!")),
        ("the name of a block", text.lines().any(ends_with_id)),
        ("a tag of HTML", text.match_indices('<').any(|(at, _)| opens_tag(&text[at + 1..]))),
        ("a link of a vault", is_shown && text.contains("[[")),
        ("a tag of a vault", is_shown && text.lines().any(has_tag)),
    ];
    found.into_iter().filter_map(|(name, is_there)| is_there.then_some(name)).collect()
}

/// `$x$`: no blank inside at either end, no digit behind.
fn has_formula(text: &str) -> bool {
    let opens = |at: usize| text[at + 1..].starts_with(|c: char| !c.is_whitespace() && c != '$');
    let closes = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_some_and(|c| !c.is_whitespace())
            && !text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let marks: Vec<usize> = text.match_indices('$').map(|(at, _)| at).collect();
    marks.windows(2).any(|pair| opens(pair[0]) && closes(pair[1]))
}

fn ends_with_id(line: &str) -> bool {
    let Some((before, id)) = line.trim_end().rsplit_once('^') else { return false };
    let is_alone = before.is_empty() || before.ends_with(char::is_whitespace);
    is_alone && !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn opens_tag(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c))
}

fn has_tag(line: &str) -> bool {
    line.split_whitespace()
        .any(|word| word.strip_prefix('#').is_some_and(|tag| tag.starts_with(char::is_alphabetic)))
}
