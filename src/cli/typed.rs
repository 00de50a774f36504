//! What a person types at the terminal while other things go on.

use std::io::{self, BufRead};
use std::thread;

use tokio::sync::oneshot;

use super::screen;
use crate::platform::terminal;

/// Whether the person at the terminal says yes to a question. What was typed before it stood there is no answer.
pub(super) async fn says_yes(question: &str) -> io::Result<bool> {
    terminal::forget_typed();
    screen::complain(question);
    let answer = line().await?.unwrap_or_default();
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The next line, without its end; `None`: nothing more comes.
///
/// A thread reads it, since a terminal cannot be read without waiting. Whoever does not want the line any more lets
/// the future fall; the thread then ends with the line, or with the program.
pub(super) async fn line() -> io::Result<Option<String>> {
    let (told, line) = oneshot::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        // Nobody may want it any more.
        let _ =
            told.send(read.map(|bytes| (bytes > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())));
    });
    line.await.unwrap_or(Ok(None))
}
