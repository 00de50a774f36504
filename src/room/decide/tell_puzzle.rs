//! A puzzle that lives in the room: whoever has to act in it is called, and whoever had to is called no more.

use crate::room::Handle;
use crate::room::command::PuzzleNews;
use crate::room::draft::Draft;
use crate::room::event::{Event, PuzzleStep, PuzzleTold};
use crate::room::line::one_line;
use crate::room::state::Phase;

impl Draft {
    /// What is told twice is told once: a hub that died in between tells again.
    pub(super) fn tell_puzzle(&mut self, news: PuzzleNews) {
        let known = self.state.puzzles.get(&news.puzzle);
        if self.state.phase == Phase::Closed || known.is_some_and(|known| known.version >= news.version) {
            return;
        }
        let before = known.into_iter().flat_map(|known| known.calls.all());
        let before: Vec<Handle> = before.map(|call| call.to.clone()).collect();
        let PuzzleNews { puzzle, version, mut what, to } = news;
        if let PuzzleStep::Asked { question: words, .. } | PuzzleStep::Refused { reason: words, .. } =
            &mut what
        {
            *words = one_line(words);
        }
        let to: Vec<Handle> = to.into_iter().filter(|handle| self.state.member(handle).is_some()).collect();
        // A state calls those whose it is whenever it is entered; a question calls only who was not called yet.
        let is_entered = what.enters_a_state();
        let is_new = |handle: &&Handle| is_entered || !before.contains(handle);
        let called: Vec<Handle> = to.iter().filter(is_new).cloned().collect();
        let relieved = before.into_iter().filter(|before| !to.contains(before)).collect();
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::PuzzleTold(Box::new(PuzzleTold { seq, puzzle, version, what, to, relieved, at })));
        self.queue_first(called);
        self.guard();
    }
}
