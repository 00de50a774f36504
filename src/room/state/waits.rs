//! Whoever acts on a puzzle and waits for the answer of others has nothing to do in it until it has that answer: it
//! is not called meanwhile, keeps the floor from nobody, and its silence is none.

use crate::room::Handle;
use crate::room::calls::Call;
use crate::room::event::{FloorReason, PuzzleQuestion};
use crate::room::participant::Participant;
use crate::room::state::{PuzzlePlace, State};

impl PuzzlePlace {
    /// What an action of this one waits for, unless it is asked something itself.
    fn question_of(&self, handle: &Handle) -> Option<&PuzzleQuestion> {
        let is_asked = self.questions.iter().any(|one| one.asks.contains(handle));
        self.questions.iter().find(|one| one.by.as_ref() == Some(handle) && !is_asked)
    }

    /// Those who have to act and can.
    pub(super) fn open_calls(&self) -> impl Iterator<Item = &Call> {
        self.calls.all().filter(|call| self.question_of(&call.to).is_none())
    }
}

impl State {
    /// Everybody who has to act in what lives here and can: who waits for an answer cannot before it has it.
    pub(in crate::room) fn open_calls(&self) -> impl Iterator<Item = &Call> {
        let of_tasks = self.tasks.values().flat_map(|task| task.calls.all());
        of_tasks.chain(self.open_puzzle_calls())
    }

    /// The same, of puzzles alone.
    pub(in crate::room) fn open_puzzle_calls(&self) -> impl Iterator<Item = &Call> {
        self.puzzles.values().flat_map(PuzzlePlace::open_calls)
    }

    /// What waits for answers in all puzzles that live here.
    pub(super) fn puzzle_questions(&self) -> impl Iterator<Item = &PuzzleQuestion> {
        self.puzzles.values().flat_map(|puzzle| &puzzle.questions)
    }

    /// What the actions of this one wait for.
    pub(in crate::room) fn questions_of(&self, handle: &Handle) -> impl Iterator<Item = &PuzzleQuestion> {
        self.puzzles.values().filter_map(|puzzle| puzzle.question_of(handle))
    }

    /// Whether this agent waits for the answer of others, and has nothing else to do.
    pub(in crate::room) fn only_waits(&self, handle: &Handle) -> bool {
        !self.is_human(handle) && self.questions_of(handle).next().is_some() && self.is_idle(handle)
    }

    /// Whether nobody waits for a word of this one, and it has to act in nothing in which it can.
    fn is_idle(&self, handle: &Handle) -> bool {
        let of_turn = self.turn().filter(|turn| turn.handle == *handle).map_or(0, |turn| turn.mentions);
        let of_calls: u32 = self.calls().filter(|call| call.to == *handle).map(|call| call.mentions).sum();
        of_turn + self.queue.mentions(handle) <= of_calls && self.open_calls().all(|call| call.to != *handle)
    }

    /// Who is to have the floor instead of an agent that has it and nothing to do: anybody else who can use it, if it waits
    /// for an answer; else whoever has to act in a puzzle.
    pub(in crate::room) fn next_after_idle(&self) -> Option<&Handle> {
        let turn = self.turn()?;
        let holder = &turn.handle;
        if self.only_waits(holder) {
            return self.next_speaker();
        }
        let has_asked = turn.reason == FloorReason::Request || self.is_human(holder);
        (!has_asked && self.is_idle(holder)).then(|| self.next_in_a_puzzle()).flatten()
    }

    /// Who can use a floor that its holder leaves: the first in the queue who does not wait for others, then whoever has
    /// to act.
    pub(in crate::room) fn next_speaker(&self) -> Option<&Handle> {
        let waits = |handle: &Handle| self.asked_by(handle).is_some() || self.only_waits(handle);
        let next = self.here().find(|handle| self.holder() != Some(handle) && !waits(handle));
        next.or_else(|| self.next_called())
    }

    /// Who comes next of those who are here and have to act in a puzzle.
    fn next_in_a_puzzle(&self) -> Option<&Handle> {
        let calls = || self.open_puzzle_calls().filter(|call| self.is_called_by(call));
        let in_queue = self.here().find(|next| calls().any(|call| call.to == **next));
        in_queue.or_else(|| {
            let here = calls().filter(|call| self.is_here(&call.to));
            here.min_by_key(|call| call.since).map(|call| &call.to)
        })
    }

    /// Whether a puzzle moves by itself: a program is asked, or only time moves it and nobody has to act in anything that
    /// lives here.
    pub(in crate::room) fn has_a_puzzle_that_moves(&self) -> bool {
        let mut questions = self.puzzle_questions().peekable();
        let nobody_has_to_act = questions.peek().is_none() && self.calls().next().is_none();
        questions.any(|question| question.asks.is_empty())
            || (nobody_has_to_act && self.puzzles.values().any(|puzzle| puzzle.is_timed))
    }

    /// Puzzles in which everybody who has to act is an agent that is not here, and who that is.
    pub(in crate::room) fn stranded(&self) -> impl Iterator<Item = (&str, Vec<&Call>)> {
        let is_gone = |call: &&Call| {
            self.member(&call.to).is_some_and(|member| !member.is_human() && !member.is_here())
        };
        self.puzzles.iter().filter_map(move |(id, puzzle)| {
            let calls: Vec<&Call> = puzzle.open_calls().collect();
            let is_stranded = !calls.is_empty() && calls.iter().all(is_gone);
            is_stranded.then_some((id.as_str(), calls))
        })
    }

    /// Whether this one takes part and is here.
    pub(in crate::room) fn is_here(&self, handle: &Handle) -> bool {
        self.member(handle).is_some_and(Participant::is_here)
    }
}
