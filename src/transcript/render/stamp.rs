//! The mark by which a file is known to be ours, whatever state of the room it shows.
//!
//! The front matter holds a hash over the rest of the file without its white space. A file whose mark fits was
//! written by us, at some time, and nobody has typed in it since: it may be replaced. This holds for any earlier
//! state, also after a crash, without knowing that state; a state cannot be rebuilt from the log in all
//! details, and the head of a note holds more than the log. Front matter and white space are not counted,
//! because plugins change them. The mark is no secret: it guards against mistakes, not against forgery.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::super::view::Head;

/// Name of the field that holds the mark.
pub(super) const FIELD: &str = "stamp";
const LENGTH: usize = 16;

/// What a room's files have in common, so that another room's file is not taken for ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Key(String);

/// A mark: 16 letters, so that YAML reads it as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Stamp([u8; LENGTH]);

/// The text is no mark.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NoStamp;

impl Key {
    /// The key of a room.
    pub(in super::super) fn of(head: &Head) -> Self {
        Self(format!("{}\n{}\n", head.room, head.started.timestamp_micros()))
    }

    /// The mark of a text without front matter.
    pub(in super::super) fn stamp(&self, body: &str) -> Stamp {
        let mut hash = Sha256::new();
        hash.update(self.0.as_bytes());
        for word in body.split_whitespace() {
            hash.update(word.as_bytes());
        }
        let mut letters = [0; LENGTH];
        for (letter, byte) in letters.iter_mut().zip(hash.finalize()) {
            *letter = b'a' + byte % 26;
        }
        Stamp(letters)
    }

    /// Whether a file is one of this room's and nobody has changed it.
    pub(in super::super) fn is_own(&self, file: &[u8]) -> bool {
        str::from_utf8(file).is_ok_and(|text| self.own(text, None).is_some())
    }

    /// The mark of the text of a file, if it is one of this room's and nobody has changed it. Without a mark
    /// in it, it counts as unchanged when it is what was written last.
    pub(in super::super) fn own(&self, file: &str, last: Option<Stamp>) -> Option<Stamp> {
        let stamp = self.stamp(split(file).1);
        (Stamp::named_in(file) == Some(stamp) || last == Some(stamp)).then_some(stamp)
    }
}

impl Stamp {
    /// The mark that stands in a file: that of the version of ours on which it is based.
    pub(in super::super) fn named_in(file: &str) -> Option<Self> {
        let mut lines = split(file).0.lines();
        let value = lines.find_map(|line| line.trim().strip_prefix(FIELD)?.trim().strip_prefix(':'))?;
        value.parse().ok()
    }
}

/// Front matter and the rest.
fn split(file: &str) -> (&str, &str) {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut lines = file.split_inclusive('\n');
    if lines.next().is_none_or(|line| line.trim_end() != "---") {
        return ("", file);
    }
    let mut end = file.find('\n').map_or(file.len(), |at| at + 1);
    for line in lines {
        end += line.len();
        if line.trim_end() == "---" {
            return file.split_at(end);
        }
    }
    ("", file)
}

impl FromStr for Stamp {
    type Err = NoStamp;

    fn from_str(text: &str) -> Result<Self, NoStamp> {
        let text = text.trim().trim_matches(['"', '\'']);
        let letters: [u8; LENGTH] = text.as_bytes().try_into().map_err(|_| NoStamp)?;
        if letters.iter().all(u8::is_ascii_lowercase) { Ok(Self(letters)) } else { Err(NoStamp) }
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(key: &Key, body: &str) -> String {
        format!("---\nroom: x\nstamp: {}\n---\n\n{body}", key.stamp(body))
    }

    fn key() -> Key {
        Key("x\n0\n".into())
    }

    #[test]
    fn a_file_of_ours_is_known_again() {
        assert!(key().own(&file(&key(), "# a\n\n> b\n"), None).is_some());
        assert!(key().own(&file(&key(), ""), None).is_some());
    }

    #[test]
    fn front_matter_and_white_space_may_change() {
        let ours = file(&key(), "# a\n\n> b\n");
        let stamped = ours.replace("room: x", "room: \"x\"\nmodified: 2026-01-01");
        assert!(key().own(&stamped, None).is_some());
        let quoted = ours.replace("stamp: ", "stamp: \"").replace("\n---\n\n", "\"\n---\n\n");
        assert!(key().own(&quoted, None).is_some());
        assert!(key().own(&ours.replace('\n', "\r\n"), None).is_some());
        assert!(key().own(&ours.replace("# a\n\n", "# a  \n\n\n"), None).is_some());
    }

    #[test]
    fn a_word_more_or_less_is_a_change() {
        let ours = file(&key(), "# a\n\n> b\n");
        for changed in [ours.clone() + "c", ours.replace('b', "B"), ours.replace("# a", ""), String::new()] {
            assert!(key().own(&changed, None).is_none(), "{changed}");
        }
    }

    #[test]
    fn the_file_of_another_room_is_not_ours() {
        assert!(Key("y\n0\n".into()).own(&file(&key(), "# a\n"), None).is_none());
    }

    #[test]
    fn a_file_that_lost_its_front_matter_is_known_by_the_last_mark() {
        let last = key().stamp("# a\n");
        assert!(key().own("# a\n", Some(last)).is_some());
        assert!(key().own("# b\n", Some(last)).is_none());
    }

    #[test]
    fn odd_files_are_not_ours() {
        for text in ["---", "---\n", "---\nstamp:", "---\nstamp: a\n---\n", "\u{feff}---\n---"] {
            assert!(key().own(text, None).is_none());
        }
    }
}
