//! What acts outside code and is not Markdown, or is read differently by other programs.
//!
//! The text is searched with its code blanked out, in one pass, so that a hostile text costs no more than its
//! length.

use super::VaultLinks;
use super::markdown::{Code, Kind};

/// Stands for a byte of a code span in the blanked text; cleaned text does not hold it.
const BLANK: char = '\u{1}';
/// The same for a code block.
const BLANK_LINE: char = '\u{2}';
/// What may stand before the text of a line: quotes, bullets, numbers, and the colon of a definition list.
pub(super) const CONTAINERS: &[char] =
    &['>', ' ', '\t', '-', '*', '+', ':', '.', ')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// What makes a word an address in GitHub's Markdown.
const ADDRESSES: [&str; 4] = ["://", "www.", "mailto:", "xmpp:"];

/// Places where a backslash is needed, in order. Nothing, when there is what no backslash cures.
pub(super) fn find(quoted: &str, code: &Code, links: VaultLinks) -> Option<Vec<usize>> {
    let blanked = blanked(quoted, code);
    let mut search = Search {
        links,
        places: Vec::new(),
        has_open_label: false,
        is_in_text: false,
        has_open_dollar: false,
    };
    let mut start = 0;
    for line in blanked.split_inclusive('\n') {
        search.line(line.trim_end_matches('\n'), start)?;
        start += line.len();
    }
    let has_stray_backtick = blanked.contains('`');
    // A `|` ends a span in a table.
    let has_table = code.loaded.contains('|') && blanked.lines().any(is_table_rule);
    let may_link_out = code.has_link_end && blanked.contains("[[");
    // GitHub looks for the end of a formula in code too.
    let has_formula = code.loaded.contains('$') && blanked.contains('$');
    // Programs differ on spans behind an unmatched backtick.
    let is_doubtful =
        (has_stray_backtick && !code.loaded.is_empty()) || has_table || may_link_out || has_formula;
    (!is_doubtful).then_some(search.places)
}

/// `text` with each byte of code blanked, so that offsets stay.
fn blanked(text: &str, code: &Code) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut done = 0;
    for (range, kind) in &code.ranges {
        blanked.push_str(&text[done.min(range.start)..range.start]);
        let blank = if *kind == Kind::Span { BLANK } else { BLANK_LINE };
        let hidden = text[range.clone()].bytes().skip(done.saturating_sub(range.start));
        blanked.extend(hidden.map(|byte| if byte == b'\n' { '\n' } else { blank }));
        done = done.max(range.end);
    }
    blanked.push_str(&text[done..]);
    blanked
}

/// Whether a line may be the rule below the head of a table.
pub(super) fn is_table_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| "|-:> \t".contains(c))
}

struct Search {
    links: VaultLinks,
    places: Vec<usize>,
    /// Whether a line began with a bracket that it did not close: the label of a definition may span lines.
    has_open_label: bool,
    /// Whether the line before holds text, which a line below it could make a heading.
    is_in_text: bool,
    /// Whether a `$` of the text may open a formula. Programs differ on what may stand before it and behind its end.
    has_open_dollar: bool,
}

impl Search {
    fn line(&mut self, line: &str, start: usize) -> Option<()> {
        // Some programs take any blank for one.
        let text = line.trim_start_matches(|c: char| CONTAINERS.contains(&c) || c.is_whitespace());
        let at = start + line.len() - text.len();
        let done = self.places.len();
        if self.may_define(text)
            || self.may_underline(line)
            || opens_fence(text)
            || is_block_id(line)
            || line.contains("%%")
            || line.contains("$$")
        {
            return None;
        }
        self.leading(text, at);
        self.inline(line, start)?;
        self.places[done..].sort_unstable();
        self.addresses(line, start, done)
    }

    /// Whether a line may define the target of a link, or a footnote. Programs differ on where a definition may
    /// start, so that each line that looks like one counts.
    fn may_define(&mut self, text: &str) -> bool {
        let ends_a_label = text.contains("]:");
        let may_define = ends_a_label && (self.has_open_label || text.starts_with('['));
        self.has_open_label |= text.starts_with('[') && !text.contains(']');
        may_define
    }

    /// Whether a line may make the text above it a heading. Programs differ on where a table ends, and with it
    /// on what is text.
    fn may_underline(&mut self, line: &str) -> bool {
        let text = line.trim_matches(['>', ' ', '\t']);
        let is_rule =
            !text.is_empty() && (text.trim_matches('=').is_empty() || text.trim_matches('-').is_empty());
        let may_underline = is_rule && self.is_in_text;
        self.is_in_text = !text.trim_matches(BLANK_LINE).is_empty();
        self.has_open_dollar &= self.is_in_text;
        may_underline
    }

