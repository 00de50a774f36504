//! What git says of a commit, as text that can be read: of files that hold other bytes only that they changed.

/// So many bytes of a commit are shown.
const MOST: usize = 512 << 10;
/// A file begins so in what git says. Each line of a difference has a sign before it, so none of them does.
const FILE: &[u8] = b"diff --git ";
const PLACE: &[u8] = b"@@";

/// The text of a commit, and whether that is only its beginning.
pub(super) fn readable(said: &[u8]) -> (String, bool) {
    let mut text = Vec::new();
    let mut file: Vec<&[u8]> = Vec::new();
    for line in said.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(FILE) {
            end_file(&mut text, &file);
            file.clear();
        }
        file.push(line);
    }
    end_file(&mut text, &file);
    let is_cut = text.len() > MOST;
    text.truncate(MOST);
    (String::from_utf8_lossy(&text).into_owned(), is_cut)
}

/// Takes in a file, whose differences are dropped if they are no text: whatever attributes call it.
fn end_file(text: &mut Vec<u8>, lines: &[&[u8]]) {
    let is_text = lines.iter().all(|line| !line.contains(&0));
    let place = lines.iter().position(|line| line.starts_with(PLACE));
    match place.filter(|_| !is_text) {
        None => text.extend(lines.concat()),
        Some(place) => {
            let left_out: usize = lines[place..].iter().map(|line| line.len()).sum();
            text.extend(lines[..place].concat());
            text.extend(
                format!("It holds bytes that are no text: {left_out} bytes are not shown.\n").bytes(),
            );
        }
    }
}
