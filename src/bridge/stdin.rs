//! The lines of the client. A thread reads them: reading stdin cannot be broken off, and a thread of our own does not
//! hold up the end of the process.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::ledger::Line;
use super::sound::{sound, too_long};
use crate::mcp::MAX_MESSAGE;

/// Lines that wait; a client that sends more has to wait too.
const QUEUE: usize = 16;
/// Enough to read JSON that is nested as deep as it may be; what is not used costs nothing.
const STACK: usize = 2 << 20;

/// Reads stdin. The token fires at its end.
pub(super) fn read() -> (mpsc::Receiver<Line>, CancellationToken) {
    let (sender, lines) = mpsc::channel(QUEUE);
    let gone = CancellationToken::new();
    // Whatever happens to the thread, the token fires.
    let guard = gone.clone().drop_guard();
    let reader = thread::Builder::new().name("stdin".to_owned()).stack_size(STACK);
    let started = reader.spawn(move || {
        let _guard = guard;
        pass_on(BufReader::new(io::stdin()), &sender);
    });
    if let Err(error) = started {
        tracing::error!(%error, "stdin cannot be read");
    }
    (lines, gone)
}

fn pass_on(mut stdin: impl BufRead, lines: &mpsc::Sender<Line>) {
    loop {
        match next_line(&mut stdin) {
            Ok(Some(line)) if is_blank(&line) => {}
            Ok(Some(line)) => {
                if lines.blocking_send(sound(line)).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                tracing::debug!(%error, "stdin broke");
                return;
            }
        }
    }
}

/// The next line, with its line feed; a last line without one is none. What is too long is replaced.
fn next_line(stdin: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    stdin.by_ref().take(MAX_MESSAGE as u64 + 1).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        return Ok(Some(line));
    }
    if line.len() <= MAX_MESSAGE {
        return Ok(None);
    }
    Ok(skip_line(stdin)?.then(|| too_long(&line)))
}

/// Reads past the next line feed; tells whether there was one.
fn skip_line(stdin: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let chunk = stdin.fill_buf()?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let (length, is_empty) = (chunk.len(), chunk.is_empty());
        stdin.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || is_empty {
            return Ok(end.is_some());
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let (sender, mut lines) = mpsc::channel(100);
        pass_on(BufReader::new(input), &sender);
        drop(sender);
        std::iter::from_fn(|| lines.blocking_recv()).collect()
    }

    #[test]
    fn json_that_is_nested_as_deep_as_it_may_be_fits_on_the_stack() {
        let line = format!("{{\"id\":1,\"x\":{}{}}}\n", "[".repeat(126), "]".repeat(126));
        let read = thread::Builder::new().stack_size(STACK).spawn(move || sound(line.into_bytes()));
        assert!(read.unwrap().join().unwrap().starts_with(b"{\"id\":1,\"x\":[["));
    }

    #[test]
    fn lines_are_passed_on_byte_for_byte() {
        let input = "{\"a\":\"Messgerät 李雷 🙂\"}\n\n \r\n{\"b\":1}\r\n".as_bytes();
        assert_eq!(lines(input), ["{\"a\":\"Messgerät 李雷 🙂\"}\n".as_bytes(), b"{\"b\":1}\r\n"]);
    }

    #[test]
    fn half_a_line_at_the_end_is_none() {
        assert_eq!(lines(b"{\"a\":1}\n{\"half\":"), [b"{\"a\":1}\n"]);
    }

    #[test]
    fn a_line_that_is_too_long_does_not_fill_the_memory_and_the_next_one_counts() {
        let mut input = b"{\"id\":7,\"x\":\"".to_vec();
        input.resize(MAX_MESSAGE + 5, b'x');
        assert!(lines(&input).is_empty());
        input.extend(b"\n{\"a\":1}\n");
        let lines = lines(&input);
        let refused = String::from_utf8_lossy(&lines[0]);
        assert!(
            refused.contains("\"id\":7") && refused.contains("8 MiB") && refused.len() < 200,
            "{refused}"
        );
        assert_eq!(lines[1..], [b"{\"a\":1}\n"]);
    }
}