    /// Marks that count at the start of a line only.
    fn leading(&mut self, text: &str, at: usize) {
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading =
            (1..=6).contains(&level) && text[level..].chars().next().is_none_or(char::is_whitespace);
        if is_heading || text.starts_with("[!") {
            self.places.push(at);
        }
    }

    /// Marks that count wherever they stand.
    fn inline(&mut self, line: &str, start: usize) -> Option<()> {
        let mut before = '\n';
        let mut is_escaped = false;
        for (at, c) in line.char_indices() {
            if !is_escaped {
                let rest = &line[at..];
                if rest.starts_with("^[") || self.ends_formula(rest, before) {
                    return None;
                }
                if is_tag_like(rest) || rest.starts_with("![") || self.is_vault_link(rest, before) {
                    self.places.push(start + at);
                }
            }
            is_escaped = c == '\\' && !is_escaped;
            before = c;
        }
        Some(())
    }

    /// Whether a formula may end here: no blank before its last `$`, and no digit behind it. In GitHub's Markdown one
    /// that holds code needs no more than one of its ends.
    fn ends_formula(&mut self, rest: &str, before: char) -> bool {
        let Some(after) = rest.strip_prefix('$').map(|after| after.chars().next()) else { return false };
        let ends = self.has_open_dollar
            && !before.is_whitespace()
            && !after.is_some_and(|after| after.is_ascii_digit());
        self.has_open_dollar |= after.is_some_and(|after| !after.is_whitespace());
        ends || before == BLANK || after == Some(BLANK)
    }

    fn is_vault_link(&self, rest: &str, before: char) -> bool {
        let is_tag = || {
            (before.is_whitespace() || ">:".contains(before))
                && rest
                    .strip_prefix('#')
                    .is_some_and(|tag| tag.starts_with(|c: char| !c.is_whitespace() && c != '#'))
        };
        match self.links {
            VaultLinks::Shown => rest.starts_with("[[") || is_tag(),
            VaultLinks::Alive => rest.strip_prefix("[[").is_some_and(leads_out),
        }
    }

    /// An address runs to the next blank in GitHub's Markdown, and takes a backtick, a `<` or a backslash with
    /// it. Other programs open any scheme.
    fn addresses(&self, line: &str, start: usize, done: usize) -> Option<()> {
        let mut places = self.places[done..].iter().map(|place| place - start).peekable();
        let mut at = 0;
        for word in line.split_inclusive([' ', '\t']) {
            let end = at + word.len();
            let address = ADDRESSES.iter().filter_map(|mark| word.find(mark)).min();
            if (address.is_some() && word.contains(['`', '<', BLANK])) || has_other_scheme(word) {
                return None;
            }
            let swallows_from = word.find('@').into_iter().chain(address).min().map(|from| at + from);
            while let Some(place) = places.next_if(|place| *place < end) {
                if swallows_from.is_some_and(|from| place >= from) {
                    return None;
                }
            }
            at = end;
        }
        Some(())
    }
}

/// A `<` that may open HTML; before a blank, a digit, a `=` or the end it cannot.
fn is_tag_like(rest: &str) -> bool {
    rest.strip_prefix('<')
        .and_then(|after| after.chars().next())
        .is_some_and(|next| !next.is_ascii_whitespace() && !next.is_ascii_digit() && next != '=')
}

/// Whether the target of a vault's link is an address, or may become one on the next line. Names of notes hold no
/// colon, and other programs take any target.
fn leads_out(target: &str) -> bool {
    let name = target.find(['|', ']', '[', '#', '/', '?']).map(|end| &target[..end]);
    name.is_none_or(|name| name.contains(':'))
}

/// A fence that only some programs see: those that know lists of definitions, for one.
fn opens_fence(text: &str) -> bool {
    text.starts_with("```") || text.starts_with("~~~")
}

/// `^name` at the end of a line, be it a hard one: the name of a block in a vault.
fn is_block_id(line: &str) -> bool {
    let line = line.trim_end_matches(|c: char| c.is_whitespace() || c == '\\');
    let Some((before, name)) = line.rsplit_once('^') else { return false };
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        && before.chars().next_back().is_none_or(|c| c.is_whitespace() || ">:".contains(c))
}

/// Whether a word is an address that is not for the web.
fn has_other_scheme(word: &str) -> bool {
    let is_other = |(at, _): (usize, &str)| {
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
        let length = word.as_bytes()[..at].iter().rev().take(32).take_while(|byte| name(byte)).count();
        let scheme = &word[at - length..at];
        length > 0 && !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https")
    };
    word.match_indices("://").any(is_other) || word.contains("xmpp:")
}
