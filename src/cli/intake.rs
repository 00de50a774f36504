//! What a command is given in a file or through a pipe. No more is read than a request may hold: a device or a pipe
//! without an end fills no memory.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use serde_json::Value;

use super::clean;
use super::failure::Failure;
use crate::platform::files;
use crate::serve::MAX_REQUEST;

/// A pipe, as an argument.
const PIPE: &str = "-";

/// A text, or for `-` what is piped in.
pub(super) fn typed_or_piped(text: &str) -> Result<String, Failure> {
    if text == PIPE { piped() } else { Ok(text.to_owned()) }
}

/// Everything that is piped in, without the line end that `echo` adds.
pub(super) fn piped() -> Result<String, Failure> {
    let mut text = text_of("standard input", io::stdin().lock())?;
    let end = if text.ends_with("\r\n") { 2 } else { usize::from(text.ends_with('\n')) };
    text.truncate(text.len() - end);
    Ok(text)
}

/// The next line that is piped in, without its end; `None`: nothing more comes.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_REQUEST + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let line = files::read_text(&line[..], MAX_REQUEST)?;
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The JSON of a file, or for `-` what is piped in.
pub(super) fn json(file: &Path) -> Result<Value, Failure> {
    let name = clean::line(&file.display().to_string());
    let text = if file == Path::new(PIPE) {
        piped()?
    } else {
        let opened = File::open(file);
        let opened = opened.map_err(|source| Failure::Unreadable { name: format!("`{name}`"), source })?;
        text_of(&format!("`{name}`"), opened)?
    };
    serde_json::from_str(&text).map_err(|error| Failure::Usage(format!("`{name}` is no JSON: {error}")))
}

fn text_of(name: &str, input: impl Read) -> Result<String, Failure> {
    files::read_text(input, MAX_REQUEST).map_err(|source| match source.kind() {
        io::ErrorKind::FileTooLarge => Failure::TooLong { name: name.to_owned(), mib: MAX_REQUEST >> 20 },
        io::ErrorKind::InvalidData => Failure::Usage(format!("{name} is not UTF-8")),
        _ => Failure::Unreadable { name: name.to_owned(), source },
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        assert!(matches!(text_of("it", io::repeat(b'a')), Err(Failure::TooLong { mib: 8, .. })));
        let mut endless = io::BufReader::new(io::repeat(b'a'));
        assert_eq!(next_line(&mut endless).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        #[cfg(unix)]
        assert!(matches!(json(Path::new("/dev/zero")), Err(Failure::TooLong { .. })));
    }

    #[test]
    fn bytes_that_are_no_text_are_a_usage_error() {
        assert!(matches!(text_of("it", &b"\xff"[..]), Err(Failure::Usage(_))));
    }

    #[test]
    fn a_file_that_is_missing_and_one_that_is_no_json_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("machine.json");
        assert!(matches!(json(&file), Err(Failure::Unreadable { .. })));
        fs::write(&file, "{").unwrap();
        assert!(matches!(json(&file), Err(Failure::Usage(_))));
        fs::write(&file, "{}").unwrap();
        assert!(json(&file).unwrap().is_object());
    }

    #[test]
    fn lines_lose_their_ends_and_an_empty_one_is_a_line() {
        let mut input = &b"one\r\n\ntwo"[..];
        for line in [Some("one"), Some(""), Some("two"), None] {
            assert_eq!(next_line(&mut input).unwrap().as_deref(), line);
        }
    }
}
