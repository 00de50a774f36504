//! A puzzle that lives in the room: whoever has to act in it is called, and whoever had to is called no more.

use crate::room::Handle;
use crate::room::command::PuzzleNews;
use crate::room::draft::Draft;
use crate::room::event::{Event, PuzzleStep, PuzzleTold};
use crate::room::line::one_line;
use crate::room::state::Phase;

impl Draft {
    /// What is told twice is told once: a hub that died in between tells again. Of several steps only the last state
    /// that it comes to calls anybody, and what happens from then on.
    pub(super) fn tell_puzzle(&mut self, news: PuzzleNews) {
        let PuzzleNews { puzzle, mut steps, to, questions, is_timed } = news;
        let known = self.state.puzzles.get(&puzzle).map_or(0, |known| known.version);
        steps.retain(|(version, _)| *version > known);
        if self.state.phase == Phase::Closed || steps.is_empty() {
            return;
        }
        let to: Vec<Handle> = to.into_iter().filter(|handle| self.state.member(handle).is_some()).collect();
        let entered = steps.iter().rposition(|(_, what)| what.enters_a_state());
        let settling = entered.unwrap_or(steps.len() - 1);
        for (number, (version, mut what)) in steps.into_iter().enumerate() {
            if let PuzzleStep::Asked { question: words, .. } | PuzzleStep::Refused { reason: words, .. } =
                &mut what
            {
                *words = one_line(words);
            }
            let known = self.state.puzzles.get(&puzzle);
            let before: Vec<Handle> =
                known.into_iter().flat_map(|known| known.calls.all()).map(|call| call.to.clone()).collect();
            let (to, questions, is_timed) = if number >= settling {
                (to.clone(), questions.clone(), is_timed)
            } else {
                let questions = known.map(|known| known.questions.clone()).unwrap_or_default();
                (what.still_called(&before, &to), questions, false)
            };
            let relieved = before.into_iter().filter(|before| !to.contains(before)).collect();
            let (puzzle, seq, at) = (puzzle.clone(), self.seq(), self.now.wall);
            let told = PuzzleTold { seq, puzzle, version, what, to, relieved, questions, is_timed, at };
            let called = self.state.called_by(&told);
            self.emit(Event::PuzzleTold(Box::new(told)));
            self.queue_first(called);
        }
        self.guard();
    }
}
