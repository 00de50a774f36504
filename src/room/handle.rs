//! `@Name`: who a participant is. One spelling is kept; others that mean the same are equal to it.

mod unseen;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use icu_casemap::CaseMapper;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub use unseen::is_unseen;

const MAX_CHARS: usize = 64;
const RESERVED: [&str; 2] = ["all", "system"];
/// The person whom every room knows.
const USER: &str = "user";

/// A participant's handle.
///
/// **Invariant (handles are safe):** 1 to 64 letters or digits of any script, `_`, and inside also `-` and
/// `.`; in Unicode NFC; not reserved. So it needs no escaping in a table, a heading, a link or a shell word.
///
/// Two handles are equal when they differ only in case.
#[derive(Clone)]
pub struct Handle {
    /// With the `@`.
    text: Arc<str>,
    /// Folded, without the `@`.
    key: Arc<str>,
}

/// The text is no handle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHandle {
    /// It breaks the form.
    #[error(
        "`{0}` is no handle; use `@` and 1 to {MAX_CHARS} letters, digits or `_`, inside also `-` and `.`, no spaces"
    )]
    Malformed(String),
    /// It means everyone, or the system.
    #[error("`{0}` is reserved; take another handle")]
    Reserved(String),
}

impl Handle {
    /// Reads a handle, with or without its `@`.
    ///
    /// A name that only looks like `@user`, `@system` or `@all` is refused: nobody shall take it for theirs.
    pub fn parse(text: &str) -> Result<Self, InvalidHandle> {
        let handle = Self::stored(text)?;
        if handle.key.chars().any(is_unseen) {
            return Err(InvalidHandle::Malformed(shortened(text)));
        }
        let plain = unseen::plain(&handle.key);
        let is_imitation = *plain != *handle.key && (plain == USER || RESERVED.contains(&plain.as_str()));
        if is_imitation { Err(InvalidHandle::Reserved(shortened(text))) } else { Ok(handle) }
    }

    /// A handle that was good when it was stored: a newer rule makes no old room unreadable.
    fn stored(text: &str) -> Result<Self, InvalidHandle> {
        let name = composed(text.strip_prefix('@').unwrap_or(text));
        if !has_the_form(&name) {
            return Err(InvalidHandle::Malformed(shortened(text)));
        }
        let key = fold(&name);
        if RESERVED.contains(&key.as_str()) {
            return Err(InvalidHandle::Reserved(shortened(text)));
        }
        Ok(Self { text: format!("@{name}").into(), key: key.into() })
    }

    /// The person whom every room knows: `@user`.
    #[must_use]
    pub fn user() -> Self {
        Self { text: "@user".into(), key: USER.into() }
    }

    /// The canonical spelling, with `@`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What equal handles have in common: folded, without `@`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Whether a name of any form can be taken for `@user`, `@system` or `@all`, and is not that of the person as it is
/// written.
#[must_use]
pub fn imitates(name: &str) -> bool {
    let seen: String = name.nfkc().filter(|c| !is_unseen(*c)).collect();
    let plain = unseen::plain(&fold(seen.trim().trim_start_matches('@').trim()));
    let is_the_person = name.strip_prefix('@').unwrap_or(name).eq_ignore_ascii_case(USER);
    !is_the_person && (plain == USER || RESERVED.contains(&plain.as_str()))
}

/// Folds a name (without `@`), so that spellings which mean the same become equal.
#[must_use]
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    CaseMapper::new().fold_string(&composed(name)).nfc().collect()
}

/// Unicode NFC. Handles are read with every event of a log, and most of them are ASCII, which is composed already.
fn composed(name: &str) -> Cow<'_, str> {
    if name.is_ascii() { Cow::Borrowed(name) } else { Cow::Owned(name.nfc().collect()) }
}

/// Whether a handle may hold `c` at any place.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_combining_mark(c)
}

fn has_the_form(name: &str) -> bool {
    let inside = |c: char| is_word(c) || c == '-' || c == '.';
    name.chars().count() <= MAX_CHARS
        && name.chars().all(inside)
        && name.chars().next().is_some_and(|first| is_word(first) && !is_combining_mark(first))
        && name.chars().next_back().is_some_and(is_word)
}

