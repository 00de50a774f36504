//! The prompt: a thread of its own types along with the person, since a terminal cannot be read without waiting.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::{io, thread};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use tokio::sync::oneshot;

use super::words::Known;
use crate::cli::{intake, screen};

/// What came of asking for a line.
#[derive(Debug)]
pub(super) enum Line {
    Words(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or nothing more is piped in.
    End,
}

/// A prompt at which lines are typed.
pub(super) struct Prompt {
    asks: mpsc::Sender<(String, oneshot::Sender<io::Result<Line>>)>,
    known: Arc<Mutex<Known>>,
    printer: Option<Box<dyn ExternalPrinter + Send>>,
}

impl Prompt {
    pub(super) fn begin() -> io::Result<Self> {
        let known = Arc::new(Mutex::new(Known::default()));
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(io::Error::other)?;
        editor.set_helper(Some(Tab(Arc::clone(&known))));
        // Without a terminal there is none, and none is needed.
        let printer = editor.create_external_printer().ok();
        let printer = printer.map(|printer| Box::new(printer) as Box<dyn ExternalPrinter + Send>);
        let (asks, asked) = mpsc::channel::<(String, oneshot::Sender<_>)>();
        let is_typed = io::stdin().is_terminal();
        // It ends with the prompt, or with the program.
        thread::spawn(move || {
            while let Ok((words, answer)) = asked.recv() {
                let line = if is_typed { typed(&mut editor, &words) } else { piped() };
                // Nobody may want it any more.
                let _ = answer.send(line);
            }
        });
        Ok(Self { asks, known, printer })
    }

    /// The next line. Nobody prints but by [`Prompt::tell`] until it has come.
    pub(super) fn ask(&self, words: &str) -> oneshot::Receiver<io::Result<Line>> {
        let (answer, line) = oneshot::channel();
        // Without the thread nobody answers, and the receiver says so.
        let _ = self.asks.send((words.to_owned(), answer));
        line
    }

    /// Prints above the line that is typed.
    pub(super) fn tell(&mut self, text: &str) -> io::Result<()> {
        match &mut self.printer {
            Some(printer) => printer.print(text.to_owned()).map_err(io::Error::other),
            None => screen::print(text),
        }
    }

    /// What Tab knows.
    pub(super) fn learn(&self, learn: impl FnOnce(&mut Known)) {
        learn(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn typed(editor: &mut Editor<Tab, MemHistory>, words: &str) -> io::Result<Line> {
    match editor.readline(words) {
        Ok(line) => Ok(Line::Words(line)),
        Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
        Err(ReadlineError::Eof) => Ok(Line::End),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// A line of a pipe, which may have no end.
fn piped() -> io::Result<Line> {
    Ok(intake::next_line(&mut io::stdin().lock())?.map_or(Line::End, Line::Words))
}

/// Completes what is typed.
struct Tab(Arc<Mutex<Known>>);

impl Completer for Tab {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).complete(&line[..pos]))
    }
}

impl Hinter for Tab {
    type Hint = String;
}

impl Highlighter for Tab {}
impl Validator for Tab {}
impl Helper for Tab {}
