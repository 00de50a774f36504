//! A puzzle as a stream of the journal.

use crate::hub::aggregate::{Aggregate, Log};
use crate::hub::codec::Stored;
use crate::puzzle::{Event, Puzzle};

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind)
    }
}

impl Aggregate for Puzzle {
    type Event = Event;
    type Places = ();
    type Live = Log<Self>;
    const WHAT: &'static str = "puzzle";
    const PREFIX: &'static str = "puzzle-";
    const LIST: &'static str = "puzzles";
    const TAKEN: &'static [&'static str] = &["new"];
    const AT_REST: usize = 64;

    fn apply(&mut self, event: &Event) {
        Self::apply(self, event);
    }

    fn made(event: &Event) -> Option<&str> {
        match event {
            Event::PuzzleAdded(added) => Some(&added.about.puzzle),
            _ => None,
        }
    }

    fn request(event: &Event) -> Option<String> {
        match event {
            Event::PuzzleAdded(added) => added.about.request_key(),
            _ => None,
        }
    }
}