/// Errors quote what was given, but not a page of it.
fn shortened(text: &str) -> String {
    let line: String = text.chars().take(MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { line + "…" } else { line }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl PartialOrd for Handle {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Handle {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Handle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Handle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::stored(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn handles_of_any_script_are_read() {
        for text in ["@Bob", "Bob", "@gpt-4.1", "@Оля", "@太郎", "@Đặng", "@_x_", "@हिन्दी", "@1"]
        {
            assert!(Handle::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_handle_is_refused() {
        for text in
            ["", "@", "@ Bob", "@Bob-", "@.Bob", "@B|ob", "@B\nob", "@<img>", "@a b", "@a@b", &"x".repeat(65)]
        {
            assert!(matches!(Handle::parse(text), Err(InvalidHandle::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn reserved_handles_are_refused_in_any_case() {
        for text in ["@all", "ALL", "@System"] {
            assert!(matches!(Handle::parse(text), Err(InvalidHandle::Reserved(_))), "{text}");
        }
    }

    #[test]
    fn nobody_takes_a_name_that_looks_like_that_of_the_person_or_the_system() {
        for text in ["@usеr", "@ｕｓｅｒ", "@𝐮𝐬𝐞𝐫", "@ѕystem", "@SYSТEM", "@ａｌｌ", "@аll", "@υser"]
        {
            assert!(matches!(Handle::parse(text), Err(InvalidHandle::Reserved(_))), "{text}");
        }
        for text in ["@user", "@User", "@users", "@Оля", "@суп"] {
            assert!(Handle::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_no_handle_imitates_the_person_or_the_system_no_more_than_one_does() {
        for name in ["@uѕer", "＠user", " @user", "@@user", "user\u{200b}", "@system", "All", "@ user"] {
            assert!(imitates(name), "{name:?}");
        }
        for name in ["@user", "user", "@USER", "@Bob", "Claude, the 4th", "users", "human", "@user-2"] {
            assert!(!imitates(name), "{name:?}");
        }
    }

    #[test]
    fn a_handle_holds_nothing_that_cannot_be_seen() {
        for text in
            ["@Bob\u{fe0f}", "@B\u{34f}ob", "@\u{3164}", "@Bo\u{115f}b", "@Bob\u{200b}", "@B\u{202e}ob"]
        {
            assert!(matches!(Handle::parse(text), Err(InvalidHandle::Malformed(_))), "{text:?}");
        }
    }

    #[test]
    fn a_stored_handle_stays_readable_under_newer_rules() {
        let stored: Handle = serde_json::from_str("\"@Bob\u{fe0f}\"").unwrap();
        assert_ne!(stored, Handle::parse("@Bob").unwrap());
    }

    #[test]
    fn spellings_that_fold_to_one_are_equal() {
        assert_eq!(Handle::parse("@Zoë").unwrap(), Handle::parse("ZOE\u{308}").unwrap());
        assert_eq!(Handle::parse("@STRASSE").unwrap(), Handle::parse("@straße").unwrap());
    }

    proptest! {
        /// The short way for ASCII gives the same as the long one.
        #[test]
        fn ascii_folds_like_any_other_text(name in "[ -~]{0,70}") {
            let long: String = CaseMapper::new().fold_string(&name.nfc().collect::<String>()).nfc().collect();
            prop_assert_eq!(fold(&name), long);
        }

        /// Whatever is accepted can stand in a table, a heading, a link or a shell word as it is.
        #[test]
        fn handles_are_safe(text in "\\PC{0,70}") {
            if let Ok(handle) = Handle::parse(&text) {
                prop_assert!(!handle.as_str().contains(['|', '`', '<', '>', '[', ']', '(', ')', '*', ' ', '\n', '"', '\'', '$', '\\', '/']));
                prop_assert_eq!(Handle::parse(handle.as_str()).unwrap(), handle);
            }
        }
    }
}
