//! Where the resources of puzzles are read, and how names are written in addresses.

const PUZZLE: &str = "puzzlebox://puzzle/";

/// The address of a puzzle.
pub(crate) fn puzzle_uri(puzzle: &str) -> String {
    format!("{PUZZLE}{}", escaped(puzzle))
}

/// The address of the document of one of its states.
pub(super) fn document_uri(puzzle: &str, state: &str) -> String {
    format!("{}/state/{}", puzzle_uri(puzzle), escaped(state))
}

/// Percent-encodes what may not stand in a URI.
pub(crate) fn escaped(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Undoes [`escaped`]; letters that need not be escaped, but were, or are of another script, are taken too.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hex(rest.next()?)? * 16 + hex(rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_document_is_plain_text() {
        let uri = document_uri("p.1", "a/b.Prüfung c");
        assert_eq!(uri, "puzzlebox://puzzle/p.1/state/a%2Fb.Pr%C3%BCfung%20c");
    }
}
