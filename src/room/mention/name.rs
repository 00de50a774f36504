//! One name in prose: where it begins and ends, and who is meant by it.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::char::is_combining_mark;

use super::super::{Handle, Names};

/// Scripts that are written without spaces between words. Korean has spaces, but its particles are glued to
/// the noun (`@철수가`), so a name ends there as it does in the others: where the known name ends.
const UNSPACED: &str = r"\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}";

/// A bare URL, so that nothing in it counts, or an `@` and the longest run of handle characters.
///
/// A URL ends before a comma, a bracket, or anything beyond ASCII: there a person writes on.
static CANDIDATE: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"\p{Alphabetic}\p{N}\p{M}_";
    pattern(&format!(r"(?:://|www\.)[0-9A-Za-z._~:/?\#@!$&*+=%-]*|@[{word}&&[^\p{{M}}]][{word}.\-]*"))
});

/// One character of an unspaced script.
static UNSPACED_CHAR: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("[{UNSPACED}]")));

/// One character that makes an `@` after it a part of something longer: an address, a path, a version.
static GLUE_CHAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"[\p{{Alphabetic}}\p{{Nd}}_./@\-&&[^{UNSPACED}]]")));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant of this file")
}

/// Who is meant by a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant<'a> {
    /// Everyone.
    All,
    /// One participant.
    One(&'a Handle),
}

/// What is written like a mention, in order: runs of handle characters, without the `@`.
pub(super) fn written(prose: &str) -> impl Iterator<Item = &str> {
    CANDIDATE.find_iter(prose).filter_map(|found| {
        let run = found.as_str().strip_prefix('@')?;
        let is_free = !ends_with_glue(&prose[..found.start()]) && !is_continued(run, &prose[found.end()..]);
        is_free.then_some(run)
    })
}

/// Whether a mention may not begin after `before`. Marks belong to the character that they stand on.
fn ends_with_glue(before: &str) -> bool {
    let last = before.chars().rev().find(|c| !is_combining_mark(*c));
    last.is_some_and(|c| is_one_of(&GLUE_CHAR, c))
}

/// Whether the run goes on as a path or an address. After an unspaced script a second `@` begins the next
/// mention: nothing else could divide the two.
fn is_continued(run: &str, after: &str) -> bool {
    after.starts_with('/') || after.starts_with('@') && !run.chars().next_back().is_some_and(is_unspaced)
}

/// Who is meant by a folded run: the longest known name that it may be cut to.
pub(super) fn meant<'a>(key: &str, names: &'a Names) -> Option<Meant<'a>> {
    let mut name = without_punctuation(key);
    while !name.is_empty() {
        if name == "all" {
            return Some(Meant::All);
        }
        if let Some(handle) = names.find(name) {
            return Some(Meant::One(handle));
        }
        name = shortened(name);
    }
    None
}

/// A run without the punctuation at its end.
pub(super) fn without_punctuation(run: &str) -> &str {
    run.trim_end_matches(['.', '-'])
}

/// The next shorter name that may be meant; empty if there is none.
fn shortened(name: &str) -> &str {
    if let Some(shorter) = name.strip_suffix('_') {
        return without_punctuation(shorter);
    }
    let mut after = None;
    for (at, c) in name.char_indices().rev() {
        if after.is_some_and(|after| may_part(c, after)) {
            return without_punctuation(&name[..at + c.len_utf8()]);
        }
        after = Some(c);
    }
    ""
}

/// Whether a name may end between these two. A `-` between letters never parts: `@Bob-2` is somebody else.
fn may_part(before: char, after: char) -> bool {
    if after == '.' {
        return true;
    }
    let is_joined = before == '-' || after == '-' || after == '_' || is_combining_mark(after);
    !is_joined && (is_unspaced(before) || is_unspaced(after))
}

fn is_unspaced(c: char) -> bool {
    !c.is_ascii() && is_one_of(&UNSPACED_CHAR, c)
}

fn is_one_of(class: &Regex, c: char) -> bool {
    class.is_match(c.encode_utf8(&mut [0; 4]))
}
