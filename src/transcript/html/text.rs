//! Text between the markup: escaped, with bare web addresses as links and names in a mark of their own.

use std::sync::LazyLock;

use regex::Regex;

/// A bare web address, or something that is written like a mention. It is for the eye: whom a message addresses
/// is decided elsewhere.
static MARKED: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"\p{Alphabetic}\p{N}_";
    Regex::new(&format!(r#"(?i:https?)://[^\s<>"`|\\^]+|@[{word}](?:[{word}\p{{M}}.\-]*[{word}\p{{M}}])?"#))
        .expect("the pattern is a constant of this file")
});

/// What ends a sentence behind an address, and is not part of it.
const AFTER_ADDRESS: [char; 13] = ['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~', ']', '}', '…'];

/// What may be made of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// Addresses and names are marked.
    Words,
    /// Names are only shown: a quote addresses nobody.
    Quote,
    /// Nothing: it stands in a link.
    Link,
}

/// Writes text that stands for itself.
pub(super) fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            other => into.push(other),
        }
    }
}

/// Writes a whole run of text.
pub(super) fn write(text: &str, within: Within, into: &mut String) {
    if within == Within::Link {
        return escape(text, into);
    }
    let mut done = 0;
    for found in MARKED.find_iter(text) {
        let before = text[..found.start()].chars().next_back();
        let is_name = found.as_str().starts_with('@');
        if is_glued(before, is_name) || is_name && within == Within::Quote {
            continue;
        }
        escape(&text[done..found.start()], into);
        if is_name {
            mention(found.as_str(), into);
            done = found.end();
        } else {
            let address = without_end(found.as_str());
            open_link(address, into);
            escape(address, into);
            into.push_str("</a>");
            done = found.start() + address.len();
        }
    }
    escape(&text[done..], into);
}

/// Opens a link to a page elsewhere: it learns nothing of this page, and cannot reach it.
pub(super) fn open_link(address: &str, into: &mut String) {
    into.push_str("<a href=\"");
    escape(address, into);
    into.push_str("\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">");
}

fn mention(name: &str, into: &mut String) {
    into.push_str("<span class=\"mention\">");
    escape(name, into);
    into.push_str("</span>");
}

/// Whether what stands before makes this a part of something longer: an address of mail, a path.
fn is_glued(before: Option<char>, is_name: bool) -> bool {
    let Some(c) = before else { return false };
    c.is_ascii_alphanumeric() || is_name && matches!(c, '_' | '.' | '/' | '@' | '-')
}

/// An address without what ends a sentence; a bracket belongs to it only with its partner.
fn without_end(address: &str) -> &str {
    let mut address = address;
    loop {
        let shorter = address.trim_end_matches(AFTER_ADDRESS);
        let has_partner = shorter.matches('(').count() >= shorter.matches(')').count();
        let shorter = if has_partner { shorter } else { shorter.strip_suffix(')').unwrap_or(shorter) };
        if shorter.len() == address.len() {
            return address;
        }
        address = shorter;
    }
}
