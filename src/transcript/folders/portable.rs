//! Which names a file may have on every system: notes are copied, shared and synchronised.

use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use crate::room::is_unseen;

/// What Windows does not take in a name.
const FORBIDDEN: [char; 8] = ['<', '>', ':', '"', '|', '?', '*', '\\'];
/// Names of devices there, with any ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// Devices with a number.
const PORTS: [&str; 2] = ["com", "lpt"];

/// Whether `name`, without separators, can be the name of a file or a folder everywhere.
pub(super) fn is_portable(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_port = PORTS.iter().any(|port| {
        let number = stem.strip_prefix(port).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    });
    !is_port && !DEVICES.contains(&stem.as_str()) && !name.contains(FORBIDDEN) && !name.ends_with(['.', ' '])
}

/// Whether a name shows all that is in it. Joiners and the shapes of emoji are part of how words are written.
pub(super) fn is_visible(name: &str) -> bool {
    let is_writing = |c| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    !name.chars().any(|c| is_unseen(c) && !is_writing(c))
}

/// Whether a text is a URL: a scheme of two letters or more, and a colon.
pub(super) fn is_url(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.len() > 1 && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_inside)
}

/// A name in the one form in which letters and their marks are written together: some systems take the others for
/// the same name, and some for another.
pub(super) fn composed(name: &Path) -> std::path::PathBuf {
    name.to_str().map_or_else(|| name.to_owned(), |text| text.nfc().collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_only_some_systems_take_is_not_portable() {
        for name in [
            "CON.md",
            "con",
            "Aux.txt.md",
            "nul .md",
            "COM1.md",
            "lpt¹.md",
            "CONIN$.md",
            "a:b.md",
            "a\\b.md",
            "x?.md",
            "x*.md",
            "<y>.md",
            "\"x\".md",
            "|x.md",
            "a.",
            "a ",
            "...",
        ] {
            assert!(!is_portable(name), "{name}");
        }
        for name in [
            "a.md",
            "console.md",
            "com.md",
            "com10.md",
            "communication.md",
            "[x](y).md",
            "é 测试 #1.md",
            "-rf.md",
        ] {
            assert!(is_portable(name), "{name}");
        }
    }

    #[test]
    fn a_scheme_makes_a_url_and_a_drive_does_not() {
        for text in ["file:///tmp/x.md", "https://x/y.md", "FILE:x.md", "obsidian://open?x.md"] {
            assert!(is_url(text), "{text}");
        }
        for text in ["C:\\x.md", "a b:c.md", "notes/x.md", ":x.md", "10:22.md"] {
            assert!(!is_url(text), "{text}");
        }
    }
}
