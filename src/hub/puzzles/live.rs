//! One puzzle in memory.

use std::sync::Arc;

use crate::hub::aggregate::{Aggregate, Log};
use crate::hub::codec::Stored;
use crate::journal::StreamId;
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
    const WHAT: &'static str = "puzzle";
    const PREFIX: &'static str = "puzzle-";
    const LIST: &'static str = "puzzles";
    const TAKEN: &'static [&'static str] = &["new"];

    fn apply(&mut self, event: &Event) {
        Self::apply(self, event);
    }

    fn made(event: &Event) -> Option<&str> {
        match event {
            Event::PuzzleAdded(added) => Some(&added.about.puzzle),
            _ => None,
        }
    }

    fn request(event: &Event) -> Option<&str> {
        match event {
            Event::PuzzleAdded(added) => added.about.request.as_ref().map(|(id, _)| id.as_str()),
            _ => None,
        }
    }
}

/// One puzzle in memory.
#[derive(Debug)]
pub(super) struct LivePuzzle {
    pub log: Log<Puzzle>,
}

impl LivePuzzle {
    pub(super) fn new(id: String, stream: StreamId) -> Arc<Self> {
        Arc::new(Self { log: Log::new(id, stream) })
    }
}
